"""Which counters a roofline is made from."""

from __future__ import annotations

from collections.abc import Iterator

from rocm_perf_lab.arch.counters import (
    ACTIVE_LANE_COUNTERS,
    LevelTraffic,
    traffic_formulas,
    valu_width,
    work_formulas,
)
from rocm_perf_lab.arch.counters.blocks import summed
from rocm_perf_lab.arch.device import base_name
from rocm_perf_lab.contracts.profiling.roofline import FlopModel

# Collected for the sake of the checks: all requests, hits and instructions that others are a part of.
_L2_CHECKS = ("TCC_REQ", "TCC_HIT")
_WORK_CHECKS = ("SQ_INSTS_VALU",)


def wanted_counters(architecture: str, flop_model: FlopModel = "typed") -> tuple[str, ...]:
    """All that helps, most important first. Where a device offers fewer, the roofline says what it lacks.

    Runs differ a little in what caches do, so that counters of which one is subtracted from the other belong
    into one run: they are neighbours, in an order that fills the slots of their block (4 of the L2).
    """
    architecture = base_name(architecture)
    instinct = architecture.startswith("gfx9")
    names: list[str] = []
    for level in sorted(traffic_formulas(architecture), key=lambda level: level.level != "hbm"):
        names += _of_level(level, _L2_CHECKS if instinct and level.level == "hbm" else ())
    if not names:
        return ()
    if instinct:
        names += ACTIVE_LANE_COUNTERS
    estimate = valu_width(architecture)
    if flop_model == "valu-width" and estimate:
        names += estimate.formula.counters
    else:
        for work in work_formulas(architecture):
            names += work.formula.counters
    if instinct:
        names += _WORK_CHECKS
    return tuple(dict.fromkeys(summed(name) for name in names))


def _of_level(level: LevelTraffic, checks: tuple[str, ...]) -> Iterator[str]:
    for formula in (level.total, level.read):
        if formula:
            yield from formula.counters
    yield from checks
    if level.write:
        yield from level.write.counters
