"""What the code object of a variant tells before it runs: what its kernels need, and whether they can run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rocm_perf_lab.analysis.occupancy import occupancy
from rocm_perf_lab.arch.device import device
from rocm_perf_lab.codeobj.bundles import BadBundle
from rocm_perf_lab.codeobj.elf import NotAnElf
from rocm_perf_lab.codeobj.instruction_mix import instruction_mix
from rocm_perf_lab.codeobj.kernels import code_objects_in
from rocm_perf_lab.codeobj.metadata import KernelMetadata, NoMetadata, kernels_of_code_object
from rocm_perf_lab.cxx_names import demangle

LARGEST = 256 << 20  # bytes of a file that is looked into


@dataclass(frozen=True)
class Compiled:
    figures: dict[str, float]
    """Registers, LDS, scratch, spills, occupancy, instructions by kind; of several kernels the most of each
    (of occupancy the least)."""
    never: str | None
    """Why a kernel can never be launched on its architecture; None where nothing is against it."""


def compiled(folder: Path, kernel: str | None) -> Compiled:
    """Of the kernels that a build made, ``kernel`` being a regular expression of their names."""
    figures: dict[str, float] = {}
    never = None
    for one, code_object in _kernels(folder, kernel):
        for name, value in _figures(one, code_object).items():
            worst = min if name == "occupancy" else max
            figures[name] = worst(figures.get(name, value), value)
        never = never or _never(one)
    return Compiled(figures, never)


def _never(one: KernelMetadata) -> str | None:
    limits = device(one.architecture)
    if limits is None or not one.lds_static_bytes:
        return None
    if one.lds_static_bytes <= limits.lds_bytes_per_workgroup:
        return None
    return (
        f"{one.symbol} needs {one.lds_static_bytes} bytes of LDS; "
        f"{limits.architecture} has {limits.lds_bytes_per_workgroup} for a workgroup"
    )


def _kernels(folder: Path, kernel: str | None) -> Iterator[tuple[KernelMetadata, bytes]]:
    seen: set[str] = set()
    for file in sorted(folder.rglob("*")):
        try:
            if file.is_symlink() or not file.is_file() or file.stat().st_size > LARGEST:
                continue
            for code_object in code_objects_in(file.read_bytes()):
                for one in kernels_of_code_object(code_object):
                    if one.symbol not in seen and _wanted(one.symbol, kernel):
                        seen.add(one.symbol)
                        yield one, code_object
        except (NotAnElf, BadBundle, NoMetadata, OSError):  # no program: a log, a dependency file
            continue


def _wanted(symbol: str, kernel: str | None) -> bool:
    return kernel is None or bool(re.search(kernel, demangle(symbol)) or re.search(kernel, symbol))


def _figures(one: KernelMetadata, code_object: bytes) -> dict[str, float]:
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
    mix = instruction_mix(code_object, one.symbol) or {}
    figures |= {f"{kind}_instructions": float(number) for kind, number in mix.items()}
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
