"""Register counts of a kernel: the compiler's, where its code object is at hand, else the trace's.

A trace has what the kernel descriptor says, and that counts in steps: an MI300X reports 4 accumulation
registers for a kernel that has none, because 4 of a block of 8 are left over. The code object is exact.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, NamedTuple

from rocm_perf_lab.codeobj.metadata import KernelMetadata
from rocm_perf_lab.rocpd.rows import KernelResources

# Steps of the descriptor's counts (LLVM AMDGPUUsage, compute_pgm_rsrc1): the largest of any architecture.
_VGPR_STEP, _SGPR_STEP = 8, 16


class Registers(NamedTuple):
    resources: KernelResources
    source: Literal["code object", "trace"]


def vgprs_agree(exact: int, traced: int) -> bool:
    """Whether the compiler's count and the trace's, of both kinds together, can be of the same code."""
    return exact <= traced < max(exact, 1) + _VGPR_STEP


def sgprs_agree(exact: int, traced: int) -> bool:
    return exact <= traced < exact + _SGPR_STEP


def exact_registers(traced: KernelResources, code: KernelMetadata | None) -> Registers:
    """The trace's resources with exact register counts, if the code object is the one that ran.

    A program that was built anew since has other counts: then those of the trace are the better ones.
    """
    if code is None or code.arch_vgprs is None:
        return Registers(traced, "trace")
    accum = code.accum_vgprs or 0
    if traced.arch_vgprs is not None:
        exact, rounded = code.arch_vgprs + accum, traced.arch_vgprs + (traced.accum_vgprs or 0)
        if not vgprs_agree(exact, rounded):
            return Registers(traced, "trace")
    sgprs = traced.sgprs
    if code.sgprs is not None and (sgprs is None or sgprs_agree(code.sgprs, sgprs)):
        sgprs = code.sgprs
    return Registers(
        replace(traced, arch_vgprs=code.arch_vgprs, accum_vgprs=accum, sgprs=sgprs), "code object"
    )
