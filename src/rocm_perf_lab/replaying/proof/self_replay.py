"""The self-replay proof: the original kernel gives in fresh processes what it gave in the program.

How its results differ over the runs says what kind of kernel it is, and what a variant of it may differ by.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass

from rocm_perf_lab.capturing.element_layout import Scalar
from rocm_perf_lab.contracts.captures.validation import AllowedError, BufferReport, Determinism, SelfReplay
from rocm_perf_lab.replaying.memory.buffers import Buffer, names_of
from rocm_perf_lab.replaying.memory.determinism import Spread, worst
from rocm_perf_lab.replaying.memory.memory_state import Observation
from rocm_perf_lab.replaying.memory.observed_differences import Allowed, compare, spreads, worst_of
from rocm_perf_lab.replaying.memory.tolerance import SpreadLine, Tolerance, ToleranceRequest
from rocm_perf_lab.replaying.native_tool.document import addresses, all_exact
from rocm_perf_lab.replaying.native_tool.trial import ReplayBench, ReplayTrial

VARIED = "the first run as the virtual GPU runs it; workgroups of each further one started in another order"
AS_HARDWARE = "as the hardware scheduled them"


@dataclass(frozen=True)
class SelfReplayed:
    report: SelfReplay
    trials: tuple[ReplayTrial, ...]
    allowed: Allowed
    """What a variant may differ by."""


def prove(bench: ReplayBench, runs: int, tolerance: ToleranceRequest) -> SelfReplayed:
    bench.progress.plan(runs)
    trials = tuple(
        bench.trial(f"self-replay {number + 1} of {runs}", variables=bench.order(number))
        for number in range(runs)
    )
    with ExitStack() as stack:
        observed = [stack.enter_context(trial.observe()) for trial in trials]
        spread = spreads(bench.memory, bench.buffers, observed)
        allowed = tolerances(spread, bench.work_items, tolerance)
        by_run = [compare(bench.memory, bench.buffers, one, allowed) for one in observed]
        alike = len(observed) > 1 and not _differ_among_themselves(bench, observed)
    label, reason = _label(bench, spread, runs)
    equal = sum(not reports for reports in by_run)
    found = worst_of(by_run)
    passed, why = _verdict(equal, runs, found, alike, label)
    report = SelfReplay(
        origin="derived",
        runs=runs,
        byte_equal=equal,
        exact_addresses=sum(all_exact(addresses(trial.document)) for trial in trials),
        label=label,
        label_reason=reason,
        orders=VARIED if bench.tool.virtual and runs > 1 else AS_HARDWARE,
        buffers=found,
        passed=passed,
        reason=why,
    )
    return SelfReplayed(report, trials, allowed)


def _differ_among_themselves(bench: ReplayBench, observed: Sequence[Observation]) -> bool:
    """Whether replays differ among themselves."""
    first, *others = observed
    for buffer in bench.buffers:
        region = bench.memory.regions[buffer.region]
        for other in others:
            pages = first.pages(buffer.region).union(other.pages(buffer.region))
            for start, end in buffer.blocks(pages):
                captured = region.after(start, end)
                mine = first.over(buffer.region, start, captured)
                if (mine != other.over(buffer.region, start, captured)).any():
                    return True
    return False


def tolerances(spread: dict[int, Spread], work_items: int, tolerance: ToleranceRequest) -> Allowed:
    """Explicit where the user says so; learned where the original's sums depend on order; exact elsewhere."""

    def allowed(buffer: Buffer) -> AllowedError:
        given = tolerance.of([*names_of(buffer), buffer.layout.name])
        if given is not None:
            return AllowedError(source="explicit", rtol=given.rtol, atol=given.atol)
        seen = spread.get(buffer.start)
        if seen is not None and seen.label(work_items) == "order-dependent":
            learned = widest(seen.lines)
            return AllowedError(source="learned", rtol=learned.rtol, atol=learned.atol)
        return AllowedError(source="exact", rtol=0.0, atol=0.0)

    return allowed


def widest(lines: Mapping[Scalar, SpreadLine]) -> Tolerance:
    """What all fields of a structure need, and at least one rounding: a spread of few runs may show less."""
    learned = [line.learned() for line in lines.values()]
    rounding = max(scalar.epsilon for scalar in lines)
    return Tolerance(max(rounding, *(one.rtol for one in learned)), max(one.atol for one in learned))


def _label(bench: ReplayBench, spread: dict[int, Spread], runs: int) -> tuple[Determinism, str]:
    names = {buffer.start: buffer.name for buffer in bench.buffers}
    labels = {start: one.label(bench.work_items) for start, one in spread.items()}
    label = worst(list(labels.values()))
    if label == "deterministic":
        return label, f"no byte differs over the program and {runs} replays"
    start = next(start for start, one in labels.items() if one == label)
    if label == "racy":
        return label, f"{names[start]}: {spread[start].why_racy(bench.work_items)}"
    return label, (
        f"{names[start]}: floating-point values differ over the runs ({spread[start].elements}), within what "
        "sums in another order differ by"
    )


def _verdict(
    equal: int, runs: int, found: tuple[BufferReport, ...], alike: bool, label: Determinism
) -> tuple[bool, str]:
    if equal == runs:
        return True, f"{runs} of {runs} replays give the captured memory, byte for byte"
    bad = next((one for one in found if not one.passed), None)
    if bad is None:
        return True, f"{equal} of {runs} replays are byte-equal, the others within the tolerances"
    if alike:
        return False, (
            f"the replays agree with one another and not with the capture ({bad.name}): the kernel depends "
            "on something that is not in it, such as a clock or memory that the host changed meanwhile"
        )
    return False, f"{bad.name} differs beyond its tolerance in {runs - equal} of {runs} replays ({label})"
