"""The time of a kernel by replays of its captured dispatches, one for each launch geometry."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rocm_perf_lab.contracts.captures.replay import Condition
from rocm_perf_lab.contracts.section import Origin
from rocm_perf_lab.errors import NotReplayable, ProgramFailed, TimedOut
from rocm_perf_lab.optimizing.refused import Refused
from rocm_perf_lab.optimizing.stages import Program, Replays
from rocm_perf_lab.replaying.proof.capture_proof import CaptureProof
from rocm_perf_lab.replaying.variants.times import original_times, times_us

ITERATIONS = 10  # of one process, of which the median counts
FIRST_EXECUTIONS = 5  # processes, to see how much first executions scatter


@dataclass(frozen=True)
class TimedDispatch:
    proof: CaptureProof
    index: int
    launches: int
    """That it stands for."""
    condition: Condition
    gap: float
    """From the time in the program, as a share of it."""

    def __str__(self) -> str:
        launches = f"{self.launches} launch{'es' if self.launches > 1 else ''}"
        return f"dispatch {self.index} for {launches}, {self.condition}, {self.gap:+.1%} from the program"


def replays_of(
    proofs: Sequence[tuple[int, int, CaptureProof]],
    shapes_left_out: int,
    code_of: Callable[[Program], Path | None],
) -> Replays | str:
    """``proofs``: with the number of the dispatch, and how many launches it stands for; ``code_of``: None
    for the baseline. A text says why replays may not rank variants."""
    if shapes_left_out:
        return f"{shapes_left_out} launch geometries of the kernel are not captured"
    timed: list[TimedDispatch] = []
    for index, launches, proof in proofs:
        virtual = proof.bench.tool.virtual
        try:
            found = original_times(proof.bench, ITERATIONS, 1 if virtual else FIRST_EXECUTIONS)
        except (NotReplayable, ProgramFailed, TimedOut) as error:
            return f"dispatch {index}: {error.cause}"
        # Between warm and cold caches the nearer one will do: what wins is timed in the application anyway.
        if found.close.gap is None or (found.why_not and not found.between):
            return f"dispatch {index}: {found.why_not}"
        timed.append(TimedDispatch(proof, index, launches, found.close.condition, found.close.gap))
    origin: Origin = proofs[0][2].bench.tool.origin
    return Replays("; ".join(map(str, timed)), origin, lambda program: _sample(timed, code_of(program)))


def _sample(timed: Sequence[TimedDispatch], hsaco: Path | None) -> float:
    total_us = 0.0
    for one in timed:
        try:
            values = times_us(one.proof.bench, hsaco, one.condition, ITERATIONS)
        except (NotReplayable, ProgramFailed, TimedOut) as error:
            raise Refused("run-failed", error.cause) from error
        total_us += one.launches * statistics.median(values)
    return total_us / 1e3
