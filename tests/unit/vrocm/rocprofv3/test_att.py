"""Thread traces: raw files, classes of instructions, and what waves make of records."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from vrocm.rocprofv3.att.code import Category, Line, _line, category_of
from vrocm.rocprofv3.att.raw import DamagedTrace, read_raw
from vrocm.rocprofv3.att.waves import State, StateCounts, decode_waves

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
    assert second.instructions == [(40, Category.VALU, 4, 8, 0)]
    assert second.timeline == [(State.IDLE, 10), (State.STALL, 4), (State.EXEC, 4)]


def test_barrier_lasts_until_the_next_instruction(tmp_path: Path) -> None:
    records = [
        (LIFE | START | 1, 0, 0, 0),
        (0, 0, 4, 8),
        (1, 100, 100, 104),
        (LIFE | 1, 104, 0, 0),
    ]
    lines = _lines("s_barrier", "s_endpgm")
    (wave,) = decode_waves(read_raw(_raw(tmp_path / "raw", records, 2)), lines)
    assert wave.instructions == [(0, Category.IMMED, 100, 100, 0), (100, Category.MESSAGE, 0, 4, 1)]
    assert (lines[0].latency, lines[0].stall) == (100, 100)
    counts = StateCounts()
    counts.add(wave)
    assert counts.steps(State.WAIT) == ([0, 100], [1, 0])


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
        ("buffer_load_dword v0, v1, s[0:3], 0 offen", Category.VMEM),
        ("global_atomic_add_f32 v0, v1, s[0:1]", Category.FLAT),
        ("scratch_store_dword off, v0, s32", Category.FLAT),
        ("flat_load_dword v0, v[2:3]", Category.FLAT),
        ("s_load_dwordx4 s[0:3], s[4:5], 0x0", Category.SMEM),
        ("s_buffer_load_dword s0, s[4:7], 0x0", Category.SMEM),
        ("s_memtime s[0:1]", Category.SMEM),
        ("s_memrealtime s[0:1]", Category.SMEM),
        ("s_dcache_wb", Category.SMEM),
        ("ds_bpermute_b32 v0, v1, v2", Category.LDS),
        ("v_mfma_f32_32x32x8_f16 a[0:15], v[0:1], v[2:3], a[0:15]", Category.VALU),
        ("v_readfirstlane_b32 s0, v0", Category.VALU),
        ("s_waitcnt vmcnt(0)", Category.IMMED),
        ("s_barrier", Category.IMMED),
        ("s_nop 7", Category.IMMED),
        ("s_setprio 1", Category.IMMED),
        ("s_sleep 1", Category.IMMED),
        ("s_endpgm", Category.MESSAGE),
        ("s_sendmsg sendmsg(MSG_INTERRUPT)", Category.MESSAGE),
        ("s_branch 4", Category.JUMP),
        ("s_cbranch_vccnz 65500", Category.JUMP),
        ("s_setpc_b64 s[30:31]", Category.JUMP),
        ("s_swappc_b64 s[30:31], s[0:1]", Category.JUMP),
        ("s_movk_i32 s0, 0x10", Category.SALU),
        ("s_setreg_b32 hwreg(HW_REG_MODE), s0", Category.SALU),
        ("s_getpc_b64 s[0:1]", Category.SALU),
        ("s_bitset0_b32 s0, s1", Category.SALU),
        (".long 0x00000000", Category.NONE),
    ],
)
def test_categories(text: str, category: Category) -> None:
    assert category_of(text) is category
