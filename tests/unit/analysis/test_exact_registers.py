"""Exact register counts replace rounded ones, but not those of another build."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rocm_perf_lab.analysis.exact_registers import exact_registers
from rocm_perf_lab.codeobj.metadata import KernelMetadata
from rocm_perf_lab.rocpd.rows import KernelResources

CODE = KernelMetadata(
    symbol="k",
    architecture="gfx942",
    arch_vgprs=97,
    accum_vgprs=0,
    sgprs=98,
    vgpr_spills=0,
    sgpr_spills=0,
    lds_static_bytes=0,
    scratch_bytes=0,
    kernarg_bytes=8,
    max_workgroup_size=1024,
    wave_size=64,
    uses_dynamic_stack=False,
    cu_mode=None,
    code_bytes=4,
)
TRACED = KernelResources(arch_vgprs=100, accum_vgprs=4, sgprs=112, lds_static_bytes=0, scratch_bytes=0)


def test_what_the_descriptor_rounds_up() -> None:
    """An MI300X traces 4 and 4 registers of a kernel without accumulation registers, for example."""
    exact = exact_registers(TRACED, CODE)
    assert exact.source == "code object"
    assert (exact.resources.arch_vgprs, exact.resources.accum_vgprs, exact.resources.sgprs) == (97, 0, 98)
    assert exact.resources.lds_static_bytes == TRACED.lds_static_bytes


@pytest.mark.parametrize("count", [88, 96, 105, 130])
def test_counts_of_another_build_are_not_taken(count: int) -> None:
    other = exact_registers(TRACED, replace(CODE, arch_vgprs=count))
    assert other == (TRACED, "trace")


def test_without_a_code_object() -> None:
    assert exact_registers(TRACED, None) == (TRACED, "trace")
    assert exact_registers(TRACED, replace(CODE, arch_vgprs=None)) == (TRACED, "trace")


def test_a_trace_without_counts_gets_them() -> None:
    nothing = KernelResources(None, None, None, None, None)
    exact = exact_registers(nothing, CODE)
    assert (exact.resources.arch_vgprs, exact.resources.accum_vgprs, exact.resources.sgprs) == (97, 0, 98)


def test_scalar_registers_of_rdna_are_always_reported_as_128() -> None:
    exact = exact_registers(replace(TRACED, sgprs=128), replace(CODE, sgprs=20))
    assert exact.resources.sgprs == 128
