"""An optimization for the terminal: what was accepted, what was refused and why, where it is kept."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from rocm_perf_lab.contracts.changes.optimization import (
    AcceptedChange,
    OptimizationDocument,
    ReversionDocument,
    TimeChange,
    TriedChange,
)
from rocm_perf_lab.contracts.changes.proposal_refusal import REASONS, Refusal
from rocm_perf_lab.reporting.terminal.lines import as_text, labelled
from rocm_perf_lab.reporting.words.figures import count, cut, duration
from rocm_perf_lab.reporting.words.refusal_counts import refusal_counts

MOST_REASONS = 12
_COLUMN = 14
ENDS = {
    "nothing improves": "nothing else improves it",
    "trials": "nothing else in as many trials as --max-trials allows",
    "iterations": "as many changes as --max-iters allows",
    "budget": "the budget is spent",
}
PLACES = {
    "written": "written into the source",
    "kept": "not written; kept as a diff",
    "declined": "declined; kept as a diff",
    "interrupted": "killed while it was being written",
}


def render(document: OptimizationDocument) -> str:
    return as_text(_lines(document))


def render_reversion(document: ReversionDocument) -> str:
    if not document.taken_back:
        return as_text([f"{document.source} is what it was before; nothing to take back"])
    changes = count(len(document.taken_back), "change")
    return as_text([f"{document.source}: {changes} taken back; it is what it was before"])


def render_trial(tried_in: str, what: str, accepted: bool, refusals: tuple[Refusal, ...]) -> str:
    """The line that tells of a trial while the optimization runs."""
    why = "; ".join(dict.fromkeys(refusal.code for refusal in refusals))
    return as_text([f"  {cut(tried_in, 32):<33}{what:<36}{'faster, and right' if accepted else why}"])


def _lines(document: OptimizationDocument) -> Iterator[str]:
    simulated = "SIMULATED  " if document.origin == "simulated" else ""
    dry = " (dry run: nothing is written)" if document.dry_run else ""
    yield (
        f"{simulated}{document.source}: {count(len(document.tried), 'change')} tried, "
        f"{_outcome(document)}; {ENDS[document.end]}{dry}"
    )
    yield ""
    for change in document.accepted:
        yield from _accepted(change, document.tried[change.trial], document.dry_run)
        if change.place == "declined" and change.record is not None:
            yield f"  {'apply it':<{_COLUMN - 2}}{_patch(document, change.record + '/change.diff')}"
        yield ""
    yield from _refused(document)
    for left in document.left_out:
        yield from labelled("left out", f"{left.kernel}: {left.refusal}", _COLUMN)
    for note in document.notes:
        yield from labelled("note", note, _COLUMN)
    files = document.files
    if files is not None:
        if files.patch is not None:
            yield f"{'apply it':<{_COLUMN}}{_patch(document, files.patch)}"
        if any(change.place == "written" for change in document.accepted):
            yield f"{'undo it':<{_COLUMN}}rocm-perf optimize --revert --source {shlex.quote(document.source)}"
        yield f"{'journal':<{_COLUMN}}{files.journal}"
        yield f"{'story':<{_COLUMN}}{files.page}"


def _outcome(document: OptimizationDocument) -> str:
    """``2 changes accepted, 1 declined``."""
    declined = sum(change.place == "declined" for change in document.accepted)
    accepted = count(len(document.accepted) - declined, "change")
    return f"{accepted} accepted" + (f", {declined} declined" if declined else "")


def _patch(document: OptimizationDocument, diff: str) -> str:
    return f"patch {shlex.quote(document.source)} < {shlex.quote(diff)}"


def _accepted(change: AcceptedChange, tried: TriedChange, dry_run: bool) -> Iterator[str]:
    place = "would be accepted" if dry_run else PLACES[change.place]
    yield f"{tried.proposal} of {tried.proposal.kernel}: {place}"
    times = (
        ("replays", tried.replay_time),
        ("kernel", tried.kernel_time),
        ("whole", tried.whole_time),
        ("process", tried.process_time),
    )
    for label, time in times:
        if time is not None:
            yield f"  {label:<{_COLUMN - 2}}{_time(time)}"
    if tried.results is not None:
        yield from labelled("  results", tried.results, _COLUMN)
    if tried.checkers is not None:
        yield from labelled("  checkers", tried.checkers, _COLUMN)
    if change.bundle is not None:
        yield f"  {'verify it':<{_COLUMN - 2}}rocm-perf verify {shlex.quote(change.bundle)}"
    if change.place != "written":
        yield from (f"    {line}" for line in change.diff.splitlines())


def _time(time: TimeChange) -> str:
    interval = ""
    if time.exact:
        interval = ", repeats exactly"
    elif time.ratio_low is not None and time.ratio_high is not None:
        interval = f" ({time.ratio_low:.4f} … {time.ratio_high:.4f})"
    ratio = "" if time.ratio is None else f"  ratio {time.ratio:.4f}{interval}"
    return f"{duration(time.before_ms)} -> {duration(time.after_ms)}{ratio}  [{time.origin}]"


def _refused(document: OptimizationDocument) -> Iterator[str]:
    reasons = refusal_counts(document)
    if not reasons:
        return
    yield "refused"
    for code, number in reasons[:MOST_REASONS]:
        yield f"  {number:>4} x {code:<26}{REASONS[code]}"
    if len(reasons) > MOST_REASONS:
        yield f"  and {count(len(reasons) - MOST_REASONS, 'further reason')}: they are in the document"
    yield ""
