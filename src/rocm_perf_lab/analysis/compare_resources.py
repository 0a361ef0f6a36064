"""What a kernel takes of a compute unit on both sides, and what of it changed.

Sides may know it from different sources, which count differently: only what cannot be of the same code is a
change then.
"""

from __future__ import annotations

from collections.abc import Iterator

from rocm_perf_lab.analysis.exact_registers import sgprs_agree, vgprs_agree
from rocm_perf_lab.contracts.profiling.comparison import ResourceChange
from rocm_perf_lab.contracts.profiling.kernel import KernelProfile
from rocm_perf_lab.contracts.profiling.resources import Resources

_VGPRS = ("arch_vgprs", "accum_vgprs")
_OF_THE_KERNEL = (
    *_VGPRS,
    "sgprs",
    "scratch_bytes_per_lane",
    "vgpr_spills",
    "sgpr_spills",
    "code_bytes",
)
_OF_ITS_LAUNCHES = ("lds_bytes", "theoretical_occupancy", "achieved_occupancy")
_SOURCES = ("code object", "unknown", "trace")  # of register counts, exact ones first


def resource_changes(base: KernelProfile | None, new: KernelProfile | None) -> Iterator[ResourceChange]:
    for name in (*_OF_THE_KERNEL, *_OF_ITS_LAUNCHES):
        first, second = _value(base, name), _value(new, name)
        if first is None and second is None:
            continue
        changed: bool | None = None
        if base is not None and new is not None and first is not None and second is not None:
            changed = first != second
            if changed and _may_be_the_same(name, base.resources, new.resources):
                changed = None
        yield ResourceChange(name=name, base=first, new=second, changed=changed)


def _value(kernel: KernelProfile | None, name: str) -> float | None:
    if kernel is None:
        return None
    if name == "lds_bytes":
        return kernel.groups[0].lds_bytes
    if name.endswith("_occupancy"):
        occupied = kernel.occupancy
        value = getattr(occupied, name.removesuffix("_occupancy")) if occupied else None
    else:
        value = getattr(kernel.resources, name)
    assert value is None or isinstance(value, (int, float))
    return value


def _may_be_the_same(name: str, base: Resources, new: Resources) -> bool:
    """Whether two figures that differ can be of the same code and launches."""
    if name in _OF_ITS_LAUNCHES:  # tables in CSV have the kernel's own LDS only, in whole blocks
        return (base.lds_static_bytes is None) != (new.lds_static_bytes is None)
    if base.registers_from == new.registers_from:
        return False
    exact, traced = sorted((base, new), key=lambda side: _SOURCES.index(side.registers_from))
    if name == "sgprs" and exact.sgprs is not None and traced.sgprs is not None:
        return sgprs_agree(exact.sgprs, traced.sgprs)
    if name in _VGPRS and exact.arch_vgprs is not None and traced.arch_vgprs is not None:
        return vgprs_agree(
            exact.arch_vgprs + (exact.accum_vgprs or 0), traced.arch_vgprs + (traced.accum_vgprs or 0)
        )
    return False
