"""Thread traces: raw files, classes of instructions, and what waves make of records."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from vrocm.rocprofv3.att.code import InstructionCategory, Line, _line, category_of
from vrocm.rocprofv3.att.raw import DamagedTrace, read_raw
from vrocm.rocprofv3.att.waves import WaveState, WaveStateCounts, decode_waves

LIFE, START, TAKEN = 1 << 31, 1 << 30, 1 << 28


def _raw(path: Path, records: list[tuple[int, int, int, int]], codes: int, cut: int = 0) -> Path:
    header = struct.pack(
        "<8sII7Q4I", b"VROCMATT", 1, 88, 7, 99, 3, len(records), codes, 0, 500, 2, 1, 0xF, 2100
    )
    body = b"".join(struct.pack("<4I", *record) for record in records)
    table = b"".join(struct.pack("<2Q", 0x1000 + 4 * code, 4) for code in range(codes))
    content = header + body + table
    path.write_bytes(content[: len(content) - cut])
    return path


def _lines(*texts: str) -> list[Line]:
    return [_line(number, text, "", 1, 4 * number) for number, text in enumerate(texts)]


def test_damaged_files(tmp_path: Path) -> None:
    whole = _raw(tmp_path / "whole", [], 1)
    assert read_raw(whole).dispatch == 7
    with pytest.raises(DamagedTrace, match="cut short"):
        read_raw(_raw(tmp_path / "cut", [], 1, cut=1))
    (tmp_path / "other").write_bytes(b"VROCMLOG" + bytes(100))
    with pytest.raises(DamagedTrace, match="is not a thread trace"):
        read_raw(tmp_path / "other")


def test_waves_of_one_slot(tmp_path: Path) -> None:
    """Two waves after each other on SIMD 1, slot 2 of the target unit; a third elsewhere."""
    place = 2 << 24 | 1 << 22
    records = [
        (LIFE | START | place | 1, 10, 0, 4),
        (LIFE | START | place | 5, 12, 0, 5),
        (place | 0, 20, 20, 24),
        (LIFE | place | 1, 24, 0, 0),
        (LIFE | START | place | 1, 30, 1, 6),
        (place | 0, 40, 44, 48),
    ]
    raw = read_raw(_raw(tmp_path / "raw", records, 1))
    assert [(life.time, life.cu, life.starts) for life in raw.lives] == [
        (10, 1, True),
        (12, 5, True),
        (24, 1, False),
        (30, 1, True),
    ]
    first, second = decode_waves(raw, _lines("v_mov_b32_e32 v0, 0"))
    assert (first.number, first.begin, first.end, first.complete) == (0, 10, 24, True)
    assert (second.number, second.begin, second.end, second.complete) == (1, 30, 48, False)
    assert second.instructions == [(40, InstructionCategory.VALU, 4, 8, 0)]
    assert second.timeline == [(WaveState.IDLE, 10), (WaveState.STALL, 4), (WaveState.EXEC, 4)]


def test_barrier_lasts_until_the_next_instruction(tmp_path: Path) -> None:
    records = [
        (LIFE | START | 1, 0, 0, 0),
        (0, 0, 4, 8),
        (1, 100, 100, 104),
        (LIFE | 1, 104, 0, 0),
    ]
    lines = _lines("s_barrier", "s_endpgm")
    (wave,) = decode_waves(read_raw(_raw(tmp_path / "raw", records, 2)), lines)
    assert wave.instructions == [
        (0, InstructionCategory.IMMED, 100, 100, 0),
        (100, InstructionCategory.MESSAGE, 0, 4, 1),
    ]
    assert (lines[0].latency, lines[0].stall) == (100, 100)
    counts = WaveStateCounts()
    counts.add(wave)
    assert counts.steps(WaveState.WAIT) == ([0, 100], [1, 0])


def test_causes_of_waits(tmp_path: Path) -> None:
    texts = (
        "s_load_dword s0, s[2:3], 0x0",
        "flat_load_dword v0, v[2:3]",
        "global_load_dword v1, v[2:3], off",
        "ds_read_b32 v4, v5",
        "buffer_inv sc1",
        "s_waitcnt vmcnt(1) lgkmcnt(2)",
        "s_waitcnt vmcnt(0)",
        "s_waitcnt vmcnt(0) lgkmcnt(0)",
        "s_waitcnt lgkmcnt(0)",
        "flat_store_dword v[2:3], v0",
        "s_waitcnt vmcnt(0) lgkmcnt(0)",
    )
    records = [(LIFE | START | 1, 0, 0, 0)]
    records += [(code, 4 * code, 4 * code, 4 * code + 4) for code in range(len(texts))]
    (wave,) = decode_waves(read_raw(_raw(tmp_path / "raw", records, len(texts))), _lines(*texts))
    # Flat operations count in both and are named once; wait 8 finds nothing outstanding.
    assert wave.waitcnt == [(5, [0, 1]), (6, [2]), (7, [1, 3]), (10, [9])]


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("buffer_load_dword v0, v1, s[0:3], 0 offen", InstructionCategory.VMEM),
        ("global_atomic_add_f32 v0, v1, s[0:1]", InstructionCategory.FLAT),
        ("scratch_store_dword off, v0, s32", InstructionCategory.FLAT),
        ("flat_load_dword v0, v[2:3]", InstructionCategory.FLAT),
        ("s_load_dwordx4 s[0:3], s[4:5], 0x0", InstructionCategory.SMEM),
        ("s_buffer_load_dword s0, s[4:7], 0x0", InstructionCategory.SMEM),
        ("s_memtime s[0:1]", InstructionCategory.SMEM),
        ("s_memrealtime s[0:1]", InstructionCategory.SMEM),
        ("s_dcache_wb", InstructionCategory.SMEM),
        ("ds_bpermute_b32 v0, v1, v2", InstructionCategory.LDS),
        ("v_mfma_f32_32x32x8_f16 a[0:15], v[0:1], v[2:3], a[0:15]", InstructionCategory.VALU),
        ("v_readfirstlane_b32 s0, v0", InstructionCategory.VALU),
        ("s_waitcnt vmcnt(0)", InstructionCategory.IMMED),
        ("s_barrier", InstructionCategory.IMMED),
        ("s_nop 7", InstructionCategory.IMMED),
        ("s_setprio 1", InstructionCategory.IMMED),
        ("s_sleep 1", InstructionCategory.IMMED),
        ("s_endpgm", InstructionCategory.MESSAGE),
        ("s_sendmsg sendmsg(MSG_INTERRUPT)", InstructionCategory.MESSAGE),
        ("s_branch 4", InstructionCategory.JUMP),
        ("s_cbranch_vccnz 65500", InstructionCategory.JUMP),
        ("s_setpc_b64 s[30:31]", InstructionCategory.JUMP),
        ("s_swappc_b64 s[30:31], s[0:1]", InstructionCategory.JUMP),
        ("s_movk_i32 s0, 0x10", InstructionCategory.SALU),
        ("s_setreg_b32 hwreg(HW_REG_MODE), s0", InstructionCategory.SALU),
        ("s_getpc_b64 s[0:1]", InstructionCategory.SALU),
        ("s_bitset0_b32 s0, s1", InstructionCategory.SALU),
        (".long 0x00000000", InstructionCategory.NONE),
    ],
)
def test_categories(text: str, category: InstructionCategory) -> None:
    assert category_of(text) is category
