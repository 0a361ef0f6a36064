"""How long a kernel takes when it is replayed, under conditions in which that stands for the program."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from rocm_perf_lab.contracts.captures.replay import Condition, Fidelity
from rocm_perf_lab.replaying.native_tool.document import values_us
from rocm_perf_lab.replaying.native_tool.run_tool import ReplayRequest, replay
from rocm_perf_lab.replaying.native_tool.trial import ReplayBench
from rocm_perf_lab.replaying.proof.fidelity import fidelity

# Iterations of which the first ones find caches and clocks not settled.
WARMUP = 2
CONDITIONS: tuple[Condition, ...] = ("warm caches", "cold caches", "first execution")


@dataclass(frozen=True)
class OriginalTimes:
    """Of the original under the first condition in which it takes as long as in the program; where there is
    none, under the one that comes nearest."""

    close: Fidelity
    values_us: tuple[float, ...]
    between: bool = False
    """The time in the program lies between those under two conditions: of each the kernel finds something."""

    @property
    def why_not(self) -> str:
        """Empty where variants may be ranked by replays."""
        return "" if self.close.faithful else f"variants are not ranked: {self.close.reason}"


def original_times(bench: ReplayBench, iterations: int, processes: int) -> OriginalTimes:
    """``processes`` that each give one first execution."""
    in_app = bench.capture.dispatch.time.in_app_ns
    tried: list[OriginalTimes] = []
    for condition in CONDITIONS:
        found = times_us(bench, None, condition, iterations, processes)
        close = fidelity(None if in_app is None else in_app / 1e3, found, bench.tool.origin, condition)
        tried.append(OriginalTimes(close, tuple(found)))
        if close.faithful:
            return tried[-1]
        if close.gap is None:
            break
    gaps = [one.close.gap for one in tried if one.close.gap is not None]
    nearest = min(tried, key=lambda one: abs(one.close.gap or 0.0))
    return replace(nearest, between=bool(gaps) and min(gaps) < 0 < max(gaps))


def times_us(
    bench: ReplayBench, hsaco: Path | None, condition: Condition, iterations: int, processes: int = 1
) -> list[float]:
    """Microseconds of executions that count; ``hsaco``: of a variant. Several processes are for conditions
    in which each gives one execution."""
    what = "original" if hsaco is None else "variant"
    replay_request = ReplayRequest(bench.capture.path, timeout_s=bench.timeout_s, hsaco=hsaco)
    if condition == "first execution":
        replay_requests = [replay_request] * processes
    else:
        replay_requests = [
            replace(replay_request, iterations=iterations, warmup=WARMUP, cold=condition == "cold caches")
        ]
    bench.progress.plan(len(replay_requests))
    found: list[float] = []
    for one in replay_requests:
        bench.progress.begin(f"time of the {what}, {condition}")
        found += values_us(replay(bench.tool, one, tick=bench.progress.ticker))
    return found
