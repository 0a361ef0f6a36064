"""Occupancy against a packer that fills a compute unit group by group, over the whole space of launches."""

from __future__ import annotations

import numpy as np
import pytest

from rocm_perf_lab.analysis.residency import Demand, residency
from rocm_perf_lab.arch.device import device

from .packer import UNITS, Unit, pack

MOST_THREADS = 1024


def lds_sizes(unit: Unit) -> list[int]:
    """Nothing, and both sides of every place where the number of groups that fit changes."""
    edges = {unit.lds // groups for groups in range(1, 41)}
    rounded = {edge // unit.lds_block * unit.lds_block for edge in edges}
    return sorted({0, 1, *rounded, *(edge + 1 for edge in rounded), unit.most_lds, unit.most_lds + 1})


@pytest.mark.parametrize("key", UNITS)
def test_every_register_count_and_group_size(key: tuple[str, int, bool]) -> None:
    architecture, wave_size, cu_mode = key
    limits = device(architecture)
    assert limits is not None
    most = 512 if limits.accumulation == "unified" else 256
    accum = np.maximum(0, np.arange(most + 1) - 256)  # above 256, the rest are accumulation registers
    arch = np.arange(most + 1) - accum
    nothing = np.zeros_like(arch)
    for waves in range(1, MOST_THREADS // wave_size + 1):
        wanted = pack(UNITS[key], waves, arch + accum, nothing, nothing)
        # The last wave of a group may be partly filled.
        for threads in (waves * wave_size, (waves - 1) * wave_size + 1):
            got = [
                residency(
                    limits,
                    Demand(
                        threads=threads,
                        wave_size=wave_size,
                        arch_vgprs=int(of_arch),
                        accum_vgprs=int(of_accum),
                        sgprs=0,
                        lds_bytes=0,
                        cu_mode=cu_mode,
                    ),
                ).groups
                for of_arch, of_accum in zip(arch, accum, strict=True)
            ]
            assert got == wanted.tolist()


@pytest.mark.parametrize("key", UNITS)
def test_lds_and_scalar_registers(key: tuple[str, int, bool]) -> None:
    architecture, wave_size, cu_mode = key
    limits = device(architecture)
    assert limits is not None
    axes = np.meshgrid(
        [0, 24, 25, 40, 64, 65, 96, 128, 200, 256],
        [0, 80, 81, 88, 89, 100, 101, 112],
        lds_sizes(UNITS[key]),
        indexing="ij",
    )
    vgprs, sgprs, lds = (axis.ravel() for axis in axes)
    for waves in (1, 2, 3, 4, 5, 7, 8, 12, 16):
        wanted = pack(UNITS[key], waves, vgprs, sgprs, lds)
        got = [
            residency(
                limits,
                Demand(
                    threads=waves * wave_size,
                    wave_size=wave_size,
                    arch_vgprs=int(v),
                    accum_vgprs=0,
                    sgprs=int(s),
                    lds_bytes=int(b),
                    cu_mode=cu_mode,
                ),
            ).groups
            for v, s, b in zip(vgprs, sgprs, lds, strict=True)
        ]
        assert got == wanted.tolist()


def test_accumulation_registers_of_both_arrangements() -> None:
    """gfx908: a file for each kind. gfx90a and later: one file, the second kind from a multiple of 4 on."""
    arch, accum = (axis.ravel() for axis in np.meshgrid(np.arange(0, 257, 3), np.arange(0, 257, 5)))
    nothing = np.zeros_like(arch)
    for architecture in ("gfx908", "gfx90a"):
        limits = device(architecture)
        assert limits is not None
        unit = UNITS[architecture, 64, False]
        if architecture == "gfx908":
            one = pack(unit, 4, arch, nothing, nothing)
            other = pack(unit, 4, accum, nothing, nothing)
            wanted = np.minimum(one, other)
        else:
            padding = (4 - arch % 4) % 4
            wanted = pack(unit, 4, arch + padding + accum, nothing, nothing)
        got = [
            residency(
                limits,
                Demand(
                    threads=256, wave_size=64, arch_vgprs=int(a), accum_vgprs=int(b), sgprs=0, lds_bytes=0
                ),
            ).groups
            for a, b in zip(arch, accum, strict=True)
        ]
        assert got == wanted.tolist()
