"""Branches, calls, ends, traps, hardware registers and registers indexed through M0."""

from __future__ import annotations

import numpy as np
import pytest
from bare_wave import BAD_BRANCH, HANG, LANE, M0, TRAP, UNSUPPORTED, VCC, Wave, assemble, instructions, merged
from scalar_names import HARMLESS, TESTED_HERE, UNSUPPORTED_NAMES, covered_by_alu_tests

ARCHES = ["gfx942", "gfx90a"]


def run(text: str, arch: str = "gfx942", **registers: int) -> Wave:
    """Runs without a fault; registers are s0=..., scc=..., vcc=..., exec=..."""
    wave = Wave(arch)
    for name, value in registers.items():
        if name in ("scc", "exec", "mode"):
            setattr(wave, name, value)
        else:
            wave.set_s64(VCC if name == "vcc" else int(name[1:]), value)
    (program,) = assemble(arch, [text])
    assert wave.run(program) == 0, wave.message
    return wave


@pytest.mark.parametrize("arch", ARCHES)
def test_every_scalar_instruction_is_accounted_for(arch: str) -> None:
    table = instructions(arch, "SOP1", "SOP2", "SOPK", "SOPC", "SOPP")
    accounted = covered_by_alu_tests() | TESTED_HERE | HARMLESS | UNSUPPORTED_NAMES
    assert table == accounted


@pytest.mark.parametrize("arch", ARCHES)
def test_unsupported_instructions_say_so(arch: str) -> None:
    forms = {
        "s_rfe_b64": "s_rfe_b64 s[2:3]",
        "s_rfe_restore_b64": "s_rfe_restore_b64 s[2:3], s4",
        "s_setvskip": "s_setvskip s2, s3",
    }
    assert set(forms) == UNSUPPORTED_NAMES
    for name, program in zip(forms, assemble(arch, list(forms.values())), strict=True):
        wave = Wave(arch)
        assert wave.run(program) == UNSUPPORTED
        assert name in wave.message


def test_instructions_that_change_nothing() -> None:
    forms = {name: name for name in HARMLESS} | {
        "s_nop": "s_nop 3",
        "s_waitcnt": "s_waitcnt vmcnt(0) lgkmcnt(0)",
        "s_setprio": "s_setprio 2",
        "s_sendmsg": "s_sendmsg sendmsg(MSG_INTERRUPT)",
        "s_incperflevel": "s_incperflevel 1",
        "s_decperflevel": "s_decperflevel 1",
        "s_sleep": "s_sleep 5",
    }
    for suffix in ("cdbgsys", "cdbguser", "cdbgsys_or_user", "cdbgsys_and_user"):
        forms[f"s_cbranch_{suffix}"] = f"s_cbranch_{suffix} 1"
    for program in assemble("gfx942", [f"{forms[name]}\ns_mov_b32 s8, 1" for name in sorted(HARMLESS)]):
        wave = Wave()
        before = wave.v.copy()
        assert wave.run(program) == 0
        assert wave.s[8] == 1
        assert np.array_equal(wave.v, before)


@pytest.mark.parametrize(
    ("branch", "registers", "taken"),
    [
        ("s_branch", {}, True),
        ("s_cbranch_scc0", {"scc": 0}, True),
        ("s_cbranch_scc0", {"scc": 1}, False),
        ("s_cbranch_scc1", {"scc": 1}, True),
        ("s_cbranch_scc1", {"scc": 0}, False),
        ("s_cbranch_vccz", {"vcc": 0}, True),
        ("s_cbranch_vccz", {"vcc": 1 << 40}, False),
        ("s_cbranch_vccnz", {"vcc": 1 << 40}, True),
        ("s_cbranch_vccnz", {"vcc": 0}, False),
        ("s_cbranch_execz", {"exec": 0}, True),
        ("s_cbranch_execz", {"exec": 1 << 63}, False),
        ("s_cbranch_execnz", {"exec": 1 << 63}, True),
        ("s_cbranch_execnz", {"exec": 0}, False),
    ],
)
def test_branches(branch: str, registers: dict[str, int], taken: bool) -> None:
    wave = run(f"s_mov_b32 s8, 1\n{branch} past\ns_mov_b32 s8, 2\npast:\ns_mov_b32 s9, 3", **registers)
    assert wave.s[8] == (1 if taken else 2)
    assert wave.s[9] == 3


def forked(depth: int, path: int, register_form: bool) -> str:
    """Lanes go left or right by bit `depth - 1` of v2, and so on. Ends add their path to v8; v9 says when.

    A join gives back the height of the stack; the lanes before the fork are the program's to keep.
    """
    if depth == 0:
        return f"v_add_u32 v8, {path}, v8\nv_mov_b32 v9, s90\ns_add_u32 s90, s90, 1\n"
    height, exec_before, name = f"s{80 + depth}", f"s[{64 + 2 * depth}:{65 + 2 * depth}]", f"{depth}_{path}"
    target = f"""
        s_getpc_b64 s[94:95]
        from_{name}:
        s_add_u32 s94, s94, right_{name}-from_{name}
        s_addc_u32 s95, s95, 0
    """
    where = "s[94:95]" if register_form else f"right_{name}"
    return f"""
        s_getreg_b32 {height}, hwreg(HW_REG_MODE, 29, 3)
        s_mov_b64 {exec_before}, exec
        v_bfe_u32 v3, v2, {depth - 1}, 1
        v_cmp_ne_u32 s[92:93], 0, v3
        {target if register_form else ""}
        s_cbranch_{"g" if register_form else "i"}_fork s[92:93], {where}
        {forked(depth - 1, 2 * path, register_form)}
        s_branch meet_{name}
        right_{name}:
        {forked(depth - 1, 2 * path + 1, register_form)}
        meet_{name}:
        s_cbranch_join {height}
        s_mov_b64 exec, {exec_before}
    """


@pytest.mark.parametrize("arch", ARCHES)
@pytest.mark.parametrize("register_form", [False, True])
def test_forks_and_joins(arch: str, register_form: bool) -> None:
    depth = 6
    (program,) = assemble(arch, [forked(depth, 0, register_form) + "s_mov_b32 s91, 77"])
    generator = np.random.default_rng(19)
    for seed in range(12):
        lanes = [
            LANE,
            63 - LANE,
            LANE * 0 + 21,
            generator.integers(0, 64, 64) & generator.integers(0, 64, 64),
        ]
        wave = Wave(arch)
        wave.v[2], wave.v[8], wave.v[9] = lanes[seed % 4], 1000, 1000
        wave.s[90] = 0
        wave.exec = mask = (1 << 64) - 1 if seed < 4 else int(generator.integers(1, 1 << 63))
        mode = wave.mode
        assert wave.run(program) == 0, wave.message
        active = mask >> LANE.astype(np.uint64) & np.uint64(1) == 1
        assert np.array_equal(wave.v[8], np.where(active, 1000 + wave.v[2], 1000))
        assert (wave.exec, wave.mode, wave.s[91]) == (mask, mode, 77)
        paths, first = wave.v[2][active], wave.v[9][active]
        assert len(set(zip(paths, first, strict=True))) == len(set(paths)) == wave.s[90]
        for bit in range(depth):  # the fewer first, the right ones where they are as many
            for prefix in set(paths >> bit + 1):
                times = [first[paths >> bit == 2 * prefix + side] for side in (0, 1)]
                if len(times[0]) and len(times[1]):
                    left_first = len(times[0]) < len(times[1])
                    assert (times[0].max() < times[1].min()) == left_first


def test_loop_counts() -> None:
    wave = run("s_mov_b32 s8, 0\nagain:\ns_add_u32 s8, s8, 3\ns_cmp_lt_u32 s8, 300\ns_cbranch_scc1 again")
    assert wave.s[8] == 300


def test_endless_loop_hits_the_limit() -> None:
    (program,) = assemble("gfx942", ["forever:\ns_branch forever"])
    assert Wave().run(program, limit=10_000) == HANG


def test_call_through_registers_and_return() -> None:
    wave = run(
        """
        s_getpc_b64 s[4:5]
        here:
        s_add_u32 s4, s4, double-here
        s_addc_u32 s5, s5, 0
        s_mov_b32 s8, 21
        s_swappc_b64 s[30:31], s[4:5]
        s_add_u32 s8, s8, 1
        s_call_b64 s[30:31], double
        s_endpgm
        double:
        s_lshl_b32 s8, s8, 1
        s_setpc_b64 s[30:31]
        """
    )
    assert wave.s[8] == (21 * 2 + 1) * 2


@pytest.mark.parametrize("target", [0, 8, 0x7FFF_FFFF_0000, (1 << 64) - 4])
def test_jump_to_nowhere_is_a_fault(target: int) -> None:
    (program,) = assemble("gfx942", ["s_setpc_b64 s[4:5]"])
    wave = Wave()
    wave.set_s64(4, target)
    assert wave.run(program) == BAD_BRANCH


def test_traps() -> None:
    for number, program in zip((2, 7), assemble("gfx942", ["s_trap 2", "s_trap 7"]), strict=True):
        wave = Wave()
        assert wave.run(program) == TRAP
        assert str(number) in wave.message
    assert run("s_trap 3\ns_mov_b32 s8, 1").s[8] == 1  # breakpoint without a debugger


def test_halts_and_ends() -> None:
    halt, message_halt, kill, saved, ordered = assemble(
        "gfx942",
        [
            "s_sethalt 1\ns_mov_b32 s8, 1",
            "s_sendmsghalt sendmsg(MSG_INTERRUPT)\ns_mov_b32 s8, 1",
            "s_setkill 1\ns_mov_b32 s8, 1",
            "s_endpgm_saved\ns_mov_b32 s8, 1",
            "s_endpgm_ordered_ps_done\ns_mov_b32 s8, 1",
        ],
    )
    for program, kind in ((halt, TRAP), (message_halt, TRAP), (kill, 0), (saved, 0), (ordered, 0)):
        wave = Wave()
        assert wave.run(program) == kind
        assert wave.s[8] == 0
    assert run("s_sethalt 0\ns_setkill 0\ns_barrier\ns_mov_b32 s8, 1").s[8] == 1


def test_mode_register() -> None:
    wave = run("s_getreg_b32 s8, hwreg(HW_REG_MODE)\ns_getreg_b32 s9, hwreg(HW_REG_MODE, 4, 4)", mode=0x3F0)
    assert (wave.s[8], wave.s[9]) == (0x3F0, 0xF)
    wave = run("s_setreg_b32 hwreg(HW_REG_MODE, 0, 4), s4", s4=0xFFA, mode=0x3F0)
    assert wave.mode == 0x3FA
    wave = run("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 4), 0", mode=0x3FF)
    assert wave.mode == 0x30F


def test_other_hardware_registers() -> None:
    wave = run(
        """
        s_getreg_b32 s8, hwreg(HW_REG_STATUS, 0, 1)
        s_getreg_b32 s9, hwreg(HW_REG_LDS_ALLOC, 12, 9)
        s_getreg_b32 s10, hwreg(HW_REG_SH_MEM_BASES, 16, 16)
        s_getreg_b32 s11, hwreg(HW_REG_SH_MEM_BASES, 0, 16)
        s_getreg_b32 s12, hwreg(HW_REG_XCC_ID)
        s_getreg_b32 s13, hwreg(HW_REG_HW_ID)
        s_getreg_b32 s14, hwreg(HW_REG_TRAPSTS)
        s_getreg_b32 s15, hwreg(HW_REG_GPR_ALLOC)
        s_setreg_imm32_b32 hwreg(HW_REG_TRAPSTS, 0, 9), 0
        """,
        scc=1,
    )
    assert list(wave.s[8:12]) == [1, 128, 1, 2]


@pytest.mark.parametrize("field", ["hwreg(HW_REG_MODE, 27, 1)", "hwreg(HW_REG_MODE, 28, 1)"])
def test_modes_that_do_not_exist_are_refused(field: str) -> None:
    (program,) = assemble("gfx942", [f"s_setreg_imm32_b32 {field}, 1"])
    assert Wave().run(program) == UNSUPPORTED


def test_scalar_registers_through_m0() -> None:
    wave = run("s_movrels_b32 s8, s20\ns_movreld_b32 s10, s4", s124=3, s23=0x77, s4=0x99)
    assert (wave.s[8], wave.s[13]) == (0x77, 0x99)
    wave = run(
        "s_movrels_b64 s[8:9], s[20:21]\ns_movreld_b64 s[10:11], s[4:5]",
        s124=2,
        s22=0x700000007,
        s4=0x9_00000009,
    )
    assert (wave.s64(8), wave.s64(12)) == (0x700000007, 0x900000009)
    (program,) = assemble("gfx942", ["s_movreld_b32 s10, s4"])
    wave = Wave()
    wave.s[M0] = 0xFFFFFFFF
    assert wave.run(program) == UNSUPPORTED


def indexed(text: str, index: int, exec_mask: int) -> Wave:
    (program,) = assemble("gfx942", [text])
    wave = Wave()
    wave.exec = exec_mask
    for register in range(32):
        wave.v[register] = 1000 * register + LANE
    wave.s[4] = index
    assert wave.run(program) == 0, wave.message
    return wave


@pytest.mark.parametrize("exec_mask", [(1 << 64) - 1, 0xF0F0_1234_8001_7FFE])
@pytest.mark.parametrize("index", [0, 3, 11])
def test_vector_registers_through_m0(index: int, exec_mask: int) -> None:
    wave = indexed(
        "s_set_gpr_idx_on s4, gpr_idx(SRC0)\nv_mov_b32 v20, v8\ns_set_gpr_idx_off\nv_mov_b32 v21, v8",
        index,
        exec_mask,
    )
    assert np.array_equal(wave.v[20], merged(20_000 + LANE, 1000 * (8 + index) + LANE, exec_mask))
    assert np.array_equal(wave.v[21], merged(21_000 + LANE, 8000 + LANE, exec_mask))
    wave = indexed(
        "s_set_gpr_idx_on s4, gpr_idx(DST)\nv_mov_b32 v12, v8\ns_set_gpr_idx_off", index, exec_mask
    )
    assert np.array_equal(wave.v[12 + index], merged(1000 * (12 + index) + LANE, 8000 + LANE, exec_mask))
    text = """
        s_set_gpr_idx_on s4, gpr_idx(SRC0)
        s_set_gpr_idx_mode gpr_idx(SRC1)
        v_sub_u32 v24, v8, v9
        s_set_gpr_idx_idx s5
        v_sub_u32 v25, v8, v9
        s_set_gpr_idx_off
        """
    wave = indexed(text, index, exec_mask)
    assert np.array_equal(wave.v[24], merged(24_000 + LANE, (-1000 * (1 + index)) & 0xFFFFFFFF, exec_mask))
    assert np.array_equal(wave.v[25], merged(25_000 + LANE, (-1000) & 0xFFFFFFFF, exec_mask))


def test_index_past_the_last_register_means_the_first() -> None:
    wave = indexed(
        "s_set_gpr_idx_on s4, gpr_idx(SRC0)\nv_mov_b32 v20, v250\ns_set_gpr_idx_off", 20, (1 << 64) - 1
    )
    assert np.array_equal(wave.v[20], LANE)


def test_barrier_in_index_mode_is_refused() -> None:
    (program,) = assemble("gfx942", ["s_set_gpr_idx_on s4, gpr_idx(SRC0)\ns_barrier\ns_set_gpr_idx_off"])
    assert Wave().run(program) == UNSUPPORTED
