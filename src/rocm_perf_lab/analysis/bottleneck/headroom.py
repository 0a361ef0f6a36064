"""What there is to gain: the time that would be left at the nearest ceiling that applies."""

from __future__ import annotations

from rocm_perf_lab.contracts.bottleneck import Headroom, Label
from rocm_perf_lab.contracts.reason import Reason
from rocm_perf_lab.contracts.section import Origin

from .figures import UNITS, Figures

_BOUND_BY: dict[Label, str] = {
    "memory-bandwidth bound": "memory",
    "compute-throughput limited": "compute",
    "instruction-issue bound": "issue",
}
_NO_UNITS = "which unit would be used up next is not known: no counters (--roofline collects them)"


def headroom(
    label: Label,
    figures: Figures,
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
    share, ceiling, words = found
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


def _share(
    label: Label, figures: Figures, ceilings: dict[str, str], lds_without_conflicts: float | None
) -> tuple[float, str, str] | Reason:
    """The share of a ceiling that is used, the ceiling, and why it is the one that applies."""
    candidates = {
        name: (figures.known[name], ceilings.get(name, name)) for name in UNITS if name in figures.known
    }
    if label == "LDS bound" and lds_without_conflicts is None:
        return *candidates["lds"], "the LDS is what holds the kernel back"
    if label == "LDS bound" and lds_without_conflicts is not None:
        free = (lds_without_conflicts, f"{candidates['lds'][1]} without bank conflicts")
        others = [value for name, value in candidates.items() if name != "lds"]
        return *max(
            [free, *others]
        ), "the same accesses without conflicts, unless another unit is used up before"
    if label in _BOUND_BY:
        name = _BOUND_BY[label]
        return *candidates[name], f"the {candidates[name][1]} ceiling is what holds the kernel back"
    if label == "launch bound":
        assert figures.outside is not None
        running = (1 - figures.outside, "launches without idle time")
        return *max(
            running, *candidates.values()
        ), "only the time in which waves run is left, or a unit is used up"
    if not candidates:
        return Reason(_NO_UNITS)
    if label == "divergence limited":
        assert figures.lanes is not None
        assert figures.compute is not None
        full = (figures.compute * figures.lanes, f"{candidates['compute'][1]} with all lanes active")
        others = [value for name, value in candidates.items() if name != "compute"]
        return *max([full, *others]), "the same work with full waves, unless another unit is used up before"
    if label == "under-occupied":
        assert figures.occupied is not None
        slots = (figures.occupied, "all wave slots taken")
        return *max(slots, *candidates.values()), "more waves at once, until the slots or a unit are used up"
    return *max(candidates.values()), "waits hidden, until the unit that is used most is used up"
