"""The roofline of one kernel or launch group, from counter passes and the time of timing runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rocm_perf_lab.arch.counters import (
    ACTIVE_LANE_COUNTERS,
    traffic_formulas,
    valu_width,
    value_of,
    work_formulas,
)
from rocm_perf_lab.arch.counters.work import WorkFormula
from rocm_perf_lab.arch.device import base_name
from rocm_perf_lab.contracts.reason import Reason
from rocm_perf_lab.contracts.roofline import Ceiling, FlopModel, Roofline, Suspect
from rocm_perf_lab.contracts.section import Origin
from rocm_perf_lab.rocpd.rows import Agent, Launches

from .counted import Timing, counted
from .figures import Figures, add_traffic, add_work
from .physics import broken_relations
from .verdict import Verdict, verdict

# Types whose counters older tools do not offer: without them the sum of FLOPs stands, and a note says so.
_OPTIONAL_TYPES = frozenset(("xf32", "f8", "f6f4", "i8"))
_DEFAULT_WAVE = 64


def roofline(
    passes: Sequence[Sequence[Launches]],
    timing: Timing,
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
    counters = merged.counters
    figures = Figures(
        suspects=[*merged.suspects, *broken_relations(architecture, counters)], dropped=dropped or {}
    )
    notes: list[str] = []
    used = _add_all_work(figures, architecture, flop_model, counters, timing, roofs, notes)
    flops = _flops(figures, used)
    for level in levels:
        add_traffic(figures, level, counters, timing.total_ns, roofs, flops)
    if not levels or not any(one.level == "hbm" for one in levels):
        figures.missing["traffic hbm"] = f"no counters of memory traffic are known of {architecture}"
    return _assembled(figures, used, flops, counters, timing, agent, roofs, origin, notes)


def _add_all_work(
    figures: Figures,
    architecture: str,
    flop_model: FlopModel,
    counters: Mapping[str, float],
    timing: Timing,
    roofs: Sequence[Ceiling],
    notes: list[str],
) -> FlopModel:
    """Adds the work by the model asked for; by the estimate, where the typed counters cannot be had."""
    typed, estimate = work_formulas(architecture), valu_width(architecture)
    lacking = [one for one in typed if _lacks(one, counters) and one.type not in _OPTIONAL_TYPES]
    model = flop_model
    if flop_model == "typed" and (lacking or not typed) and estimate and not _lacks(estimate, counters):
        names = sorted({name for one in lacking for name in _lacks(one, counters)})
        notes.append(f"work is the valu-width estimate; typed counters were {figures.not_collected(names)}")
        model = "valu-width"
    if model == "valu-width":
        if estimate is None:
            figures.missing["work"] = f"the valu-width estimate is not defined for {architecture}"
        else:
            add_work(figures, estimate, counters, timing.total_ns, roofs)
        return model
    if not typed:
        figures.missing["work"] = f"{architecture} has no counters of work by type"
    for one in typed:
        add_work(figures, one, counters, timing.total_ns, roofs)
    for one in typed:
        figure = f"work {one.unit} {one.type}"
        if one.type in _OPTIONAL_TYPES and figure in figures.missing:
            notes.append(f"{one.unit} {one.type} is not part of the work: {figures.missing.pop(figure)}")
    return model


def _lacks(work: WorkFormula, counters: Mapping[str, float]) -> list[str]:
    return [name for name in work.formula.counters if value_of(name, counters) is None]


def _flops(figures: Figures, model: FlopModel) -> float | None:
    if any(name.startswith("work") for name in figures.missing):
        return None
    return sum(one.operations for one in figures.work if not one.type.startswith("i"))


def _suspect_figures(figures: Figures) -> set[str]:
    """Figures that are suspect themselves, or made of a counter that is."""
    named = {one.figure for one in figures.suspects}
    doubtful = {
        name.removeprefix("counter ").removesuffix("_sum") for name in named if name.startswith("counter ")
    }
    return named | {figure for figure, parts in figures.uses.items() if doubtful.intersection(parts)}


def _active_lanes(
    figures: Figures, counters: Mapping[str, float], agent: Agent
) -> tuple[float | None, str | None]:
    """Mean share of active lanes; or None, and why."""
    lanes, instructions = (value_of(name, counters) for name in ACTIVE_LANE_COUNTERS)
    if lanes is None or instructions is None:
        return (
            None,
            f"not collected: {', '.join(n for n in ACTIVE_LANE_COUNTERS if value_of(n, counters) is None)}",
        )
    if instructions == 0:
        return None, "no vector instruction was counted"
    wave = agent.wave_size or _DEFAULT_WAVE
    share = lanes / (wave * instructions)
    if share > 1:
        figures.suspects.append(
            Suspect(
                figure="active_lane_share",
                value=share,
                why="more active lanes than a wave has",
                formula=f"SQ_THREAD_CYCLES_VALU / ({wave}·SQ_ACTIVE_INST_VALU)",
                counters=dict(zip(ACTIVE_LANE_COUNTERS, (lanes, instructions), strict=True)),
            )
        )
        return None, "suspect: more active lanes than a wave has"
    return share, None


def _assembled(
    figures: Figures,
    model: FlopModel,
    flops: float | None,
    counters: Mapping[str, float],
    timing: Timing,
    agent: Agent,
    roofs: Sequence[Ceiling],
    origin: Origin,
    notes: list[str],
) -> Roofline:
    lanes, no_lanes = _active_lanes(figures, counters, agent)
    suspect = _suspect_figures(figures)
    result = verdict(figures.work, figures.traffic, suspect, figures.missing)
    memory = next((one for one in figures.traffic if one.level == "hbm"), None)
    missing = dict(figures.missing)
    no_work = "; ".join(why for name, why in figures.missing.items() if name.startswith("work"))
    no_bytes = figures.missing.get("traffic hbm", "")
    if flops is None:
        missing["flops"] = missing["achieved_gflops"] = no_work
    if memory is None:
        missing["bytes"] = missing["achieved_gbps"] = no_bytes
    if memory is None or memory.arithmetic_intensity is None:
        missing["arithmetic_intensity"] = no_work or no_bytes or "no byte was moved to or from memory"
    if no_lanes:
        missing["active_lane_share"] = no_lanes
    if isinstance(result, str):
        missing["bound"] = missing["bound_by"] = missing["share_of_roof"] = result
    elif result.notes:
        notes += result.notes
    found = result if isinstance(result, Verdict) else None
    return Roofline(
        origin=origin,
        missing=missing,
        flop_model=model,
        flops=flops,
        bytes=memory.total_bytes if memory else None,
        arithmetic_intensity=memory.arithmetic_intensity if memory else None,
        achieved_gflops=None if flops is None else flops / timing.total_ns,
        achieved_gbps=memory.gbps if memory else None,
        work=tuple(figures.work),
        traffic=tuple(figures.traffic),
        ceilings=tuple(roofs),
        active_lane_share=lanes,
        bound=found.bound if found else None,
        bound_by=found.bound_by if found else None,
        share_of_roof=found.share if found else None,
        suspects=tuple(figures.suspects),
        counters=dict(sorted(counters.items())),
        notes=tuple(notes),
    )
