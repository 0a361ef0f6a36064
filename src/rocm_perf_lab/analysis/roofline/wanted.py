"""Which counters a roofline is made from."""

from __future__ import annotations

from rocm_perf_lab.arch.counters import ACTIVE_LANE_COUNTERS, traffic_formulas, valu_width, work_formulas
from rocm_perf_lab.arch.counters.blocks import summed
from rocm_perf_lab.arch.device import base_name
from rocm_perf_lab.contracts.roofline import FlopModel

# Collected for the sake of the checks: every instruction and request that the typed ones are a part of.
_CHECKS = ("SQ_INSTS_VALU", "TCC_REQ", "TCC_HIT")


def wanted_counters(architecture: str, flop_model: FlopModel = "typed") -> tuple[str, ...]:
    """All that helps, most important first. Where a device offers fewer, the roofline says what it lacks."""
    architecture = base_name(architecture)
    names: list[str] = []
    levels = traffic_formulas(architecture)
    for level in sorted(levels, key=lambda level: level.level != "hbm"):
        names += level.counters
    estimate = valu_width(architecture)
    if flop_model == "valu-width" and estimate:
        names += estimate.formula.counters
    else:
        for work in work_formulas(architecture):
            names += work.formula.counters
    if levels and architecture.startswith("gfx9"):
        names += [*ACTIVE_LANE_COUNTERS, *_CHECKS]
    return tuple(dict.fromkeys(summed(name) for name in names))
