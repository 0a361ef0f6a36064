"""The roofline of one kernel or launch group, from counter passes and the time of timing runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rocm_perf_lab.arch.counters import (
    ACTIVE_LANE_COUNTERS,
    traffic_formulas,
    uncounted_work,
    valu_width,
    work_formulas,
)
from rocm_perf_lab.arch.device import base_name
from rocm_perf_lab.contracts.profiling.roofline import Ceiling, FlopModel, Roofline, Suspect
from rocm_perf_lab.contracts.reason import Reason
from rocm_perf_lab.contracts.section import Origin
from rocm_perf_lab.rocpd.rows import Agent, Launches

from .counted import TimedLaunches, counted
from .figures import RooflineFigures
from .physics import broken_relations
from .verdict import RooflineVerdict, verdict

# Types whose counters older tools do not offer: without them the sum of FLOPs stands, and a note says so.
_OPTIONAL_TYPES = frozenset(("f8", "f6f4", "i8"))
_DEFAULT_WAVE = 64


def roofline(
    passes: Sequence[Sequence[Launches]],
    timing: TimedLaunches,
    agent: Agent,
    roofs: Sequence[Ceiling],
    *,
    flop_model: FlopModel = "typed",
    origin: Origin,
    dropped: Mapping[str, str] | None = None,
) -> Roofline | Reason:
    """``passes``: the kernel's launches in each counter run; ``dropped``: why a counter was not collected."""
    architecture = base_name(agent.name)
    merged = counted(passes, timing)
    if not merged.counters:
        why = "; ".join(dict.fromkeys((dropped or {}).values()))
        return Reason("no counters were collected for this kernel" + (f": {why}" if why else ""))
    if timing.total_ns <= 0:
        return Reason("the timing runs give no time for this kernel")
    levels = traffic_formulas(architecture)
    if not levels and not work_formulas(architecture):
        return Reason(f"no counter formulas are known of {architecture}")
    figures = RooflineFigures(merged, timing.total_ns, roofs, dropped or {})
    figures.suspects += [*merged.suspects, *broken_relations(architecture, merged)]
    notes: list[str] = []
    model = _add_all_work(figures, architecture, flop_model, notes)
    for level in levels:
        figures.add_traffic(level)
    return _assembled(figures, model, agent, origin, notes)


def _add_all_work(
    figures: RooflineFigures, architecture: str, flop_model: FlopModel, notes: list[str]
) -> FlopModel:
    """Adds the work by the model asked for; by the estimate, where the typed counters cannot be had."""
    typed, estimate = work_formulas(architecture), valu_width(architecture)
    needed = [name for one in typed if one.type not in _OPTIONAL_TYPES for name in one.formula.counters]
    lacking = figures.lacks(needed)
    model = flop_model
    if flop_model == "typed" and lacking and estimate and not figures.lacks(estimate.formula.counters):
        notes.append(f"work is the valu-width estimate; typed counters were {figures.not_collected(lacking)}")
        model = "valu-width"
    if model == "valu-width":
        if estimate is None:
            figures.missing["work"] = f"the valu-width estimate is not defined for {architecture}"
        else:
            figures.add_work(estimate)
        return model
    if not typed:
        figures.missing["work"] = f"{architecture} has no counters of work by type"
    for one in typed:
        figures.add_work(one)
        figure = f"work {one.unit} {one.type}"
        if one.type in _OPTIONAL_TYPES and figure in figures.missing:
            figures.left_out[figure] = why = figures.missing.pop(figure)
            notes.append(f"{one.unit} {one.type} is not part of the work: {why}")
    figures.left_out.update(uncounted_work(architecture))
    return model


def _active_lanes(figures: RooflineFigures, agent: Agent) -> tuple[float | None, str]:
    """Mean share of active lanes; or None, and why."""
    absent = figures.lacks(ACTIVE_LANE_COUNTERS)
    if absent:
        return None, figures.not_collected(absent)
    lanes, instructions = (figures.counted.value(name) or 0.0 for name in ACTIVE_LANE_COUNTERS)
    if instructions == 0:
        return None, "no vector instruction was counted"
    wave = agent.wave_size or _DEFAULT_WAVE
    share = lanes / (wave * instructions)
    if share <= 1:
        return share, ""
    suspect = Suspect(
        figure="active_lane_share",
        value=share,
        why="more active lanes than a wave has",
        formula=f"SQ_THREAD_CYCLES_VALU / ({wave}·SQ_ACTIVE_INST_VALU)",
        counters=figures.counted.shown(ACTIVE_LANE_COUNTERS),
    )
    figures.suspects.append(suspect)
    return None, f"suspect: {suspect.why}"


def _missing(figures: RooflineFigures, no_lanes: str, result: RooflineVerdict | str) -> dict[str, str]:
    """A reason for each field that is null, and for each type of work that is not part of the sum."""
    missing = {**figures.left_out, **figures.missing}
    no_work = "; ".join(why for name, why in figures.missing.items() if name.startswith("work"))
    no_bytes = figures.missing.get("traffic hbm", "")
    memory = figures.memory
    if figures.flops is None:
        missing["flops"] = missing["achieved_gflops"] = no_work
    if memory is None:
        missing["bytes"] = missing["achieved_gbps"] = no_bytes
    if memory is None or memory.arithmetic_intensity is None:
        missing["arithmetic_intensity"] = no_work or no_bytes or "no byte was moved to or from memory"
    if no_lanes:
        missing["active_lane_share"] = no_lanes
    if isinstance(result, str):
        missing["bound"] = missing["bound_by"] = missing["share_of_roof"] = result
    return missing


def _assembled(
    figures: RooflineFigures, model: FlopModel, agent: Agent, origin: Origin, notes: list[str]
) -> Roofline:
    lanes, no_lanes = _active_lanes(figures, agent)
    result = verdict(figures.work, figures.traffic, figures.doubtful, figures.missing)
    found = result if isinstance(result, RooflineVerdict) else None
    flops, memory = figures.flops, figures.memory
    return Roofline(
        origin=origin,
        missing=_missing(figures, no_lanes, result),
        flop_model=model,
        flops=flops,
        bytes=memory.total_bytes if memory else None,
        arithmetic_intensity=memory.arithmetic_intensity if memory else None,
        achieved_gflops=None if flops is None else flops / figures.ns,
        achieved_gbps=memory.gbps if memory else None,
        work=tuple(figures.work),
        traffic=tuple(figures.traffic),
        ceilings=tuple(figures.roofs),
        active_lane_share=lanes,
        bound=found.bound if found else None,
        bound_by=found.bound_by if found else None,
        share_of_roof=found.share if found else None,
        suspects=tuple(figures.suspects),
        counters=dict(sorted(figures.counted.counters.items())),
        notes=(*notes, *(found.notes if found else ())),
    )
