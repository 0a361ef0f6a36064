"""The loop: profile, rank, propose, try, accept; again, until nothing improves or the budget is spent.

The user's file is written only when a change is accepted, whole or not at all. Every decision is in the
journal before it is acted on, so that a loop that was killed goes on where it was: trials of the present text
that were decided are not made again.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from rocm_perf_lab.contracts.changes.proposal import Attempt, Proposal
from rocm_perf_lab.contracts.changes.proposal_refusal import UNHEARD, Refusal
from rocm_perf_lab.errors import EnvironmentProblem
from rocm_perf_lab.optimizing.choose import rank_kernels, situation_of
from rocm_perf_lab.optimizing.proposers.interface import Proposer, Rejected
from rocm_perf_lab.optimizing.records.journal import JournalEntry, OptimizationJournal
from rocm_perf_lab.optimizing.records.safe_write import keep_change, write_change
from rocm_perf_lab.optimizing.source.read import read_unit
from rocm_perf_lab.optimizing.stages import ProfileFindings, Program, Stages
from rocm_perf_lab.optimizing.trial import CandidateBench, Tried, rejected, try_candidate

End = Literal["nothing improves", "trials", "iterations", "budget"]
Answer = Literal["write", "keep", "decline"]
"""Into the user's file; as a diff, and the loop goes on with it; as a diff, and it goes on without it."""


@dataclass(frozen=True, kw_only=True)
class LoopSettings:
    improvement: float = 0.02
    iterations: int = 10
    """Changes that are accepted at most."""
    trials: int = 16
    """Builds for one kernel in one iteration at most; then the next kernel has its turn."""
    budget_s: float | None = None
    allowed: frozenset[str] = frozenset()
    pattern: re.Pattern[str] | None = None
    write: bool = True
    """False: the user's file stays as it is, whatever is accepted (--dry-run)."""


@dataclass
class LoopOutcome:
    end: End = "nothing improves"
    accepted: list[Tried] = field(default_factory=list)
    attempts: list[Attempt] = field(default_factory=list)
    left_out: list[tuple[str, Refusal]] = field(default_factory=list)
    """Kernels of the profile that the source does not have."""
    text: bytes = b""
    """The best source."""


@dataclass
class OptimizationLoop:
    source: Path
    stages: Stages
    proposer: Proposer
    journal: OptimizationJournal
    records: Path
    """Folder for what belongs to accepted changes: before, diff, record."""
    settings: LoopSettings
    clock: Callable[[], float]
    answer: Callable[[bytes, bytes, Tried], Answer] = lambda before, after, tried: "write"
    """What becomes of a change that was accepted; asked only where it may be written."""
    bundle: Callable[[bytes, Tried, Path], Mapping[str, Any] | None] = lambda before, tried, record: None
    """Keeps what speaks for a change in the folder of its record, before the change is written."""
    _known: tuple[bytes, Program, ProfileFindings] | None = None
    """The text that was profiled last."""

    def run(self) -> LoopOutcome:
        started = self.clock()
        text = self.source.read_bytes()
        outcome = LoopOutcome(text=text)
        self._settle(text)
        self.journal.append(
            "start",
            source=str(self.source),
            text=digest(text),
            sha256=hashlib.sha256(text).hexdigest(),
            settings=self.settings,
        )
        while True:
            if len(outcome.accepted) >= self.settings.iterations:
                outcome.end = "iterations"
                break
            before = len(outcome.attempts)
            improved = self._iteration(outcome, started)
            if not improved:
                if outcome.end != "budget":
                    self._check_heard(outcome.attempts[before:], len(outcome.accepted))
                break
            any(self._accept(outcome, tried) for tried in improved)  # the first that is wanted
        self.journal.append("end", why=outcome.end, accepted=len(outcome.accepted), text=digest(outcome.text))
        return outcome

    def _settle(self, text: bytes) -> None:
        """A loop that was killed while it wrote a change: whether it came to that."""
        last = next(
            (
                entry
                for entry in reversed(self.journal.entries)
                if entry.event in ("accepting", "accepted", "declined")
            ),
            None,
        )
        if last is not None and last.event == "accepting" and last.data["after"] == digest(text):
            self.journal.append("accepted", after=digest(text), written=True, found="in the source")

    def _iteration(self, outcome: LoopOutcome, started: float) -> list[Tried]:
        """The first family of candidates of which one is accepted, best first; empty where there is none."""
        baseline, found = self._profiled(outcome.text)
        unit = read_unit(self.source, text=outcome.text)
        ranked = rank_kernels(found.profile, found.analysis, unit, self.settings.pattern)
        outcome.left_out = list(ranked.left_out)
        names = [kernel.name for kernel, _ in ranked.found]
        self.journal.append("profiled", text=digest(outcome.text), ranked=names, left_out=ranked.left_out)
        done = decided(self.journal.entries, digest(outcome.text))
        unwanted = declined(self.journal.entries)
        settled = settled_factors(self.journal.entries, digest(outcome.text))
        outcome.end = "nothing improves"
        for chosen in ranked.found:
            trials = 0
            situation = situation_of(
                found.profile,
                found.analysis,
                found.att,
                chosen,
                allowed=self.settings.allowed,
                attempts=[attempt for name, attempt in done if name == chosen[0].name],
                evidence=self.stages.evidence(baseline, chosen[0]),
            )
            bench = self._bench(baseline, chosen[0], situation)
            good: list[Tried] = []
            for idea in self.proposer.propose(situation):
                if good and idea.proposal.family != good[0].attempt.proposal.family:
                    continue
                if (idea.proposal.kernel, *idea.proposal.key) in settled:
                    continue
                if isinstance(idea, Rejected):
                    tried = rejected(idea)
                elif digest(idea.text) in unwanted:
                    tried = rejected(Rejected(idea.proposal, Refusal(code="declined", detail="asked before")))
                elif trials >= self.settings.trials:
                    outcome.end = "trials"
                    break
                elif self._spent(started):
                    outcome.end = "budget"
                    return sorted(good, key=_ratio)
                else:
                    trials += 1
                    tried = try_candidate(bench, idea, f"trial-{len(self.journal.entries)}")
                outcome.attempts.append(tried.attempt)
                self.journal.append(
                    "decided", text=digest(outcome.text), kernel=chosen[0].name, attempt=tried.attempt
                )
                if tried.attempt.accepted:
                    good.append(tried)
            if good:
                return sorted(good, key=_ratio)
        return []

    def _check_heard(self, attempts: Sequence[Attempt], accepted: int) -> None:
        """Nothing was accepted: whether anything improves is not known where a model could not be asked."""
        unheard = [refusal for attempt in attempts for refusal in attempt.refusals if refusal.code in UNHEARD]
        if not unheard:
            return
        times = f", {len(unheard)} times" if len(unheard) > 1 else ""
        kept = f"; what was accepted before ({accepted}) stays" if accepted else ""
        raise EnvironmentProblem(
            f"the model could not be asked{times}: {unheard[-1]}{kept}",
            "check --base-url, --model and the key",
        )

    def _profiled(self, text: bytes) -> tuple[Program, ProfileFindings]:
        """Once for each text: after a change that was declined, it is what it was."""
        if self._known is None or self._known[0] != text:
            baseline = self.stages.build(text, "baseline")
            self._known = text, baseline, self.stages.profile(baseline)
        return self._known[1:]

    def _bench(self, baseline: Program, kernel: Any, situation: Any) -> CandidateBench:
        return CandidateBench(
            stages=self.stages,
            proposer=self.proposer,
            situation=situation,
            kernel=kernel,
            baseline=baseline,
            improvement=self.settings.improvement,
            note=self.journal.append,
        )

    def _accept(self, outcome: LoopOutcome, tried: Tried) -> bool:
        """False: who was asked does not want it."""
        assert tried.candidate is not None
        before, after = outcome.text, tried.candidate.text
        record = self.records / f"change-{_changes(self.journal.entries) + 1}"
        self.journal.append(
            "accepting",
            before=digest(before),
            after=digest(after),
            record=record.name,
            proposal=tried.attempt.proposal,
        )
        answer = self.answer(before, after, tried) if self.settings.write else None
        if answer in ("write", "keep"):
            bundled = self.bundle(before, tried, record)
            if bundled is not None:
                self.journal.append("bundled", record=record.name, **bundled)
        if answer == "write":
            write_change(self.source, before, after, record)
        elif answer is not None:
            keep_change(self.source, before, after, record)
        wanted = answer != "decline"
        self.journal.append(
            "accepted" if wanted else "declined", after=digest(after), written=answer == "write"
        )
        if wanted:
            outcome.accepted.append(tried)
            outcome.text = after
        return wanted

    def _spent(self, started: float) -> bool:
        budget = self.settings.budget_s
        return budget is not None and self.clock() - started >= budget


def _changes(entries: tuple[JournalEntry, ...]) -> int:
    """The number of the last change that was about to be accepted."""
    names = [str(entry.data["record"]) for entry in entries if entry.event == "accepting"]
    return max((int(name.rpartition("-")[2]) for name in names), default=0)


def _ratio(tried: Tried) -> float:
    assert tried.kernel is not None
    assert tried.kernel.ratio is not None
    return tried.kernel.ratio


def digest(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()[:16]


def decided(entries: tuple[JournalEntry, ...], text: str) -> list[tuple[str, Attempt]]:
    """(kernel, attempt) of all trials of a text that were not accepted: they need not be made again.

    One that was accepted, and yet the text is the old one: the loop was killed before it wrote the new one.
    """
    found = [
        (str(entry.data["kernel"]), _attempt(entry.data["attempt"]))
        for entry in entries
        if _decides(entry, text)
    ]
    return [(name, attempt) for name, attempt in found if not attempt.accepted]


def settled_factors(entries: tuple[JournalEntry, ...], text: str) -> set[tuple[Any, ...]]:
    """Kernels and keys of unrolling by other factors than the one that was taken: it was faster than they.

    Looked for as far back as nothing but pragmas was written since: other changes number the loops anew.
    """
    accepted = {
        str(entry.data["after"]): (str(entry.data["before"]), _proposal(entry.data["proposal"]))
        for entry in entries
        if entry.event == "accepting"
    }
    found: set[tuple[Any, ...]] = set()
    while text in accepted:
        before, taken = accepted.pop(text)
        if taken.transform != "unroll":
            break
        tried = [_attempt(entry.data["attempt"]).proposal for entry in entries if _decides(entry, before)]
        found |= {(one.kernel, *one.key) for one in tried if one.family == taken.family}
        text = before
    return found


def _decides(entry: JournalEntry, text: str) -> bool:
    return entry.event == "decided" and entry.data.get("text") == text


def declined(entries: tuple[JournalEntry, ...]) -> set[str]:
    """Texts that somebody was asked about and did not want."""
    return {str(entry.data["after"]) for entry in entries if entry.event == "declined"}


def _proposal(data: Any) -> Proposal:
    """As _attempt."""
    return data if isinstance(data, Proposal) else Proposal(**data)


def _attempt(data: Any) -> Attempt:
    """An attempt as the journal keeps it, or as it is still in memory."""
    if isinstance(data, Attempt):
        return data
    return Attempt(
        proposal=_proposal(data["proposal"]),
        accepted=bool(data["accepted"]),
        refusals=tuple(Refusal(**refusal) for refusal in data["refusals"]),
        kernel_ratio=data["kernel_ratio"],
    )
