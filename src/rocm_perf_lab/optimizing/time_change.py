"""What the gate found of a time, as documents have it."""

from __future__ import annotations

from collections.abc import Mapping

from rocm_perf_lab.analysis.gate import FEW, Judgement
from rocm_perf_lab.contracts.changes.optimization import TimeChange
from rocm_perf_lab.contracts.section import Origin


def time_change(judged: Judgement, medians_ms: Mapping[str, float], origin: Origin) -> TimeChange:
    figures = {"ratio": judged.ratio, "ratio_low": judged.low, "ratio_high": judged.high}
    return TimeChange(
        origin=origin,
        missing={name: FEW for name, value in figures.items() if value is None},
        before_ms=medians_ms["baseline"],
        after_ms=medians_ms["variant"],
        **figures,
        level=judged.level,
        pairs=judged.pairs,
        exact=judged.exact,
        verdict=judged.verdict,
    )
