"""What one kernel takes of a compute unit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rocm_perf_lab.contracts.section import Section


@dataclass(frozen=True, kw_only=True)
class Resources(Section):
    arch_vgprs: int | None
    accum_vgprs: int | None
    sgprs: int | None
    registers_from: Literal["code object", "trace", "unknown"] = "unknown"
    """Whose counts these are: the compiler's, which are exact, or the trace's, which go in steps."""
    lds_static_bytes: int | None
    lds_dynamic_bytes: int | None
    """Given at launch; of the kernel's most frequent launch geometry."""
    scratch_bytes_per_lane: int | None
    vgpr_spills: int | None
    """Spilled vector registers, from the code object's metadata."""
    sgpr_spills: int | None
    code_bytes: int | None = None
    """Size of its instructions, from the code object."""
