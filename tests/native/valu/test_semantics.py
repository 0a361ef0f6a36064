"""Every vector instruction against exact references: edge and random values, random EXEC, all lanes."""

from __future__ import annotations

import integer_reference
import pytest
import valu_runner as run
from bare_wave import instructions
from tests.table_rows import rows

ARCHES = ("gfx942", "gfx90a")
FORMATS = ("VOP1", "VOP2", "VOPC", "VOP3", "VOP3P")

# Checked by other tests: name the file.
ELSEWHERE = {
    "test_lanes": """v_nop v_clrexcp v_readfirstlane_b32 v_readlane_b32 v_writelane_b32 v_swap_b32
        v_mbcnt_lo_u32_b32 v_mbcnt_hi_u32_b32 v_screen_partition_4se_b32""",
    "test_functions": """v_exp_f32 v_exp_legacy_f32 v_log_f32 v_log_legacy_f32 v_sin_f32 v_cos_f32 v_rcp_f32
        v_rcp_iflag_f32 v_rsq_f32 v_sqrt_f32 v_exp_f16 v_log_f16 v_sin_f16 v_cos_f16 v_rcp_f16 v_rsq_f16
        v_sqrt_f16 v_rcp_f64 v_rsq_f64 v_sqrt_f64 v_trig_preop_f64""",
    "test_division": "v_div_scale_f32 v_div_scale_f64 v_div_fmas_f32 v_div_fmas_f64",
    "test_modifiers": "v_cvt_sr_fp8_f32 v_cvt_sr_bf8_f32",
    "test_matrix": "v_accvgpr_mov_b32",
}


def listed() -> set[str]:
    return {name for names in ELSEWHERE.values() for name in names.split()}


def table_of(arch: str) -> list[str]:
    return sorted(instructions(arch, *FORMATS) & set(run.TABLE))


def test_every_instruction_has_a_test() -> None:
    for arch in ARCHES:
        assert instructions(arch, *FORMATS) - set(run.TABLE) - listed() == set()
    everything = set().union(*(instructions(arch, *FORMATS, "MFMA") for arch in ARCHES))
    assert set(run.TABLE) - everything == set()
    assert listed() - everything == set()


@pytest.fixture(scope="module")
def plain() -> dict[str, dict[str, bytes]]:
    texts = {arch: tuple(run.case_for(name).text for name in table_of(arch)) for arch in ARCHES}
    return {arch: run.code_for(arch, texts[arch]) for arch in ARCHES}


@rows("name", sorted(run.TABLE))
def test_results(name: str, plain: dict[str, dict[str, bytes]]) -> None:
    for arch in ARCHES:
        case = run.case_for(name)
        if case.text in plain[arch]:
            run.check(arch, case, plain[arch][case.text], rounds=2 if arch == "gfx942" else 1)


def shares_registers(name: str) -> bool:
    case = run.case_for(name)
    return bool(case.result) and "m" not in case.sources


@pytest.fixture(scope="module")
def in_place() -> dict[str, bytes]:
    names = [n for n in table_of("gfx942") if shares_registers(n)]
    return run.code_for("gfx942", tuple(run.case_for(n, register).text for n in names for register in (4, 6)))


@rows("name", lambda: [name for name in sorted(run.TABLE) if shares_registers(name)])
def test_destination_is_a_source(name: str, in_place: dict[str, bytes]) -> None:
    for register in (4, 6):
        case = run.case_for(name, register)
        if case.text in in_place:
            run.check("gfx942", case, in_place[case.text], rounds=1, destination=register)


@pytest.fixture(scope="module")
def saturating() -> dict[str, bytes]:
    cases = [run.case_for(name, suffix=" clamp") for name in integer_reference.SATURATING]
    return run.code_for("gfx90a", tuple(with_long_form(case.text) for case in cases))


def with_long_form(text: str) -> str:
    """clamp needs the VOP3 form."""
    name, _, rest = text.partition(" ")
    short = name in instructions("gfx90a", "VOP1", "VOP2")
    return f"{name}_e64 {rest}" if short else text


@rows("name", sorted(integer_reference.SATURATING))
def test_clamp_of_integers_saturates(name: str, saturating: dict[str, bytes]) -> None:
    case = run.case_for(name, suffix=" clamp")
    code = saturating[with_long_form(case.text)]
    run.check("gfx90a", case, code, reference=integer_reference.SATURATING[name])
