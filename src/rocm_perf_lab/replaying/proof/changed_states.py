"""Original and variant from other states than the captured one: a variant that has its answer from elsewhere,
or that is right for one size only, is found out.

What is right, the original says: it is run first, with the same inputs. A state that it does not bear, in
which it is racy, or whose values lead to the captured results, is not used.

Nothing is poisoned here: results of the captured inputs that are still in memory are wrong for others, and
who takes them for its own is found out.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rocm_perf_lab.capturing.folder import read_capture
from rocm_perf_lab.contracts.captures.validation import BufferReport
from rocm_perf_lab.errors import Interrupted, ProgramFailed, RocmPerfError, TimedOut
from rocm_perf_lab.replaying.memory.captured_buffers import captured_buffers
from rocm_perf_lab.replaying.memory.determinism import Spread, worst
from rocm_perf_lab.replaying.memory.memory_state import CapturedMemory, Observation
from rocm_perf_lab.replaying.memory.observed_differences import Allowed, compare, spreads
from rocm_perf_lab.replaying.memory.tolerance import ToleranceRequest
from rocm_perf_lab.replaying.native_tool.document import agreement
from rocm_perf_lab.replaying.native_tool.trial import ReplayBench, ReplayTrial
from rocm_perf_lab.replaying.proof.capture_proof import CaptureProof, canaries_of
from rocm_perf_lab.replaying.proof.changed_capture import write_changed
from rocm_perf_lab.replaying.proof.changed_inputs import Part, change_inputs
from rocm_perf_lab.replaying.proof.self_replay import tolerances

# Everything at once, twice; where the original does not bear that, each by itself.
_TOGETHER: tuple[tuple[Part, ...], ...] = (
    ("values", "order", "arguments", "fewer groups"),
    ("values", "more groups"),
)
_ALONE: tuple[tuple[Part, ...], ...] = (("values",), ("order",), ("arguments",), ("fewer groups",))
# Runs of the original in each state: of one whose results depend on order, more, to learn how much.
RUNS = 2
RUNS_OF_ORDER_DEPENDENT = 4


@dataclass(frozen=True)
class ChangedState:
    name: str
    bench: ReplayBench
    expected: ReplayTrial
    """Of the original."""
    allowed: Allowed


@dataclass(frozen=True)
class ChangedStates:
    used: tuple[ChangedState, ...]
    unused: tuple[str, ...]
    """With the reason."""


class _NotUsable(Exception):
    """A state by which nothing can be judged; says why."""


def make_changed_states(proof: CaptureProof, folder: Path, keep: contextlib.ExitStack) -> ChangedStates:
    """Below ``folder``; what they hold open is given to ``keep``."""
    used: list[ChangedState] = []
    unused: list[str] = []
    tried: set[frozenset[Part]] = set()
    waiting = [*_TOGETHER]
    while waiting:
        parts = frozenset(waiting.pop(0))
        place = folder / f"state-{len(tried)}"
        try:
            made = _make(proof, parts, place, keep, tried)
        except _NotUsable as problem:
            unused.append(str(problem))
            if len(parts) == len(_TOGETHER[0]):
                waiting += [one for one in _ALONE if frozenset(one) <= parts]
            continue
        if made is not None:
            used.append(made)
    return ChangedStates(tuple(used), tuple(unused))


def _make(
    proof: CaptureProof,
    parts: frozenset[Part],
    folder: Path,
    keep: contextlib.ExitStack,
    tried: set[frozenset[Part]],
) -> ChangedState | None:
    """None: nothing of this can be changed, or it was tried already."""
    bench = proof.bench
    inputs = change_inputs(
        bench.capture, bench.memory, bench.buffers, proof.poison.read, parts, len(tried) + 1
    )
    if not inputs.parts or inputs.parts in tried:
        return None
    tried.add(inputs.parts)
    write_changed(bench.capture, inputs, folder)
    capture = read_capture(folder)
    changed = ReplayBench(
        capture,
        keep.enter_context(CapturedMemory(capture)),
        captured_buffers(capture),
        bench.tool,
        folder,
        bench.progress,
        bench.patience_s(proof.slowest_s),
    )
    trials = _originals(proof, changed, str(inputs))
    same = not any(one.differing_bytes for one in agreement(trials[0].document))
    if same and inputs.parts <= {"values", "order"}:
        raise _NotUsable(f"{inputs}: the original gives what it gave before")
    allowed = _allowed(changed, trials, str(inputs))
    for trial in trials[1:]:
        trial.discard()
    return ChangedState(str(inputs), changed, trials[0], allowed)


def _originals(proof: CaptureProof, bench: ReplayBench, name: str) -> list[ReplayTrial]:
    runs = RUNS if proof.replayed.report.label == "deterministic" else RUNS_OF_ORDER_DEPENDENT
    bench.progress.plan(runs)
    trials: list[ReplayTrial] = []
    try:
        for run in range(runs):
            label = f"the original with {name}"
            trials.append(bench.trial(label, variables=_order(bench, run)))
    except Interrupted:
        raise
    except RocmPerfError as error:
        raise _NotUsable(f"{name}: the original does not bear it: {error.cause}") from error
    damage = canaries_of(trials)
    if damage is not None and damage.damaged:
        raise _NotUsable(f"{name}: the original writes behind its memory")
    return trials


def _order(bench: ReplayBench, run: int) -> dict[str, str] | None:
    return dict(bench.order(run)) or None  # None: as trials are run by default, without time


def _allowed(bench: ReplayBench, trials: Sequence[ReplayTrial], name: str) -> Allowed:
    with contextlib.ExitStack() as stack:
        observed: list[Observation] = [stack.enter_context(trial.observe()) for trial in trials]
        spread: dict[int, Spread] = spreads(bench.memory, bench.buffers, observed, with_captured=False)
    label = worst([one.label(bench.work_items) for one in spread.values()])
    if label == "racy":
        raise _NotUsable(f"{name}: the original is racy")
    return tolerances(spread, bench.work_items, ToleranceRequest())


def judge_in(state: ChangedState, hsaco: Path) -> str | None:
    """What is wrong with a variant in this state; None: it does what the original does."""
    bench = state.bench
    bench.progress.plan(1)
    try:
        trial = bench.trial(
            f"the variant with {state.name}",
            hsaco=hsaco,
            variables=_order(bench, 1),
        )
    except (ProgramFailed, TimedOut) as error:
        return f"with {state.name}, which the original bears: {error.cause}"
    damage = canaries_of([trial])
    if damage is not None and damage.damaged:
        return (
            f"with {state.name} it writes behind its memory, and the original does not: {damage.damaged[0]}"
        )
    with state.expected.observe() as expected, trial.observe() as observed:
        reports: list[BufferReport] = compare(bench.memory, bench.buffers, observed, state.allowed, expected)
    trial.discard()
    bad = [one for one in reports if not one.passed]
    if not bad:
        return None
    differ = "differs" if len(bad) == 1 else "differ"
    return f"with {state.name}, {', '.join(one.name for one in bad[:3])} {differ} from the original"
