"""Fills a compute unit with workgroups one by one: a second way to occupancy with rules of its own.

It knows registers, slots, bytes and barriers as stocks that a wave or group takes from. Many launches are
packed at the same time, one per row of the arrays. The stocks are typed in here from LLVM: AMDGPUBaseInfo.cpp
and AMDGPUUsage, not taken from the table under test.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.int64]


@dataclass(frozen=True)
class Unit:
    """What is on a unit that a workgroup can spread over."""

    simds: int
    slots: int  # of a SIMD
    registers: int  # vector registers of a SIMD, per lane
    block: int  # vector registers are taken in blocks
    scalar_registers: int | None  # of a SIMD; None: every slot has its own
    lds: int
    lds_block: int
    most_lds: int  # of a group
    barriers: int


_VEGA_SCALARS = 800
UNITS: dict[tuple[str, int, bool], Unit] = {  # (architecture, wave size, CU mode)
    ("gfx906", 64, False): Unit(4, 10, 256, 4, _VEGA_SCALARS, 65536, 512, 65536, 16),
    ("gfx908", 64, False): Unit(4, 10, 256, 4, _VEGA_SCALARS, 65536, 512, 65536, 16),
    ("gfx90a", 64, False): Unit(4, 8, 512, 8, _VEGA_SCALARS, 65536, 512, 65536, 16),
    ("gfx942", 64, False): Unit(4, 8, 512, 8, _VEGA_SCALARS, 65536, 512, 65536, 16),
    ("gfx950", 64, False): Unit(4, 8, 512, 8, _VEGA_SCALARS, 163840, 1280, 163840, 16),
    ("gfx1010", 32, False): Unit(4, 20, 1024, 8, None, 131072, 512, 65536, 32),
    ("gfx1030", 32, False): Unit(4, 16, 1024, 16, None, 131072, 1024, 65536, 32),
    ("gfx1030", 64, False): Unit(4, 16, 512, 8, None, 131072, 1024, 65536, 32),
    ("gfx1030", 32, True): Unit(2, 16, 1024, 16, None, 65536, 1024, 65536, 16),
    ("gfx1100", 32, False): Unit(4, 16, 1536, 24, None, 131072, 1024, 65536, 32),
    ("gfx1100", 64, False): Unit(4, 16, 768, 12, None, 131072, 1024, 65536, 32),
    ("gfx1100", 64, True): Unit(2, 16, 768, 12, None, 65536, 1024, 65536, 16),
    ("gfx1102", 32, False): Unit(4, 16, 1024, 16, None, 131072, 1024, 65536, 32),
    ("gfx1200", 32, False): Unit(4, 16, 1536, 24, None, 131072, 1024, 65536, 32),
}


def pack(unit: Unit, waves: int, vgprs: Counts, sgprs: Counts, lds: Counts) -> Counts:
    """Workgroups of ``waves`` waves that fit, for each row of registers of a wave and bytes of a group."""
    rows = np.arange(len(vgprs))
    per_wave = np.maximum(1, -(-vgprs // unit.block)) * unit.block
    per_group = -(-lds // unit.lds_block) * unit.lds_block
    registers = np.full((len(rows), unit.simds), unit.registers)
    scalars = np.full((len(rows), unit.simds), unit.scalar_registers or 0)
    slots = np.full((len(rows), unit.simds), unit.slots)
    bytes_left, barriers = np.full(len(rows), unit.lds), np.full(len(rows), unit.barriers)
    groups = np.zeros(len(rows), dtype=np.int64)
    open_rows = lds <= unit.most_lds
    while open_rows.any():
        open_rows &= bytes_left >= per_group
        if waves > 1:  # one wave alone never waits at a barrier
            open_rows &= barriers > 0
        bytes_left -= per_group
        barriers -= 1
        for _ in range(waves):
            # A wave goes to the emptiest SIMD that can take it, which spreads a group over all of them.
            fits = (slots > 0) & (registers >= per_wave[:, None])
            if unit.scalar_registers is not None:
                fits &= scalars >= sgprs[:, None]
            open_rows &= fits.any(axis=1)
            simd = np.argmax(np.where(fits, slots, -1), axis=1)
            slots[rows, simd] -= 1
            registers[rows, simd] -= per_wave
            scalars[rows, simd] -= sgprs
            if not open_rows.any():
                break
        groups += open_rows
    return groups
