"""The labels, in the order in which equal scores are decided: each with all that is known of it."""

from __future__ import annotations

from collections.abc import Callable

from rocm_perf_lab.contracts.profiling.bottleneck import Label
from rocm_perf_lab.contracts.reason import Reason

from .figures import UNITS
from .held_figures import HeldFigures
from .label_rule import CeilingUse, LabelRule, UsedCeilings

NO_UNITS = Reason("which unit would be used up next is not known: no counters (--roofline collects them)")


def _used_up(unit: str) -> Callable[[HeldFigures], float | None]:
    return lambda held: held.pressures.get(unit)


def _itself(unit: str) -> Callable[[UsedCeilings], tuple[CeilingUse, str]]:
    def next_ceiling(used: UsedCeilings) -> tuple[CeilingUse, str]:
        use = used.units[unit]
        return use, f"the {use.ceiling} ceiling is what holds the kernel back"

    return next_ceiling


MEMORY_BANDWIDTH_BOUND = LabelRule(
    label="memory-bandwidth bound",
    when="`memory` is used up",
    example="memory_bandwidth.hip",
    short="memory",
    test=_used_up("memory"),
    evidence=("memory",),
    next_ceiling=_itself("memory"),
    ceiling_of_the_launch=True,
    helped_by={"unroll": 0.1, "vector_loads": 0.2, "hoist_loads": 0.1, "restrict_const": 0.1},
)


def _lanes_work(held: HeldFigures) -> float | None:
    return held.pressures["compute"] * held.above("lanes") if "compute" in held.pressures else None


COMPUTE_THROUGHPUT_LIMITED = LabelRule(
    label="compute-throughput limited",
    when="`compute` is, and most `lanes` are active",
    example="compute_throughput.hip",
    short="compute",
    test=_lanes_work,
    evidence=("compute", "lanes"),
    next_ceiling=_itself("compute"),
    ceiling_of_the_launch=True,
    helped_by={"unroll": 0.15, "hoist_loads": 0.1, "restrict_const": 0.1},
)


def _lanes_are_off(held: HeldFigures) -> float | None:
    if "compute" not in held.pressures or "lanes" not in held.known:
        return None
    return held.pressures["compute"] * held.below("lanes")


def _full_waves(used: UsedCeilings) -> tuple[CeilingUse, str]:
    compute = used.units["compute"]
    full = CeilingUse(compute.share * used.known["lanes"], f"{compute.ceiling} with all lanes active")
    words = "the same work with full waves, unless another unit is used up before"
    return used.most(full, without="compute"), words


DIVERGENCE_LIMITED = LabelRule(
    label="divergence limited",
    when="`compute` is, and most `lanes` are not",
    example="divergence.hip",
    short="lanes off",
    test=_lanes_are_off,
    evidence=("lanes", "compute"),
    next_ceiling=_full_waves,
    helped_by={"unroll": 0.1, "hoist_loads": 0.1},
)


def _no_conflicts(used: UsedCeilings) -> tuple[CeilingUse, str]:
    lds = used.units["lds"]
    if used.lds_without_conflicts is None:
        return _itself("lds")(used)
    free = CeilingUse(used.lds_without_conflicts, f"{lds.ceiling} without bank conflicts")
    words = "the same accesses without conflicts, unless another unit is used up"
    return used.most(free, without="lds"), words


LDS_BOUND = LabelRule(
    label="LDS bound",
    when="`lds` is",
    example="lds.hip",
    short="LDS",
    test=_used_up("lds"),
    evidence=("lds",),
    next_ceiling=_no_conflicts,
    helped_by={"unroll": 0.15, "lds_padding": 0.6},
)

INSTRUCTION_ISSUE_BOUND = LabelRule(
    label="instruction-issue bound",
    when="`issue` is",
    example="scalar.hip",
    short="issue",
    test=_used_up("issue"),
    evidence=("issue",),
    next_ceiling=_itself("issue"),
    ceiling_of_the_launch=True,
    helped_by={"unroll": 0.4, "vector_loads": 0.3, "hoist_loads": 0.3, "restrict_const": 0.2},
)


def _waves_wait(held: HeldFigures) -> float | None:
    return held.slack_with_waves_enough * held.above("waiting") if "waiting" in held.known else None


def _waits_hidden(used: UsedCeilings) -> tuple[CeilingUse, str] | Reason:
    if not used.units:
        return NO_UNITS
    return used.most(), "waits hidden, until the unit that is used most is used up"


LATENCY_BOUND = LabelRule(
    label="latency bound",
    when="nothing is, there are waves enough, and they wait",
    example="latency.hip",
    short="latency",
    test=_waves_wait,
    evidence=("waiting", "occupied", *UNITS, "outside"),
    next_ceiling=_waits_hidden,
    helped_by={"unroll": 0.5, "vector_loads": 0.6, "hoist_loads": 0.3, "restrict_const": 0.3},
)


def _few_waves(held: HeldFigures) -> float | None:
    return held.slack_while_waves_run * held.below("occupied") if "occupied" in held.known else None


def _all_wave_slots(used: UsedCeilings) -> tuple[CeilingUse, str] | Reason:
    if not used.units:
        return NO_UNITS
    slots = CeilingUse(used.known["occupied"], "all wave slots taken")
    return used.most(slots), "more waves at once, until the slots or a unit are used up"


UNDER_OCCUPIED = LabelRule(
    label="under-occupied",
    when="nothing is, and few wave slots are taken",
    example="under_occupied.hip",
    short="few waves",
    test=_few_waves,
    evidence=("occupied", *UNITS, "outside"),
    next_ceiling=_all_wave_slots,
    helped_by={
        "unroll": 0.4,
        "vector_loads": 0.4,
        "hoist_loads": 0.2,
        "restrict_const": 0.2,
        "launch_bounds": 0.3,
    },
)


def _no_wave_runs(held: HeldFigures) -> float | None:
    return held.slack * held.above("outside") if "outside" in held.known else None


def _no_idle_time(used: UsedCeilings) -> tuple[CeilingUse, str]:
    running = CeilingUse(1 - used.known["outside"], "launches without idle time")
    return used.most(running), "only the time in which waves run is left, or a unit is used up"


LAUNCH_BOUND = LabelRule(
    label="launch bound",
    when="nothing is, and mostly no wave runs",
    example="launch.hip",
    short="launches",
    test=_no_wave_runs,
    evidence=("outside", *UNITS),
    next_ceiling=_no_idle_time,
    ceiling_of_the_launch=True,
    counts_idle_time=True,
    helped_by={"unroll": 0.02},
)


def _none_of_these(held: HeldFigures) -> float:
    score = held.slack_with_waves_enough * held.below("waiting")
    counted = "memory" in held.pressures or "compute" in held.pressures
    return score if counted else max(score, held.at.unknown)


UNKNOWN = LabelRule(
    label="unknown",
    when="none of these, or neither memory nor compute was counted",
    example=None,
    short="unknown",
    test=_none_of_these,
    evidence=(*UNITS, "outside", "occupied", "waiting"),
    next_ceiling=lambda used: Reason("what holds the kernel back is not known"),
    helped_by={
        "unroll": 0.25,
        "vector_loads": 0.3,
        "hoist_loads": 0.15,
        "restrict_const": 0.15,
        "lds_padding": 0.1,
    },
    colour="grey",
)

RULES: dict[Label, LabelRule] = {
    rule.label: rule
    for rule in (
        MEMORY_BANDWIDTH_BOUND,
        COMPUTE_THROUGHPUT_LIMITED,
        DIVERGENCE_LIMITED,
        LDS_BOUND,
        INSTRUCTION_ISSUE_BOUND,
        LATENCY_BOUND,
        UNDER_OCCUPIED,
        LAUNCH_BOUND,
        UNKNOWN,
    )
}
LABELS: tuple[Label, ...] = tuple(RULES)
