"""Bytes from counters, at each level of the memory hierarchy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .formula import Formula, Part

Level = Literal["lds", "l1", "l2", "hbm"]

_PROFILER = "ROCm Compute Profiler"


@dataclass(frozen=True)
class LevelTraffic:
    """Formulas of one level. ``read`` and ``write`` where they can be told apart, else ``total``."""

    level: Level
    read: Formula | None = None
    write: Formula | None = None
    total: Formula | None = None
    upper_bound: str | None = None
    """Why the bytes can be more than what was moved: such a level is shown and never named as the roof."""

    @property
    def formulas(self) -> tuple[Formula, ...]:
        return tuple(formula for formula in (self.read, self.write, self.total) if formula)

    @property
    def counters(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for formula in self.formulas for name in formula.counters))


# A clock of the LDS moves 4 bytes in each of its 32 banks; clocks lost to conflicts move nothing.
_LDS = LevelTraffic(
    "lds",
    total=Formula(
        (Part(4 * 32, ("SQ_LDS_IDX_ACTIVE",), ("SQ_LDS_BANK_CONFLICT",)),),
        f"{_PROFILER}, roofline: (SQ_LDS_IDX_ACTIVE − SQ_LDS_BANK_CONFLICT)·4·32",
    ),
)


def _l1(line: int) -> LevelTraffic:
    return LevelTraffic(
        "l1",
        total=Formula(
            (Part(line, ("TCP_TOTAL_CACHE_ACCESSES",)),),
            f"{_PROFILER}, vL1D bandwidth: accesses to the tags times the line of {line} bytes",
        ),
        upper_bound=(
            "a whole line is counted for each access to the tags, of which a copy of doubles on an MI300X"
            " makes one for every 32 bytes"
        ),
    )


def _l2(read_bytes: int) -> LevelTraffic:
    atomics = ("TCP_TCC_ATOMIC_WITH_RET_REQ", "TCP_TCC_ATOMIC_WITHOUT_RET_REQ")
    source = f"{_PROFILER}, L1-L2 bandwidth: {read_bytes} bytes for a read, 64 for a write or an atomic"
    return LevelTraffic(
        "l2",
        read=Formula((Part(read_bytes, ("TCP_TCC_READ_REQ",)),), source),
        write=Formula((Part(64, ("TCP_TCC_WRITE_REQ", *atomics)),), source),
    )


def _fabric(prefix: str, reads_of_128: str | None) -> LevelTraffic:
    """L2 to the fabric. ``reads_of_128`` is the counter of 128-byte reads, where there are any."""
    reads, reads_of_32 = f"{prefix}_RDREQ", f"{prefix}_RDREQ_32B"
    writes, writes_of_64 = f"{prefix}_WRREQ", f"{prefix}_WRREQ_64B"
    large = (reads_of_128,) if reads_of_128 else ()
    read = (
        *(Part(128, (name,)) for name in large),
        Part(64, (reads,), (*large, reads_of_32)),
        Part(32, (reads_of_32,)),
    )
    write = (Part(64, (writes_of_64,)), Part(32, (writes,), (writes_of_64,)))
    source = "ROCm's derived counters FETCH_SIZE and WRITE_SIZE"
    return LevelTraffic("hbm", read=Formula(read, source), write=Formula(write, source))


# RDNA 1 to 3 count reads by size. On RDNA 4 (gfx12) these counters exist by name and stay zero.
_RDNA_FABRIC = LevelTraffic(
    "hbm",
    read=Formula(
        tuple(Part(size, (f"GL2C_EA_RDREQ_{size}B",)) for size in (32, 64, 96, 128)),
        "ROCm's derived counter FETCH_SIZE of gfx10 and gfx11",
    ),
    write=Formula(
        (Part(64, ("GL2C_EA_WRREQ_64B",)), Part(32, ("GL2C_MC_WRREQ",), ("GL2C_EA_WRREQ_64B",))),
        "ROCm's derived counter WRITE_SIZE of gfx10 and gfx11",
    ),
)

# Sizes of L1 lines and of reads from the L2: 64 bytes on CDNA2, 128 on CDNA3 and CDNA4 (ROCm Compute
# Profiler, analysis_configs/gfx*/1600_L1_cache.yaml). gfx942 counts reads of 128 bytes in TCC_BUBBLE; that
# stays zero on gfx950, which has a counter of its own for them.
_TRAFFIC: dict[str, tuple[LevelTraffic, ...]] = {
    "gfx90a": (_LDS, _l1(64), _l2(64), _fabric("TCC_EA", None)),
    "gfx942": (_LDS, _l1(128), _l2(128), _fabric("TCC_EA0", "TCC_BUBBLE")),
    "gfx950": (_LDS, _l1(128), _l2(128), _fabric("TCC_EA0", "TCC_EA0_RDREQ_128B")),
}


def traffic_formulas(architecture: str) -> tuple[LevelTraffic, ...]:
    """The levels of which an architecture counts the traffic."""
    if architecture.startswith(("gfx10", "gfx11")):
        return (_RDNA_FABRIC,)
    return _TRAFFIC.get(architecture, ())
