"""One candidate from its source to a decision: build, guard, check, compare, time, gate.

Every step can refuse it, and the first that does ends the trial. Nothing of the user's is touched.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from rocm_perf_lab.analysis.gate import (
    LOOKS,
    Decision,
    Judgement,
    Side,
    decide,
    enough,
    judge,
    kernel_refusal,
    turns,
)
from rocm_perf_lab.analysis.gate_regressions import (
    DEFAULT_LIMITS,
    Launch,
    Regression,
    RegressionLimits,
    traffic_regression,
)
from rocm_perf_lab.contracts.changes.proposal import Attempt, Proposal
from rocm_perf_lab.contracts.changes.proposal_refusal import Refusal
from rocm_perf_lab.contracts.profiling.kernel import KernelProfile
from rocm_perf_lab.contracts.section import Origin
from rocm_perf_lab.optimizing.guards.code_object import check_code_object
from rocm_perf_lab.optimizing.proposers.interface import (
    MOST_REPAIRS,
    ProposedKernel,
    Proposer,
    Rejected,
    Situation,
)
from rocm_perf_lab.optimizing.refused import Refused
from rocm_perf_lab.optimizing.stages import Equality, Program, Stages

Note = Callable[..., object]
"""Writes an event with its data into the journal."""


@dataclass(frozen=True)
class Tried:
    """How a candidate fared. ``program`` and what follows are there as far as it came."""

    attempt: Attempt
    candidate: ProposedKernel | None = None
    program: Program | None = None
    equality: Equality | None = None
    kernel: Judgement | None = None
    whole: Judgement | None = None
    decision: Decision | None = None
    checkers: str | None = None
    """What the checkers say."""
    medians: Medians | None = None
    bench: CandidateBench | None = None
    """Against what, and how."""
    process: Judgement | None = None


@dataclass(frozen=True)
class CandidateBench:
    """What all trials of one kernel share."""

    stages: Stages
    proposer: Proposer
    situation: Situation
    kernel: KernelProfile
    baseline: Program
    improvement: float
    note: Note
    limits: RegressionLimits = DEFAULT_LIMITS
    accepted: dict[object, float] = field(default_factory=dict)
    """By their family: the best ratio in replays of those that were confirmed in the application."""

    def launches(self) -> list[Launch]:
        static = self.kernel.resources.lds_static_bytes or 0
        return [
            Launch(
                threads=group.block[0] * group.block[1] * group.block[2],
                dynamic_lds_bytes=max(0, (group.lds_bytes or 0) - static),
            )
            for group in self.kernel.groups
        ]


def try_candidate(bench: CandidateBench, candidate: ProposedKernel, name: str) -> Tried:
    try:
        built = _build(bench, candidate, name)
        if isinstance(built, Rejected):
            return rejected(built)
        candidate, program = built
        return _judge(bench, candidate, program)
    except Refused as problem:
        return rejected(Rejected(candidate.proposal, problem.refusal))


def _build(
    bench: CandidateBench, candidate: ProposedKernel, name: str
) -> tuple[ProposedKernel, Program] | Rejected:
    """What does not compile goes back to who proposed it, a limited number of times."""
    for repair in range(MOST_REPAIRS + 1):
        try:
            program = bench.stages.build(candidate.text, name)
        except Refused as problem:  # noqa: PERF203
            if problem.refusal.code != "build-failed":
                raise
            bench.note(
                "build failed", proposal=candidate.proposal, repair=repair, said=problem.refusal.detail
            )
            again = bench.proposer.repair(bench.situation, candidate, problem.messages)
            if again is None:
                raise
            if isinstance(again, Rejected):
                return again
            candidate = again
        else:
            bench.note("built", proposal=candidate.proposal, digest=program.built.digest)
            return candidate, program
    refusal = Refusal(code="repairs-exhausted", detail=f"{MOST_REPAIRS} repairs")
    return Rejected(candidate.proposal, refusal)


def _judge(bench: CandidateBench, candidate: ProposedKernel, program: Program) -> Tried:
    function, proposal = bench.situation.kernel.function, candidate.proposal
    regressions = check_code_object(
        bench.baseline.built, program.built, function, bench.launches(), bench.limits
    )
    bench.note("guarded", proposal=proposal, grown=regressions)
    checkers = bench.stages.check(bench.baseline, program)
    bench.note("checked", proposal=proposal, what=checkers)
    equality = bench.stages.compare(bench.baseline, program, bench.kernel)
    bench.note("compared", proposal=proposal, equality=equality)
    by_replay = _replayed(bench, program, proposal)
    hopeless = _refused_by_replay(bench, proposal, by_replay)
    if by_replay is not None and hopeless is not None:
        attempt = Attempt(
            proposal=proposal, accepted=False, refusals=(hopeless,), kernel_ratio=by_replay.ratio
        )
        return Tried(attempt, candidate, program, equality, by_replay)
    kernel, whole, medians, process = measure(
        bench.stages, bench.baseline, program, bench.kernel.name, bench.improvement
    )
    bench.note("measured", proposal=proposal, kernel=kernel, whole=whole, process=process, medians=medians)
    grown = [*regressions, *_traffic(bench, program, kernel)]
    decision = decide(kernel, whole, grown, process)
    if decision.accepted and by_replay is not None and by_replay.ratio is not None:
        bench.accepted[proposal.family] = by_replay.ratio
    attempt = Attempt(
        proposal=proposal,
        accepted=decision.accepted,
        refusals=decision.refusals,
        kernel_ratio=kernel.ratio,
    )
    return Tried(
        attempt, candidate, program, equality, kernel, whole, decision, checkers, medians, bench, process
    )


@dataclass(frozen=True)
class Medians:
    """Times of one run, of each side: the median of its runs."""

    origin: Origin
    kernel_ms: Mapping[str, float]
    whole_ms: Mapping[str, float]
    process_ms: Mapping[str, float] | None = None


class MeasuredCandidate(NamedTuple):
    kernel: Judgement
    whole: Judgement
    medians: Medians
    process: Judgement | None
    """None where the trace does not say how long processes lived."""


def measure(
    stages: Stages, baseline: Program, program: Program, name: str, improvement: float
) -> MeasuredCandidate:
    """Times against the baseline's, in turns, until kernel and whole are decided: host code before the first
    and after the last dispatch may scatter more than any change saves."""
    programs = {"baseline": baseline, "variant": program}
    origin: Origin = "measured"

    def run(side: Side) -> tuple[float, ...]:
        nonlocal origin
        times = stages.time(programs[side])
        if name not in times.kernels_ms:
            raise Refused("run-failed", f"{name} was not launched")
        origin = times.origin
        lived = () if times.process_ms is None else (times.process_ms,)
        return times.kernels_ms[name], times.whole_ms, *lived

    (kernel, whole, *process), medians = _in_turns(run, lambda: origin, improvement, deciding=2)
    return MeasuredCandidate(kernel, whole, Medians(origin, *medians), process[0] if process else None)


def _replayed(bench: CandidateBench, program: Program, proposal: Proposal) -> Judgement | None:
    """The kernel's time by replays against the baseline's, in turns; None where it is not judged by them."""
    replays = bench.stages.replays(bench.baseline, bench.kernel)
    if replays is None:
        return None
    if isinstance(replays, str):
        bench.note("not replayed", proposal=proposal, why=replays)
        return None
    programs = {"baseline": bench.baseline, "variant": program}
    (kernel,), (medians,) = _in_turns(
        lambda side: (replays.sample(programs[side]),), lambda: replays.origin, bench.improvement
    )
    found = Medians(replays.origin, kernel_ms=medians, whole_ms={})
    bench.note("replayed", proposal=proposal, kernel=kernel, medians=found, how=replays.how)
    return kernel


def _refused_by_replay(
    bench: CandidateBench, proposal: Proposal, by_replay: Judgement | None
) -> Refusal | None:
    """Why it is not worth running the application with it."""
    if by_replay is None or by_replay.ratio is None:
        return None
    if by_replay.verdict != "win":
        return kernel_refusal(by_replay, "kernel in replays")
    best = bench.accepted.get(proposal.family)
    if best is not None and by_replay.ratio >= best:
        return Refusal(code="replays-rank-lower", detail=f"ratio {by_replay.ratio:.4f}, not below {best:.4f}")
    return None


def _in_turns(
    run: Callable[[Side], Sequence[float]],
    origin: Callable[[], Origin],
    improvement: float,
    deciding: int = 1,
) -> tuple[list[Judgement], list[dict[str, float]]]:
    """Judgements of all that a run gives times of, and the medians of each side; the first ``deciding`` ones
    say when it is enough. ``origin`` is asked after runs."""
    taken: dict[Side, list[Sequence[float]]] = {"baseline": [], "variant": []}
    order = iter(turns(LOOKS[-1]))
    found: list[Judgement] = []
    for pairs in (1, *LOOKS):  # the first is for simulators, which repeat
        while min(map(len, taken.values())) < pairs:
            side = next(order)
            taken[side].append(run(side))
        # What not all runs tell is not judged.
        each = [[list(times) for times in zip(*runs, strict=False)] for runs in taken.values()]
        found = [
            judge(old, new, origin=origin(), improvement=improvement) for old, new in zip(*each, strict=False)
        ]
        asked = found[:deciding]
        if all(map(enough, asked)) and (pairs > 1 or all(one.exact for one in asked)):
            break
    return found, [
        {"baseline": statistics.median(old), "variant": statistics.median(new)}
        for old, new in zip(*each, strict=False)
    ]


def _traffic(bench: CandidateBench, program: Program, kernel: Judgement) -> Sequence[Regression]:
    """Counted only where time alone would accept: counters take further runs."""
    if kernel.verdict != "win":
        return ()
    before = bench.stages.traffic(bench.baseline, bench.kernel)
    after = bench.stages.traffic(program, bench.kernel)
    return traffic_regression(before, after, bench.limits)


def rejected(idea: Rejected) -> Tried:
    """A proposal that did not come as far as a measurement."""
    refusals = (idea.refusal,)
    return Tried(Attempt(proposal=idea.proposal, accepted=False, refusals=refusals, kernel_ratio=None))
