"""What there is to gain: the time that would be left at the nearest ceiling that applies."""

from __future__ import annotations

from typing import NamedTuple

from rocm_perf_lab.contracts.profiling.bottleneck import Headroom, Label
from rocm_perf_lab.contracts.reason import Reason
from rocm_perf_lab.contracts.section import Origin

from .figures import UNITS, BottleneckShares

_BOUND_BY: dict[Label, str] = {
    "memory-bandwidth bound": "memory",
    "compute-throughput limited": "compute",
    "instruction-issue bound": "issue",
}
_NO_UNITS = "which unit would be used up next is not known: no counters (--roofline collects them)"


def headroom(
    label: Label,
    figures: BottleneckShares,
    total_ms: float,
    *,
    idle_ms: float = 0.0,
    ceilings: dict[str, str],
    lds_without_conflicts: float | None = None,
    without_waves: float | None = None,
    origin: Origin,
) -> Headroom | Reason:
    """``idle_ms``: idle time that launches of the kernel cost; ``ceilings``: names for the units;
    ``lds_without_conflicts``: the share of time that the LDS would be taken for if no lanes met in a bank;
    ``without_waves``: the share of the launches' time in which no wave ran."""
    if label == "unknown":
        return Reason("what holds the kernel back is not known")
    found = _share(label, figures, ceilings, lds_without_conflicts)
    if isinstance(found, Reason):
        return found
    (share, ceiling), words = found
    if share <= 0:
        return Reason(f"no use of any ceiling was counted: {words}")
    time = total_ms + idle_ms if label == "launch bound" else total_ms
    fixed = 0.0 if label in _BOUND_BY or label == "launch bound" else without_waves or 0.0
    left = min(1.0, share + fixed)
    sum_ = f"({share:.4g} + {fixed:.4g} without waves)" if fixed else f"{share:.4g}"
    return Headroom(
        origin=origin if origin == "simulated" else "derived",
        ceiling=ceiling,
        share_of_ceiling=share,
        fixed_share=fixed,
        time_ms=time,
        floor_ms=time * left,
        gain_ms=time * (1 - left),
        speedup=1 / left,
        derivation=f"{words}: {time:.6g} ms · {sum_} = {time * left:.6g} ms",
    )


class _Use(NamedTuple):
    """How much of a ceiling is used."""

    share: float
    ceiling: str


def _share(
    label: Label, figures: BottleneckShares, ceilings: dict[str, str], lds_without_conflicts: float | None
) -> tuple[_Use, str] | Reason:
    """How much is used of the ceiling that applies, and why it is that one."""
    known = figures.known
    units = {name: _Use(known[name], ceilings.get(name, name)) for name in UNITS if name in known}
    if label in _BOUND_BY:
        use = units[_BOUND_BY[label]]
        return use, f"the {use.ceiling} ceiling is what holds the kernel back"
    if label == "launch bound":
        running = _Use(1 - known["outside"], "launches without idle time")
        return max(
            [running, *units.values()]
        ), "only the time in which waves run is left, or a unit is used up"
    if not units:
        return Reason(_NO_UNITS)
    if label == "divergence limited":
        compute = units.pop("compute")
        full = _Use(compute.share * known["lanes"], f"{compute.ceiling} with all lanes active")
        return max(
            [full, *units.values()]
        ), "the same work with full waves, unless another unit is used up before"
    if label == "LDS bound":
        lds = units.pop("lds")
        if lds_without_conflicts is None:
            return lds, f"the {lds.ceiling} ceiling is what holds the kernel back"
        free = _Use(lds_without_conflicts, f"{lds.ceiling} without bank conflicts")
        return max(
            [free, *units.values()]
        ), "the same accesses without conflicts, unless another unit is used up"
    if label == "under-occupied":
        slots = _Use(known["occupied"], "all wave slots taken")
        return max([slots, *units.values()]), "more waves at once, until the slots or a unit are used up"
    return max(units.values()), "waits hidden, until the unit that is used most is used up"
