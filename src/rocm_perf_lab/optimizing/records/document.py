"""The document of an optimization, from its journal: with what was decided before it was resumed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rocm_perf_lab.analysis.gate import Judgement
from rocm_perf_lab.contracts.changes.optimization import (
    AcceptedChange,
    ChangePlace,
    LeftOutKernel,
    TimeChange,
    TrialResult,
    TriedChange,
)
from rocm_perf_lab.contracts.changes.proposal import Proposal
from rocm_perf_lab.contracts.changes.proposal_refusal import Refusal
from rocm_perf_lab.optimizing.records.folder import CHANGES
from rocm_perf_lab.optimizing.records.journal import JournalEntry
from rocm_perf_lab.optimizing.records.safe_write import DIFF
from rocm_perf_lab.optimizing.time_change import time_change

Changes = tuple[tuple[TriedChange, ...], tuple[AcceptedChange, ...]]


def changes_in(entries: Sequence[JournalEntry], folder: Path, *, keeps: bool = True) -> Changes:
    """What was tried and what was accepted; ``keeps``: the folder stays, so that it can be named."""
    tried: list[dict[str, Any]] = []
    accepting: list[tuple[int, str, ChangePlace]] = []
    bundled: dict[str, Mapping[str, Any]] = {}
    steps: dict[str, Mapping[str, Any]] = {}
    for entry in entries:
        if entry.event in ("checked", "compared", "replayed", "not replayed", "measured"):
            steps[entry.event] = entry.data
        elif entry.event == "decided":
            own = {
                name: step
                for name, step in steps.items()
                if step["proposal"] == entry.data["attempt"]["proposal"]
            }
            tried.append({"data": entry.data, "steps": own})
            steps = {}
        elif entry.event == "accepting":
            trial = _last(tried, entry.data["proposal"])
            accepting.append((trial, str(entry.data["record"]), "interrupted"))
        elif entry.event == "bundled":
            bundled[str(entry.data["record"])] = entry.data
        elif entry.event in ("accepted", "declined") and accepting:
            place: ChangePlace = "written" if entry.data["written"] else "kept"
            accepting[-1] = (*accepting[-1][:2], "declined" if entry.event == "declined" else place)
    taken = {trial for trial, _, place in accepting if place in ("written", "kept")}
    return (
        tuple(_tried(one["data"], one["steps"], at in taken) for at, one in enumerate(tried)),
        tuple(
            _accepted(folder / CHANGES / record, trial, place, bundled.get(record), keeps)
            for trial, record, place in accepting
        ),
    )


def begun_with(entries: Sequence[JournalEntry]) -> str | None:
    """SHA-256 of the source when the optimization was begun, before it was resumed."""
    return next((entry.data.get("sha256") for entry in entries if entry.event == "start"), None)


def left_out_in(entries: Sequence[JournalEntry]) -> tuple[LeftOutKernel, ...]:
    """By the last profile."""
    profiled = [entry for entry in entries if entry.event == "profiled"]
    found = profiled[-1].data["left_out"] if profiled else ()
    return tuple(LeftOutKernel(kernel=name, refusal=Refusal(**refusal)) for name, refusal in found)


def _last(tried: Sequence[Mapping[str, Any]], proposal: Mapping[str, Any]) -> int:
    return max(at for at, one in enumerate(tried) if one["data"]["attempt"]["proposal"] == proposal)


def _tried(data: Mapping[str, Any], steps: Mapping[str, Mapping[str, Any]], taken: bool) -> TriedChange:
    attempt = data["attempt"]
    result: TrialResult = "refused" if not attempt["accepted"] else "taken" if taken else "passed"
    measured, replayed = steps.get("measured"), steps.get("replayed")
    not_replayed = steps.get("not replayed")
    return TriedChange(
        kernel=data["kernel"],
        proposal=Proposal(**attempt["proposal"]),
        result=result,
        refusals=tuple(Refusal(**refusal) for refusal in attempt["refusals"]),
        checkers=steps["checked"]["what"] if "checked" in steps else None,
        results=steps["compared"]["equality"]["statement"] if "compared" in steps else None,
        replays=replayed["how"] if replayed else not_replayed["why"] if not_replayed else None,
        replay_time=_time(replayed, "kernel") if replayed else None,
        kernel_time=_time(measured, "kernel") if measured else None,
        whole_time=_time(measured, "whole") if measured else None,
        process_time=_time(measured, "process") if measured and measured.get("process") else None,
    )


def _time(measured: Mapping[str, Any], what: str) -> TimeChange:
    medians = measured["medians"]
    return time_change(Judgement(**measured[what]), medians[f"{what}_ms"], medians["origin"])


def _accepted(
    record: Path, trial: int, place: ChangePlace, bundled: Mapping[str, Any] | None, keeps: bool
) -> AcceptedChange:
    diff = record / DIFF
    return AcceptedChange(
        trial=trial,
        place=place,
        diff=diff.read_text(errors="replace") if diff.is_file() else "",
        record=str(record) if keeps and diff.is_file() else None,
        bundle=str(record / bundled["file"]) if keeps and bundled else None,
        bundle_sha256=bundled["sha256"] if keeps and bundled else None,
    )
