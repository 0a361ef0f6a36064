"""The nearest roof."""

from __future__ import annotations

import pytest

from .kernels import COPY_NS, all_counters, place

CU_CLOCKS = 304 * 2100e6 * COPY_NS * 1e-9  # clocks of all compute units in the time of the kernel


def test_matrix_cores() -> None:
    mops = 0.8 * 2048 * CU_CLOCKS / 512
    result = place(all_counters(SQ_INSTS_VALU_MFMA_MOPS_BF16=mops))
    assert (result.bound, result.bound_by) == ("compute", "mfma bf16")
    assert result.share_of_roof == pytest.approx(0.8)
    assert result.achieved_gflops == pytest.approx(0.8 * 1307443.2)


def test_types_on_one_pipe_add_up() -> None:
    """30 % of the rate of each of two types is 60 % of the pipe, and so more than 47 % of the memory."""
    counters = all_counters(
        SQ_INSTS_VALU_MFMA_MOPS_BF16=0.3 * 2048 * CU_CLOCKS / 512,
        SQ_INSTS_VALU_MFMA_MOPS_F64=0.31 * 256 * CU_CLOCKS / 512,
    )
    result = place(counters)
    assert (result.bound, result.bound_by) == ("compute", "mfma f64")
    assert result.share_of_roof == pytest.approx(0.61)


def test_types_that_add_up_to_more_than_the_pipe_decide_nothing() -> None:
    counters = all_counters(
        SQ_INSTS_VALU_MFMA_MOPS_BF16=0.6 * 2048 * CU_CLOCKS / 512,
        SQ_INSTS_VALU_MFMA_MOPS_F64=0.6 * 256 * CU_CLOCKS / 512,
    )
    result = place(counters)
    assert result.bound is None
    assert "add up" in result.missing["bound"]


def test_integer_operations_are_no_flops() -> None:
    result = place(all_counters(SQ_INSTS_VALU_MFMA_MOPS_I8=0.9 * 4096 * CU_CLOCKS / 512))
    assert result.flops == 0
    assert (result.bound, result.bound_by) == ("compute", "mfma i8")


def test_lds() -> None:
    result = place(all_counters(SQ_LDS_IDX_ACTIVE=0.7 * CU_CLOCKS))
    assert (result.bound, result.bound_by) == ("memory", "lds")
    assert result.share_of_roof == pytest.approx(0.7)


def test_l2() -> None:
    channels = 8 * 16 * 2100e6 * COPY_NS * 1e-9
    reads = 0.9 * channels - 65536  # the writes of the copy take half a line each
    result = place(all_counters(TCP_TCC_READ_REQ_sum=reads))
    assert (result.bound, result.bound_by) == ("memory", "l2")
    assert result.share_of_roof == pytest.approx(0.9)


def test_far_from_every_roof() -> None:
    result = place(all_counters(), ns=100 * COPY_NS)
    assert result.bound_by == "hbm"
    assert any("latency" in note for note in result.notes)


def test_without_roofs_there_is_no_verdict() -> None:
    result = place(all_counters(), roofs=())
    assert result.achieved_gbps is not None
    assert result.bound is None
    assert result.missing["bound"] == "no ceiling is known for: hbm"
