"""What dag.json and att.json say of each kernel, as analysis.json takes it."""

from __future__ import annotations

from rocm_perf_lab.contracts.profiling.analysis import AttFeatures, Criticality
from rocm_perf_lab.contracts.profiling.att import AttAnalysis, AttDocument
from rocm_perf_lab.contracts.profiling.dag import DagDocument
from rocm_perf_lab.units import ms

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
