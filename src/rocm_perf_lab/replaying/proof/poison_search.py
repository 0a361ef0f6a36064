"""Finds the bytes that a kernel only writes: what they held before cannot matter, so they may hold poison.

On the virtual GPU the access set tells. Elsewhere buffers are poisoned one at a time, in processes of their
own and with two seeds: bytes that come out as captured under both were written whatever they had held. Either
way the original is then run with all of them poisoned, and has to give what the capture has.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rocm_perf_lab.contracts.captures.validation import Poison
from rocm_perf_lab.errors import Interrupted, RocmPerfError
from rocm_perf_lab.replaying.memory.buffers import Buffer
from rocm_perf_lab.replaying.memory.byte_ranges import ByteRanges, Range, where
from rocm_perf_lab.replaying.memory.memory_state import Observation
from rocm_perf_lab.replaying.memory.observed_differences import Allowed, compare
from rocm_perf_lab.replaying.native_tool.access_set import VARIABLE, AccessSet, read_access_set
from rocm_perf_lab.replaying.native_tool.trial import UNTIMED, Poisoned, ReplayBench
from rocm_perf_lab.replaying.proof.poison_pattern import pattern

# Any numbers will do; the third is that of the runs that count.
TRIAL_SEEDS = (0x5EED0001, 0x5EED0002)
SEED = 0x5EED0003
# Values that a kernel updates come out right by luck, now and then: such bytes are taken out, round by round.
MOST_ROUNDS = 3
# More ranges than this would make the file of the poison larger than what it poisons.
MOST_RANGES = 200_000


@dataclass(frozen=True)
class FoundPoison:
    report: Poison
    poisoned: Poisoned | None
    """None: nothing is poisoned."""
    read: ByteRanges | None = None
    """What the kernel reads of what was there before it; None: not known."""


def find_poison(bench: ReplayBench, allowed: Allowed, wall_seconds: float = 0.0) -> FoundPoison:
    """``wall_seconds``: what a replay of the original takes."""
    before = bench.trials
    method: Literal["access set", "trial"] = "access set"
    seen = _access_set(bench) if bench.tool.virtual else None
    if seen is not None:
        ranges = seen.only_written.intersection(_stored(bench))
    else:
        method = "trial"
        ranges = _by_trials(bench, allowed, wall_seconds)
    ranges, dropped = _fewer(ranges)
    reason = dropped
    confirmed = False
    while ranges:
        problem, bad = _confirm(bench, ranges, allowed)
        if problem is None:
            confirmed = True
            break
        if not bad or bench.trials - before > len(bench.buffers) + MOST_ROUNDS + 2 * len(TRIAL_SEEDS):
            ranges, reason = (
                ByteRanges(),
                f"with them poisoned the original does not give the capture: {problem}",
            )
            break
        ranges = ranges.difference(bad)
    poisoned = Poisoned(SEED, ranges) if ranges else None
    if poisoned is None and not reason:
        reason = "the kernel writes no byte that it has not read before"
    return FoundPoison(
        Poison(
            origin="derived",
            method=method if poisoned else "none",
            bytes=ranges.size,
            ranges=len(ranges),
            seed=SEED,
            trials=bench.trials - before,
            confirmed=confirmed,
            reason=reason or "the kernel gives what the capture has whatever they hold before",
        ),
        poisoned,
        None if seen is None else seen.read_before_written.intersection(_stored(bench)),
    )


def _stored(bench: ReplayBench) -> ByteRanges:
    return ByteRanges.of((one.base, one.base + one.size) for one in bench.memory.regions.values())


def _access_set(bench: ReplayBench) -> AccessSet | None:
    bench.progress.plan(1)
    file = bench.scratch / "access_set"
    bench.trial("what the kernel reads and writes", variables={**UNTIMED, VARIABLE: str(file)})
    return read_access_set(file, bench.capture.dispatch.kernel.demangled)


def _by_trials(bench: ReplayBench, allowed: Allowed, wall_seconds: float) -> ByteRanges:
    """Of buffers that arguments point at: others may hold pointers, and poisoned pointers lead anywhere."""
    found = ByteRanges()
    named = [buffer for buffer in bench.buffers if buffer.named]
    # A kernel that takes poison for a count may run for ever.
    limit = bench.patience_s(wall_seconds)
    bench.progress.plan(len(named) * len(TRIAL_SEEDS))
    for buffer in named:
        whole = ByteRanges(((buffer.start, buffer.end),))
        kept = whole
        for seed in TRIAL_SEEDS:
            try:
                label = f"poison in {buffer.name}"
                trial = bench.trial(label, poisoned=Poisoned(seed, whole), timeout_s=limit)
            except Interrupted:
                raise
            except RocmPerfError:  # it reads what it was given, and came to grief over it
                kept = ByteRanges()
                break
            with trial.observe() as observed:
                kept = kept.difference(differing(bench, buffer, observed, allowed))
        found = found.union(kept.difference(_no_evidence(bench, buffer, kept)))
    return found


def _no_evidence(bench: ReplayBench, buffer: Buffer, kept: ByteRanges) -> ByteRanges:
    """Bytes whose poison was what the capture has, under both seeds: they tell nothing of being written."""
    found: list[Range] = []
    for start, end in buffer.blocks(kept):
        captured = bench.memory.regions[buffer.region].after(start, end)
        same = captured == pattern(start, end - start, TRIAL_SEEDS[0])
        same &= captured == pattern(start, end - start, TRIAL_SEEDS[1])
        found += where(same, start)
    return ByteRanges.of(found)


def differing(bench: ReplayBench, buffer: Buffer, observed: Observation, allowed: Allowed) -> ByteRanges:
    """Bytes of the elements of a buffer that are beyond its tolerance; of exact ones, just the bytes."""
    import numpy as np

    from rocm_perf_lab.capturing.element_layout import numbers
    from rocm_perf_lab.replaying.memory.tolerance import Tolerance

    told = allowed(buffer)
    tolerance = Tolerance(told.rtol, told.atol)
    stride = buffer.layout.stride
    found: list[Range] = []
    for start, end in buffer.blocks(observed.pages(buffer.region)):
        expected = bench.memory.regions[buffer.region].after(start, end)
        got = observed.over(buffer.region, start, expected)
        wrong = expected != got
        if not tolerance.exact:
            rows = wrong.reshape(-1, stride)
            for field in buffer.layout.fields:
                if field.scalar.floating:
                    span = slice(field.offset, field.offset + field.scalar.size)
                    values = [
                        numbers(field.scalar, side.reshape(-1, stride)[:, span]) for side in (expected, got)
                    ]
                    rows[:, span] &= ~np.asarray(tolerance.allows(*values))[:, None]
        found += where(wrong, start)
    return ByteRanges.of(found)


def _confirm(bench: ReplayBench, ranges: ByteRanges, allowed: Allowed) -> tuple[str | None, ByteRanges]:
    """What is wrong with the original when all of them are poisoned, and which of the poisoned bytes are."""
    bench.progress.plan(1)
    try:
        trial = bench.trial("the original with poison", poisoned=Poisoned(SEED, ranges))
    except Interrupted:
        raise
    except RocmPerfError as error:
        return error.cause, ByteRanges()
    with trial.observe() as observed:
        reports = [one for one in compare(bench.memory, bench.buffers, observed, allowed) if not one.passed]
        if not reports:
            return None, ByteRanges()
        wrong = ByteRanges.of(
            one for buffer in bench.buffers for one in differing(bench, buffer, observed, allowed)
        )
    problem = f"{reports[0].name} differs"
    if not wrong.difference(ranges):
        return problem, wrong
    # What was not poisoned came out wrong: a poisoned byte was read, most likely one of the same buffer.
    hit = ByteRanges.of(
        (buffer.start, buffer.end)
        for buffer in bench.buffers
        if wrong.intersection(ByteRanges(((buffer.start, buffer.end),)))
    )
    return problem, ranges.intersection(hit)


def _fewer(ranges: ByteRanges) -> tuple[ByteRanges, str]:
    if len(ranges) <= MOST_RANGES:
        return ranges, ""
    largest = sorted(ranges, key=lambda one: one[0] - one[1])[:MOST_RANGES]
    return ByteRanges.of(largest), f"the largest {MOST_RANGES} of {len(ranges)} ranges"
