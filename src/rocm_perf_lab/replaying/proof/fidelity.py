"""How near replays come to the kernel's time in its program, and whether variants may be ranked by them."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence

from rocm_perf_lab.analysis.stability import MAD_TO_SIGMA
from rocm_perf_lab.analysis.student_t import quantile
from rocm_perf_lab.contracts.captures.replay import Condition, Fidelity
from rocm_perf_lab.contracts.section import Origin

# Another execution in the program lies within the prediction interval of the replays with this probability.
LEVEL = 0.95
# A gap up to this share is no gap: clocks and caches are never quite the same. Chosen.
SMALL = 0.05
# Iterations that scatter by more than this share do not tell whether there is a gap. Chosen.
MOST_NOISE = 0.25
# From so many values on the median absolute deviation says more of their scatter than the standard deviation.
RUNS_FOR_MAD = 5


def fidelity(
    in_app_us: float | None,
    replay_us: Sequence[float],
    origin: Origin,
    condition: Condition = "warm caches",
) -> Fidelity:
    """``replay_us``: GPU times of stateless iterations of the original kernel."""
    median = statistics.median(replay_us)
    if in_app_us is None or in_app_us <= 0:
        reason = "the capture has no GPU time of the execution in the program"
        return Fidelity(
            origin=origin,
            missing=dict.fromkeys(("in_app_us", "gap", "noise"), reason),
            condition=condition,
            in_app_us=None,
            replay_median_us=median,
            gap=None,
            noise=None,
            faithful=False,
            reason=reason,
        )
    gap = median / in_app_us - 1
    noise = _noise(replay_us, origin)
    if noise is None:
        missing = {"noise": "one iteration does not show how much iterations scatter"}
        allowed, scatter = SMALL, "one iteration, whose scatter is not known"
    else:
        missing = {}
        allowed, scatter = max(SMALL, min(noise, MOST_NOISE)), f"noise of {noise:.1%}"
    faithful = abs(gap) <= allowed
    words = f"with {condition} a replay takes {_share(gap)} the execution in the program"
    if condition == "first execution":
        words = f"the first execution in a process takes {_share(gap)} the one in the program"
    reason = (
        f"{words}: within {allowed:.1%} ({scatter}; up to {SMALL:.0%} is no gap)"
        if faithful
        else f"{words}: beyond {scatter} and {SMALL:.0%}; times of replays do not stand for the program"
    )
    if not faithful and noise is not None and noise > MOST_NOISE:
        many = f"{len(replay_us)} iterations scatter too much to tell ({scatter})"
        reason = f"{words}, and {many}; more tell more"
    return Fidelity(
        origin=origin,
        missing=missing,
        condition=condition,
        in_app_us=in_app_us,
        replay_median_us=median,
        gap=gap,
        noise=noise,
        faithful=faithful,
        reason=reason,
    )


def _noise(values: Sequence[float], origin: Origin) -> float | None:
    """Half the prediction interval of one further execution, as a share of the median."""
    if len(values) < 2:
        return 0.0 if origin == "simulated" else None
    reach = quantile(1 - (1 - LEVEL) / 2, len(values) - 1) * _scatter(values)
    return reach * math.sqrt(1 + 1 / len(values)) / statistics.median(values)


def _scatter(values: Sequence[float]) -> float:
    """Like the standard deviation, and not moved by a first iteration that finds caches empty."""
    if len(values) < RUNS_FOR_MAD:
        return statistics.stdev(values)
    median = statistics.median(values)
    return MAD_TO_SIGMA * statistics.median(abs(value - median) for value in values)


def _share(gap: float) -> str:
    return f"{abs(gap):.1%} {'more' if gap >= 0 else 'less'} than"
