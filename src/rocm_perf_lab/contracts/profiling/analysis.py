"""analysis.json: why each kernel takes the time it takes, and what there is to gain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rocm_perf_lab.contracts.profiling.bottleneck import Bottleneck, BottleneckFigures, Headroom
from rocm_perf_lab.contracts.profiling.gpu import Gpu
from rocm_perf_lab.contracts.section import STRICT, Section


@dataclass(frozen=True, kw_only=True)
class RooflinePoint(Section):
    """Where a kernel stands under the roofline; all of it is in roofline.json."""

    arithmetic_intensity: float | None
    """FLOP per byte at the fabric."""
    gflops: float | None
    gbps: float | None
    bound_by: str | None
    """The nearest ceiling."""
    share_of_roof: float | None


@dataclass(frozen=True, kw_only=True)
class Criticality:
    """What a kernel is to the critical path; all of it is in dag.json."""

    __pydantic_config__ = STRICT

    on_path_ms: float
    """Time that the critical path spends in its launches."""
    weight: float
    """The same as a share of the time from begin to end."""
    least_slack_ms: float
    """How much later each of its launches could end without the end being later."""
    gain_at_2x_ms: float | None
    """What the whole would take less if its launches took half the time."""


@dataclass(frozen=True, kw_only=True)
class AttFeatures(Section):
    """What thread traces say of a kernel; all of it is in att.json."""

    waves: int
    """Traced ones."""
    executing_share: float | None
    """Of the waves' time; likewise the next three."""
    waiting_share: float | None
    stalled_share: float | None
    idle_share: float | None
    issue_slots_used: dict[str, float]
    """By class of instructions, of the busy clocks of the traced SIMDs."""
    active_lanes_mean: float | None
    share_of_slots: float | None
    """Wave slots taken while the traced SIMDs were busy."""
    costliest: str | None
    """The instruction that costs the waves most."""
    costliest_share: float | None


@dataclass(frozen=True, kw_only=True)
class KernelAnalysis(Section):
    name: str
    launches: int
    total_ms: float
    share: float
    """Of the GPU time of all kernels, 0 to 1."""
    mean_ms: float
    theoretical_occupancy: float | None
    achieved_occupancy: float | None
    figures: BottleneckFigures
    bottleneck: Bottleneck
    headroom: Headroom | None
    roofline: RooflinePoint | None
    criticality: Criticality | None
    att: AttFeatures | None


@dataclass(frozen=True, kw_only=True)
class AnalysisDocument(Section):
    schema_version: Literal["1.0"] = "1.0"
    gpu: Gpu | None
    thresholds: dict[str, float]
    """The named thresholds that labels were given by."""
    kernels: tuple[KernelAnalysis, ...]
    """By time, longest first, as in profile.json."""
    notes: tuple[str, ...]
