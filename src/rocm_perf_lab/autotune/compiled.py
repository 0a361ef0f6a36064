"""What compiled kernels need of a compute unit, before they run; and those that cannot run at all."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from rocm_perf_lab.analysis.occupancy import occupancy
from rocm_perf_lab.arch.device import device
from rocm_perf_lab.codeobj.kernels import kernels_in_file
from rocm_perf_lab.codeobj.metadata import KernelMetadata
from rocm_perf_lab.errors import BadInput

LARGEST = 256 << 20  # bytes of a file that is looked into


def static_figures(folder: Path, kernel: str | None) -> dict[str, float]:
    """Registers, LDS, scratch, spills and occupancy of the kernels that a build made; of several the most
    of each."""
    found: dict[str, float] = {}
    for one in _kernels(folder, kernel):
        for name, value in _figures(one).items():
            worst = min if name == "occupancy" else max
            found[name] = worst(found.get(name, value), value)
    return found


def cannot_launch(folder: Path, kernel: str | None) -> str | None:
    """Why a kernel of the build can never be launched on its architecture; None where nothing is against
    it."""
    for one in _kernels(folder, kernel):
        limits = device(one.architecture)
        if limits is None:
            continue
        if one.lds_static_bytes and one.lds_static_bytes > limits.lds_bytes_per_workgroup:
            return (
                f"{one.symbol} needs {one.lds_static_bytes} bytes of LDS; "
                f"{limits.architecture} has {limits.lds_bytes_per_workgroup} for a workgroup"
            )
    return None


def _kernels(folder: Path, kernel: str | None) -> Iterable[KernelMetadata]:
    seen: dict[str, KernelMetadata] = {}
    for file in sorted(folder.rglob("*")):
        if file.is_symlink() or not file.is_file() or file.stat().st_size > LARGEST:
            continue
        try:
            for name, one in kernels_in_file(file).items():
                if kernel is None or re.search(kernel, name) or re.search(kernel, one.symbol):
                    seen.setdefault(one.symbol, one)
        except BadInput:  # no program: a log, a dependency file
            continue
    return seen.values()


def _figures(one: KernelMetadata) -> dict[str, float]:
    needs = {
        "arch_vgprs": one.arch_vgprs,
        "accum_vgprs": one.accum_vgprs,
        "sgprs": one.sgprs,
        "lds_static_bytes": one.lds_static_bytes,
        "scratch_bytes": one.scratch_bytes,
        "vgpr_spills": one.vgpr_spills,
        "sgpr_spills": one.sgpr_spills,
        "code_bytes": one.code_bytes,
    }
    figures = {name: float(value) for name, value in needs.items() if value is not None}
    limits = device(one.architecture)
    if limits is not None and one.max_workgroup_size:
        share = occupancy(
            limits,
            threads_per_block=one.max_workgroup_size,
            arch_vgprs=one.arch_vgprs,
            accum_vgprs=one.accum_vgprs,
            sgprs=one.sgprs,
            lds_bytes=one.lds_static_bytes or 0,
            wave_size=one.wave_size,
            cu_mode=bool(one.cu_mode),
        ).theoretical
        if share is not None:
            figures["occupancy"] = share
    return figures
