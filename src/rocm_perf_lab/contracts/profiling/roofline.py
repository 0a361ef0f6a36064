"""Where a kernel stands under its ceilings: work, traffic, rates, and what bounds it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rocm_perf_lab.contracts.section import STRICT, Origin, Section

FlopModel = Literal["typed", "valu-width"]
Level = Literal["lds", "l1", "l2", "hbm"]


@dataclass(frozen=True, kw_only=True)
class Ceiling:
    """One roof: a rate of work or of traffic. Of several for one figure the first that it is below counts."""

    __pydantic_config__ = STRICT

    name: str
    """For example "valu f32", "valu f32 packed", "mfma f16", "hbm", "infinity cache"."""
    figure: str
    """What it is a roof of: unit and type ("valu f32"), or a level ("hbm")."""
    kind: Literal["compute", "memory"]
    value: float
    unit: Literal["GFLOP/s", "GOP/s", "GB/s"]
    origin: Origin
    source: str


@dataclass(frozen=True, kw_only=True)
class Work:
    """Operations of one type."""

    __pydantic_config__ = STRICT

    type: str
    """f16, bf16, f32, xf32, f64, f8, f6f4, i8."""
    unit: Literal["valu", "mfma"]
    operations: float
    gflops: float
    """Achieved rate; for integer types 10^9 operations a second."""
    ceiling: str | None
    """Name of the roof that goes with it; null where none is known, or all are exceeded (see suspects)."""
    share_of_ceiling: float | None
    formula: str


@dataclass(frozen=True, kw_only=True)
class Traffic:
    """Bytes moved at one level."""

    __pydantic_config__ = STRICT

    level: Level
    read_bytes: float | None
    write_bytes: float | None
    total_bytes: float
    gbps: float
    arithmetic_intensity: float | None
    """FLOP per byte; null where work was not counted or no byte was moved."""
    ceiling: str | None
    """Name of the roof that goes with it; null where none is known, or all are exceeded (see suspects)."""
    share_of_ceiling: float | None
    formula: str
    upper_bound: str | None
    """Why the bytes can be more than what was moved. Such a level is never named as the roof."""


@dataclass(frozen=True, kw_only=True)
class Suspect:
    """A figure that physics or another pass contradicts. It is shown and never used for a verdict."""

    __pydantic_config__ = STRICT

    figure: str
    """For example "traffic hbm", "work valu f32", "launches", "counter SQ_WAVES"."""
    value: float
    why: str
    formula: str
    counters: dict[str, float]


@dataclass(frozen=True, kw_only=True)
class Roofline(Section):
    flop_model: FlopModel
    flops: float | None
    """All floating-point operations of the kernel's launches in one run."""
    bytes: float | None
    """Traffic to the fabric (Infinity Cache hits are inside it)."""
    arithmetic_intensity: float | None
    """flops / bytes at the fabric."""
    achieved_gflops: float | None
    achieved_gbps: float | None
    work: tuple[Work, ...]
    traffic: tuple[Traffic, ...]
    ceilings: tuple[Ceiling, ...]
    active_lane_share: float | None
    """Mean share of lanes that were active in vector instructions: typed FLOPs count full waves."""
    bound: Literal["compute", "memory"] | None
    bound_by: str | None
    """The roof that is nearest: the name of a ceiling."""
    share_of_roof: float | None
    """How near: 0 to 1. Types that share a pipe count together."""
    suspects: tuple[Suspect, ...]
    counters: dict[str, float]
    """Sums over the kernel's launches in one run, as collected."""
    notes: tuple[str, ...]
    """What limits these figures, in words."""
