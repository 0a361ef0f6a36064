"""analysis.json: from the documents of a run to what holds each kernel back. No I/O."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict

from rocm_perf_lab.analysis.bottleneck import THRESHOLDS, classify, headroom
from rocm_perf_lab.analysis.bottleneck.gather import gather
from rocm_perf_lab.contracts.profiling.analysis import (
    AnalysisDocument,
    AttFeatures,
    Criticality,
    KernelAnalysis,
    RooflinePoint,
)
from rocm_perf_lab.contracts.profiling.att import AttAnalysis, AttDocument
from rocm_perf_lab.contracts.profiling.bottleneck import Headroom
from rocm_perf_lab.contracts.profiling.dag import DagDocument
from rocm_perf_lab.contracts.profiling.kernel import KernelProfile
from rocm_perf_lab.contracts.profiling.profile import ProfileDocument
from rocm_perf_lab.rocpd.rows import Trace
from rocm_perf_lab.units import ms

NO_DAG = "the critical path was not looked for; --focus-critical does"
NO_ATT = "no thread trace was taken; --deep-analysis takes one"
# What would change a label is looked for in so many kernels, those that take most time.
MOST_EXPLAINED = 100
NOT_TRACED = "thread traces were taken of other kernels"
_POINT = ("arithmetic_intensity", "achieved_gflops", "achieved_gbps", "bound_by", "share_of_roof")


def analysis_document(
    profile: ProfileDocument,
    *,
    idle_ns: Mapping[str, float] | None = None,
    criticality: Mapping[str, Criticality] | None = None,
    att: Mapping[str, AttFeatures] | None = None,
) -> AnalysisDocument:
    """``idle_ns``: see idle_before_launches; ``criticality``, ``att``: by kernel, None where not taken."""
    return AnalysisDocument(
        origin=profile.origin if profile.origin == "simulated" else "derived",
        missing={"gpu": profile.missing.get("gpu", "not known")} if profile.gpu is None else {},
        gpu=profile.gpu,
        thresholds=asdict(THRESHOLDS),
        kernels=tuple(
            _kernel(
                profile,
                kernel,
                (idle_ns or {}).get(kernel.name),
                criticality,
                att,
                explained=place < MOST_EXPLAINED,
            )
            for place, kernel in enumerate(profile.kernels)
        ),
        notes=_notes(profile),
    )


def idle_before_launches(timing: Sequence[Trace]) -> dict[str, float]:
    """Mean idle time of the GPU before a launch of each kernel, over all runs; see rocpd/idle_gaps.py.

    Without kernels of which every launch was the first on its GPU.
    """
    total: Counter[str] = Counter()
    launches: Counter[str] = Counter()
    for trace in timing:
        for group in trace.launches:
            total[group.key.kernel] += group.idle_ns
            launches[group.key.kernel] += group.preceded
    return {name: total[name] / count for name, count in launches.items() if count}


def _kernel(
    profile: ProfileDocument,
    kernel: KernelProfile,
    idle_ns: float | None,
    criticality: Mapping[str, Criticality] | None,
    att: Mapping[str, AttFeatures] | None,
    *,
    explained: bool,
) -> KernelAnalysis:
    place = kernel.groups[0].gpu
    gpu = profile.gpus[place] if place < len(profile.gpus) else profile.gpu
    traced = (att or {}).get(kernel.name)
    critical = (criticality or {}).get(kernel.name)
    found = gather(kernel, gpu, idle_ns=idle_ns, att=traced)
    bottleneck = classify(
        found.figures,
        depth=found.depth,
        estimates=found.estimates,
        changes=explained,
    )
    gain = headroom(
        bottleneck.label,
        found.figures,
        kernel.total_ms,
        idle_ms=ms((idle_ns or 0.0) * kernel.launches),
        ceilings=found.ceilings,
        lds_without_conflicts=found.lds_without_conflicts,
        without_waves=found.without_waves,
        origin=kernel.origin,
    )
    missing: dict[str, str] = {}
    if not isinstance(gain, Headroom):
        missing["headroom"] = str(gain)
    if kernel.roofline is None:
        missing["roofline"] = kernel.missing.get("roofline", "not known")
    if critical is None:
        missing["criticality"] = NO_DAG if criticality is None else "dag.json does not have this kernel"
    if traced is None:
        missing["att"] = NO_ATT if att is None else NOT_TRACED
    occupied = kernel.occupancy
    theoretical = occupied.theoretical if occupied else None
    achieved = occupied.achieved if occupied else None
    for name, value in (("theoretical", theoretical), ("achieved", achieved)):
        if value is None:
            reasons = occupied.missing if occupied else {}
            missing[f"{name}_occupancy"] = reasons.get(name, kernel.missing.get("occupancy", "not known"))
    return KernelAnalysis(
        origin=kernel.origin,
        missing=missing,
        name=kernel.name,
        launches=kernel.launches,
        total_ms=kernel.total_ms,
        share=kernel.share,
        mean_ms=kernel.mean_ms,
        theoretical_occupancy=theoretical,
        achieved_occupancy=achieved,
        figures=found.section(kernel),
        bottleneck=bottleneck,
        headroom=gain if isinstance(gain, Headroom) else None,
        roofline=_point(kernel),
        criticality=critical,
        att=traced,
    )


def _point(kernel: KernelProfile) -> RooflinePoint | None:
    roofline = kernel.roofline
    if roofline is None:
        return None
    names = {"achieved_gflops": "gflops", "achieved_gbps": "gbps"}
    return RooflinePoint(
        origin=roofline.origin,
        missing={
            names.get(name, name): roofline.missing.get(name, "not known")
            for name in _POINT
            if getattr(roofline, name) is None
        },
        arithmetic_intensity=roofline.arithmetic_intensity,
        gflops=roofline.achieved_gflops,
        gbps=roofline.achieved_gbps,
        bound_by=roofline.bound_by,
        share_of_roof=roofline.share_of_roof,
    )


def _notes(profile: ProfileDocument) -> tuple[str, ...]:
    if profile.kernels and all(kernel.roofline is None for kernel in profile.kernels):
        return ("labels are from the trace alone: --roofline collects the counters that most of them need",)
    return ()


_STATES = ("executing_share", "waiting_share", "stalled_share", "idle_share")


def criticality_by_kernel(dag: DagDocument) -> dict[str, Criticality]:
    return {
        one.name: Criticality(
            on_path_ms=ms(one.on_path_ns),
            weight=one.weight,
            least_slack_ms=ms(one.total_slack.least_ns),
            gain_at_2x_ms=None if one.gain_at_2x_ns is None else ms(one.gain_at_2x_ns),
        )
        for one in dag.kernels
    }


def att_by_kernel(att: AttDocument) -> dict[str, AttFeatures]:
    """Of the dispatches of one kernel, the one with the most traced time."""
    longest: dict[str, AttAnalysis] = {}
    for one in att.dispatches:
        if one.kernel is None or not one.waves:
            continue
        known = longest.get(one.kernel)
        if known is None or _time(one) > _time(known):
            longest[one.kernel] = one
    return {name: _features(one) for name, one in longest.items()}


def _time(one: AttAnalysis) -> int:
    return one.states.wave_cycles_total if one.states else 0


def _features(one: AttAnalysis) -> AttFeatures:
    states = {name: getattr(one.states, name) if one.states else None for name in _STATES}
    lanes = one.divergence.active_lanes_mean if one.divergence else None
    slots = one.occupancy.share_of_slots if one.occupancy else None
    costliest = max(one.instructions, key=lambda line: line.cost_cycles_total, default=None)
    missing = {
        name: one.missing.get("states", "not traced") for name, value in states.items() if value is None
    }
    if lanes is None:
        reasons = one.divergence.missing if one.divergence else one.missing
        missing["active_lanes_mean"] = reasons.get(
            "active_lanes_mean", reasons.get("divergence", "the trace has no counters of lanes")
        )
    if slots is None:
        reasons = one.occupancy.missing if one.occupancy else one.missing
        missing["share_of_slots"] = reasons.get(
            "share_of_slots", reasons.get("occupancy", "the trace does not tell")
        )
    if costliest is None:
        missing["costliest"] = missing["costliest_share"] = "no instruction was traced"
    return AttFeatures(
        origin=one.origin,
        missing=missing,
        waves=one.waves,
        **states,
        issue_slots_used=dict(one.issue.issue_slots_used) if one.issue else {},
        active_lanes_mean=lanes,
        share_of_slots=slots,
        costliest=costliest.text if costliest else None,
        costliest_share=costliest.cost_share if costliest else None,
    )
