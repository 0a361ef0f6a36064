"""What there is to gain: the time that would be left at the nearest ceiling that applies."""

from __future__ import annotations

from rocm_perf_lab.contracts.profiling.bottleneck import Headroom, Label
from rocm_perf_lab.contracts.reason import Reason
from rocm_perf_lab.contracts.section import Origin

from .figures import UNITS, BottleneckShares
from .label_rule import CeilingUse, UsedCeilings
from .labels import RULES


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
    rule, known = RULES[label], figures.known
    units = {name: CeilingUse(known[name], ceilings.get(name, name)) for name in UNITS if name in known}
    found = rule.next_ceiling(UsedCeilings(known, units, lds_without_conflicts))
    if isinstance(found, Reason):
        return found
    (share, ceiling), words = found
    if share <= 0:
        return Reason(f"no use of any ceiling was counted: {words}")
    time = total_ms + idle_ms if rule.counts_idle_time else total_ms
    fixed = 0.0 if rule.ceiling_of_the_launch else without_waves or 0.0
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
