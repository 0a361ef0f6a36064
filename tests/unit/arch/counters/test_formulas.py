"""Formulas of work and traffic, each with an answer worked out by hand."""

from __future__ import annotations

import pytest

from rocm_perf_lab.arch.counters import (
    Formula,
    LevelTraffic,
    MissingCounters,
    Part,
    total_of,
    traffic_formulas,
    valu_width,
    work_formulas,
)


def _level(architecture: str, level: str) -> LevelTraffic:
    return next(one for one in traffic_formulas(architecture) if one.level == level)


def _bytes(formula: Formula | None, counters: dict[str, float]) -> float:
    assert formula is not None
    return total_of(formula, counters)


WRITES = {"WRREQ": 10, "WRREQ_64B": 7}  # 7·64 + 3·32 = 544
READS_90A = {"RDREQ": 10, "RDREQ_32B": 4}  # 6·64 + 4·32 = 512
FABRIC = [
    ("gfx90a", "TCC_EA_", {**READS_90A, **WRITES}, {}, 512),
    # 3·128 + (10 − 3 − 4)·64 + 4·32 = 704
    ("gfx942", "TCC_EA0_", {**READS_90A, **WRITES}, {"TCC_BUBBLE": 3}, 704),
    ("gfx950", "TCC_EA0_", {**READS_90A, **WRITES, "RDREQ_128B": 3}, {}, 704),
]


@pytest.mark.parametrize(("architecture", "prefix", "counts", "more", "read"), FABRIC)
@pytest.mark.parametrize("ending", ["", "_sum"])
def test_fabric_bytes(
    architecture: str, prefix: str, counts: dict[str, float], more: dict[str, float], read: int, ending: str
) -> None:
    counters = {f"{prefix}{name}{ending}": value for name, value in counts.items()}
    counters |= {f"{name}{ending}": value for name, value in more.items()}
    level = _level(architecture, "hbm")
    assert _bytes(level.read, counters) == read
    assert _bytes(level.write, counters) == 544


def test_fabric_bytes_of_rdna() -> None:
    counters = {f"GL2C_EA_RDREQ_{size}B_sum": count for size, count in ((32, 1), (64, 2), (96, 3), (128, 4))}
    counters |= {"GL2C_EA_WRREQ_64B_sum": 5, "GL2C_MC_WRREQ_sum": 6}
    for architecture in ("gfx1030", "gfx1100"):
        level = _level(architecture, "hbm")
        assert _bytes(level.read, counters) == 32 + 128 + 288 + 512
        assert _bytes(level.write, counters) == 5 * 64 + 32


@pytest.mark.parametrize(("architecture", "line"), [("gfx90a", 64), ("gfx942", 128), ("gfx950", 128)])
def test_cache_bytes(architecture: str, line: int) -> None:
    counters = {
        "TCP_TOTAL_CACHE_ACCESSES_sum": 11.0,
        "TCP_TCC_READ_REQ_sum": 5.0,
        "TCP_TCC_WRITE_REQ_sum": 3.0,
        "TCP_TCC_ATOMIC_WITH_RET_REQ_sum": 2.0,
        "TCP_TCC_ATOMIC_WITHOUT_RET_REQ_sum": 1.0,
    }
    first, second = _level(architecture, "l1"), _level(architecture, "l2")
    assert _bytes(first.total, counters) == 11 * line
    assert first.upper_bound
    assert _bytes(second.read, counters) == 5 * line
    assert _bytes(second.write, counters) == 6 * 64
    assert second.upper_bound is None


def test_lds_bytes_leave_conflicts_out() -> None:
    counters = {"SQ_LDS_IDX_ACTIVE": 10.0, "SQ_LDS_BANK_CONFLICT": 4.0}
    assert _bytes(_level("gfx942", "lds").total, counters) == 6 * 4 * 32


@pytest.mark.parametrize("type_", ["F16", "F32", "F64"])
def test_vector_work_counts_a_multiply_add_twice(type_: str) -> None:
    kinds = {"ADD": 1, "MUL": 10, "TRANS": 100, "FMA": 1000}
    counters = {f"SQ_INSTS_VALU_{kind}_{type_}": float(count) for kind, count in kinds.items()}
    (work,) = [one for one in work_formulas("gfx942") if (one.unit, one.type) == ("valu", type_.lower())]
    assert total_of(work.formula, counters) == 64 * (1 + 10 + 100 + 2 * 1000)


def test_matrix_types_of_each_architecture() -> None:
    types = {
        architecture: {one.type for one in work_formulas(architecture) if one.unit == "mfma"}
        for architecture in ("gfx90a", "gfx942", "gfx950", "gfx1100")
    }
    assert types == {
        "gfx90a": {"f16", "bf16", "f32", "f64", "i8"},
        "gfx942": {"f16", "bf16", "f32", "f64", "i8", "f8"},
        "gfx950": {"f16", "bf16", "f32", "f64", "i8", "f8", "f6f4"},
        "gfx1100": set(),
    }
    for work in work_formulas("gfx942"):
        if work.unit == "mfma":
            assert total_of(work.formula, {f"SQ_INSTS_VALU_MFMA_MOPS_{work.type.upper()}": 3}) == 3 * 512
            assert work.floating == (work.type != "i8")


def test_estimate_from_the_plain_instruction_count() -> None:
    work = valu_width("gfx942")
    assert work is not None
    assert (
        total_of(work.formula, {"SQ_INSTS_VALU": 100, "SQ_INSTS_VALU_MFMA_MOPS_F32": 2}) == 100 * 8 + 2 * 512
    )
    assert valu_width("gfx90a") is None


def test_missing_counters_are_named() -> None:
    formula = _level("gfx942", "hbm").read
    assert formula is not None
    with pytest.raises(MissingCounters) as caught:
        total_of(formula, {"TCC_EA0_RDREQ_sum": 1, "TCC_BUBBLE": 0})
    assert caught.value.names == ("TCC_EA0_RDREQ_32B",)


def test_negative_parts_are_not_clamped() -> None:
    assert total_of(Formula((Part(64, ("A",), ("B",)),), ""), {"A": 1, "B": 3}) == -128


def test_formulas_can_be_read_and_have_sources() -> None:
    formula = _level("gfx942", "hbm").read
    assert str(formula) == (
        "128·TCC_BUBBLE + 64·(TCC_EA0_RDREQ − TCC_BUBBLE − TCC_EA0_RDREQ_32B) + 32·TCC_EA0_RDREQ_32B"
    )
    for architecture in ("gfx90a", "gfx942", "gfx950", "gfx1100"):
        for level in traffic_formulas(architecture):
            assert all(one.source for one in level.formulas)
        assert all(one.formula.source for one in work_formulas(architecture))
