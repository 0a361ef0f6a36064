"""rocm-perf optimize without a GPU: its command line, its document from a journal, its text, taking back."""

from __future__ import annotations

import itertools
import json
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from rocm_perf_lab.api.optimization import run_loop as optimization_run
from rocm_perf_lab.api.optimization.answer import answer_of
from rocm_perf_lab.api.optimization.plan import OptimizationPlan, settings_of
from rocm_perf_lab.cli import main as program
from rocm_perf_lab.cli import optimize
from rocm_perf_lab.contracts.changes.optimization import (
    AcceptedChange,
    OptimizationDocument,
    OptimizationFiles,
    TimeChange,
    TriedChange,
)
from rocm_perf_lab.contracts.changes.proposal import Attempt, Proposal
from rocm_perf_lab.contracts.changes.proposal_refusal import Refusal
from rocm_perf_lab.contracts.documents import from_json, to_json
from rocm_perf_lab.errors import UsageProblem
from rocm_perf_lab.optimizing.app_stages import AppStages
from rocm_perf_lab.optimizing.loop import OptimizationLoop
from rocm_perf_lab.optimizing.records.document import changes_in, left_out_in
from rocm_perf_lab.optimizing.records.folder import CHANGES, JOURNAL, folder_of, last_run, new_run, runs_of
from rocm_perf_lab.optimizing.records.journal import OptimizationJournal, read_journal
from rocm_perf_lab.optimizing.records.safe_write import keep_change, write_change
from rocm_perf_lab.optimizing.records.take_back import take_back
from rocm_perf_lab.optimizing.refused import Refused
from rocm_perf_lab.optimizing.request import OptimizationRequest
from rocm_perf_lab.reporting.terminal.optimize import render, render_trial
from rocm_perf_lab.requests.values import seconds

KERNEL = "__global__ void k(float* x) { for (int i = 0; i < 8; ++i) x[i] += 1; }\n"


def proposal(factor: int = 4) -> Proposal:
    return Proposal(
        proposer="rules",
        kernel="k",
        transform="unroll",
        loop=0,
        line=1,
        factor=factor,
        target=None,
        expected_gain=0.1,
        reasoning="a loop",
    )


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "k.hip").write_text(KERNEL)
    (tmp_path / "app").write_text("#!/bin/sh\n")
    (tmp_path / "app").chmod(0o755)
    return tmp_path


def called(*words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """Exit code, stdout and stderr."""
    monkeypatch.setattr(sys, "argv", ["rocm-perf", "optimize", *words])
    with pytest.raises(SystemExit) as caught:
        program.main()
    said = capsys.readouterr()
    return caught.value.code, said.out, said.err


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        ([], 2, "neither a source nor a program"),
        (["./app"], 2, "none can be found through app"),
        (["./gone"], 2, "there is no program"),
        (["k.hip", "./app", "--source", "k.hip"], 2, "two sources are named"),
        (["./app", "--source", "none.hip"], 6, "none.hip"),
        (["none.hip", "./app"], 6, "none.hip"),
        (["k.hip"], 2, "no program is given"),
        (["k.hip", "./gone"], 2, "there is no program"),
        (["k.hip", "./app", "--via", "guess"], 2, "guess"),
        (["k.hip", "./app", "--allow", "magic"], 2, "there is no transform 'magic'"),
        (["k.hip", "./app", "--budget", "soon"], 2, "is no time"),
        (["k.hip", "./app", "--kernel", "("], 2, "not a regular expression"),
        (["k.hip", "./app", "--dry-run", "--yes"], 2, "--dry-run keeps nothing"),
        (["k.hip", "./app", "--dry-run", "--resume"], 2, "--dry-run keeps nothing"),
        (["k.hip", "./app", "--build", "make"], 2, "where {source} goes"),
        (["k.hip", "./app", "--build", "hipcc {source}"], 2, "where {output} goes"),
        (["k.hip", "./app", "--build", "hipcc '{source} {output}"], 2, "cannot be read"),
        (["k.hip", "./app", "--max-iters", "0"], 2, "--max-iters"),
        (["k.hip", "./app", "--max-trials", "0"], 2, "--max-trials"),
        (["k.hip", "./app", "--min-improvement", "1"], 2, "--min-improvement"),
        (["k.hip", "./app", "--timeout", "0"], 2, "--timeout"),
        (["k.hip", "./app", "--budget", "0"], 2, "is no time"),
        (["k.hip", "./app", "--proposer", "llm"], 2, "no endpoint is named"),
        (["k.hip", "./app | cat"], 2, "is a line for a shell"),
        (["k.hip", "X=1 ./app"], 2, "sets a variable"),
        (["k.hip", "./k.hip"], 2, "is not executable"),
        (["k.cuh", "./app"], 2, "is a header"),
        (["./app", "--source", "k.hpp"], 2, "is a header"),
        (["./app", "--source"], 2, "requires an argument"),
        (["--resume"], 2, "neither a source nor a program"),
        (["k.hip", "--revert", "--yes"], 2, "--yes is for optimizing"),
        (["k.hip", "--revert", "--dry-run"], 2, "--dry-run is for optimizing"),
        (["k.hip", "./app", "--model", "x"], 2, "--proposer llm only"),
        (["k.hip", "./app", "--proposer", "oracle"], 2, "no proposer 'oracle'"),
        (["k.hip", "./app", "--resume"], 2, "to resume"),
        (["k.hip", "--revert"], 2, "no optimization has written"),
        (["--source", "gone.hip", "--revert"], 6, "gone.hip cannot be read"),
    ],
)
def test_what_makes_no_sense_is_said(words, code, says, here, monkeypatch, capsys) -> None:
    found, out, err = called(*words, monkeypatch=monkeypatch, capsys=capsys)
    assert (found, out) == (code, "")
    assert says in err
    assert not (here / ".rocm-perf").exists()


@pytest.mark.parametrize(("text", "want"), [("90s", 90), ("10m", 600), ("2h", 7200), ("5", 5), (None, None)])
def test_budgets(text: str | None, want: float | None) -> None:
    assert seconds(text) == want


def test_both_forms_are_the_same(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plans: list[OptimizationPlan] = []

    def run_loop(plan: OptimizationPlan, *others: object) -> None:
        plans.append(plan)
        raise UsageProblem("enough is known")

    monkeypatch.setattr(optimization_run, "run_loop", run_loop)
    for words in (
        ["./app", "3", "--size", "4", "--source", "k.hip", "--max-iters", "2"],
        ["k.hip", "./app 3 --size 4", "--max-iters", "2"],
    ):
        with pytest.raises(UsageProblem, match="enough"):
            optimize.command.main(words, standalone_mode=False)
    same = replace(plans[1].request, program=plans[0].request.program, source=plans[0].request.source)
    assert plans[0] == replace(plans[1], request=same)
    assert plans[0].program == ("./app", "3", "--size", "4")
    assert settings_of(plans[0].request).iterations == 2


@pytest.mark.parametrize(
    ("error", "code", "says"),
    [
        (KeyboardInterrupt(), 130, "--resume goes on"),
        (Refused("build-failed", "no such type"), 6, "the compiler refuses"),
        (Refused("build-timed-out", "after 300 s"), 7, "longer than it may"),
    ],
)
def test_the_journal_is_kept_whatever_happens(error, code, says, here, monkeypatch, capsys) -> None:
    def run(loop: OptimizationLoop) -> None:
        loop.journal.append("start", source="k.hip")
        raise error

    monkeypatch.setattr(OptimizationLoop, "run", run)
    found, out, err = called("k.hip", "./app", monkeypatch=monkeypatch, capsys=capsys)
    assert (found, out) == (code, "")
    assert says in err
    (kept,) = runs_of(here / "k.hip")
    assert [path.name for path in kept.iterdir()] == ["journal.jsonl"]  # the work folder is gone
    assert [entry.event for entry in read_journal(kept / "journal.jsonl")] == ["start"]
    assert last_run(here / "k.hip") == kept


def test_a_terminal_is_asked_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = SimpleNamespace(attempt=SimpleNamespace(proposal=proposal()))

    def answer(terminal: bool, says: bool = False, **options: bool) -> str:
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(isatty=lambda: terminal))
        monkeypatch.setattr(sys, "stderr", SimpleNamespace(isatty=lambda: terminal, write=len, flush=int))
        asked: list[str] = []
        monkeypatch.setattr(optimize.click, "confirm", lambda question, **_: asked.append(question) or says)
        request = OptimizationRequest(("./app",), ask=optimize.asker(), **options)
        found = answer_of(request, Path("k.hip"))(b"a\n", b"b\n", tried)
        return f"{found} {len(asked)}"

    assert answer(terminal=False) == "keep 0"
    assert answer(terminal=False, yes=True) == "write 0"
    assert answer(terminal=True, yes=True) == "write 0"
    assert answer(terminal=True, dry_run=True) == "keep 0"
    assert answer(terminal=True, says=True) == "write 1"
    assert answer(terminal=True, says=False) == "decline 1"


def judged(ratio: float) -> dict[str, object]:
    bounds = {"ratio": ratio, "low": ratio, "high": ratio}
    return {"pairs": 1, **bounds, "level": 0.99, "exact": True, "verdict": "win", "reason": ""}


def test_the_document_is_what_the_journal_says(tmp_path: Path) -> None:
    refusal = Refusal(code="barrier-in-loop", detail="x")
    sides = {"baseline": 2.0, "variant": 1.0}
    medians = {"origin": "simulated", "kernel_ms": sides, "whole_ms": {"baseline": 3.0, "variant": 2.0}}
    with OptimizationJournal(tmp_path / "journal") as journal:
        journal.append("profiled", left_out=[("other", Refusal(code="kernel-not-found", detail="other"))])
        for factor in (2, 4):
            journal.append("compared", proposal=proposal(factor), equality={"statement": "the same"})
            journal.append(
                "measured", proposal=proposal(factor), kernel=judged(0.5), whole=judged(0.7), medians=medians
            )
            attempt = Attempt(proposal=proposal(factor), accepted=True, refusals=(), kernel_ratio=0.5)
            journal.append("decided", kernel="k(float*)", attempt=attempt)
        attempt = Attempt(proposal=proposal(8), accepted=False, refusals=(refusal,), kernel_ratio=None)
        journal.append("decided", kernel="k(float*)", attempt=attempt)
        journal.append("accepting", record="change-6", proposal=proposal(4))
        keep_change(Path("k.hip"), b"old\n", b"new\n", tmp_path / CHANGES / "change-6")
        journal.append("accepted", written=False)
    entries = read_journal(tmp_path / "journal")
    tried, (accepted,) = changes_in(entries, tmp_path)
    assert [one.result for one in tried] == ["passed", "taken", "refused"]
    assert tried[1].kernel_time is not None
    assert (tried[1].kernel_time.before_ms, tried[1].kernel_time.after_ms) == (2.0, 1.0)
    assert tried[1].kernel_time.origin == "simulated"
    assert (tried[1].results, tried[1].checkers) == ("the same", None)
    assert (tried[2].kernel_time, tried[2].refusals) == (None, (refusal,))
    assert (accepted.trial, accepted.place) == (1, "kept")
    assert "-old\n+new\n" in accepted.diff
    (left,) = left_out_in(entries)
    assert (left.kernel, left.refusal.code) == ("other", "kernel-not-found")


def document(place: str = "written", **changes) -> OptimizationDocument:
    time = TimeChange(
        origin="simulated",
        before_ms=2.0,
        after_ms=1.0,
        ratio=0.5,
        ratio_low=0.49,
        ratio_high=0.51,
        level=0.99,
        pairs=9,
        exact=False,
        verdict="win",
    )
    common = {"kernel": "k(float*)", "checkers": None, "results": "byte for byte"}
    common |= {"replays": None, "replay_time": None, "process_time": None}
    refusals = (Refusal(code="kernel-slower", detail="by 3 %"),)
    values = {
        "origin": "simulated",
        "source": "k.hip",
        "command": ("./app",),
        "build": "hipcc {source} -o {output}",
        "proposer": "rules",
        "via": "app",
        "dry_run": False,
        "end": "nothing improves",
        "before_sha256": "0",
        "present_sha256": "1",
        "accepted": (
            AcceptedChange(
                trial=0,
                place=place,
                diff="-old\n+new\n",
                record="folder",
                bundle="folder/bundle.tar",
                bundle_sha256="0" * 64,
            ),
        ),
        "tried": (
            TriedChange(
                **common, proposal=proposal(4), result="taken", refusals=(), kernel_time=time, whole_time=time
            ),
            TriedChange(
                **common,
                proposal=proposal(8),
                result="refused",
                refusals=refusals,
                kernel_time=None,
                whole_time=None,
            ),
        ),
        "left_out": (),
        "files": OptimizationFiles(
            folder="f", journal="f/journal", document="f/d", page="f/page", patch=None
        ),
        "notes": ("a note",),
    }
    return OptimizationDocument(**{**values, **changes})


def test_there_and_back() -> None:
    whole = document()
    assert from_json(OptimizationDocument, to_json(whole), "optimization.json") == whole
    with pytest.raises(ValueError, match="files"):
        to_json(document(files=None))


def test_text() -> None:
    text = render(document())
    assert text.startswith("SIMULATED  k.hip: 2 changes tried, 1 change accepted; nothing else improves it")
    assert "2.000 ms -> 1.000 ms  ratio 0.5000 (0.4900 … 0.5100)  [simulated]" in text
    assert "1 x kernel-slower" in text
    assert "rocm-perf optimize --revert --source k.hip" in text
    assert "+new" not in text
    kept = OptimizationFiles(
        folder="f", journal="f/journal", document="f/d", page="f/page", patch="f/change.diff"
    )
    text = render(document("kept", files=kept))
    assert "patch k.hip < f/change.diff" in text
    assert "+new" in text
    assert "--revert" not in text
    assert "patch 'my k.hip' < f/change.diff" in render(document("kept", files=kept, source="my k.hip"))
    declined = render(document("declined"))
    assert "patch k.hip < folder/change.diff" in declined
    assert "0 changes accepted, 1 declined" in declined
    dry = render(document("kept", dry_run=True, files=None, missing={"files": "none"}))
    assert "would be accepted" in dry
    assert "patch" not in dry


def test_a_reason_counts_once_a_change() -> None:
    whole = document()
    twice = tuple(Refusal(code="whole-not-faster", detail=of) for of in ("whole program", "process"))
    text = render(replace(whole, tried=(whole.tried[0], replace(whole.tried[1], refusals=twice))))
    assert "1 x whole-not-faster" in text
    assert render_trial("k", "unroll", False, twice).split() == ["k", "unroll", "whole-not-faster"]


def begun(source: Path) -> Path:
    """The folder of an optimization that has begun."""
    place = new_run(folder_of(source))
    OptimizationJournal(place / JOURNAL).close()
    return place


def test_taking_back_run_by_run(tmp_path: Path) -> None:
    source = tmp_path / "k.hip"
    source.write_bytes(b"0")
    for run, texts in enumerate([b"012", b"23"]):
        place = begun(source)
        assert place.name == f"run-{run + 1}"
        for number, (before, after) in enumerate(itertools.pairwise(texts)):
            write_change(source, bytes([before]), bytes([after]), place / CHANGES / f"change-{9 + number}")
    assert source.read_bytes() == b"3"
    assert len(take_back(source).taken_back) == 1
    assert source.read_bytes() == b"2"
    assert len(take_back(source).taken_back) == 2
    assert source.read_bytes() == b"0"
    assert take_back(source).taken_back == ()
    source.write_bytes(b"mine")
    with pytest.raises(UsageProblem, match="changed since"):
        take_back(source)
    assert source.read_bytes() == b"mine"


def test_reverting_as_json(here: Path, monkeypatch, capsys) -> None:
    source = here / "k.hip"
    record = begun(source) / CHANGES / "change-1"
    write_change(source, KERNEL.encode(), b"new", record)
    code, out, _ = called("k.hip", "--revert", "--json", monkeypatch=monkeypatch, capsys=capsys)
    assert code == 0
    assert json.loads(out)["taken_back"] == [str(record)]
    assert source.read_text() == KERNEL


def test_a_source_without_the_kernel(here: Path, monkeypatch, capsys) -> None:
    def run(loop: OptimizationLoop) -> SimpleNamespace:
        left = [("other()", Refusal(code="kernel-not-found", detail="other()"))]
        loop.journal.append("profiled", left_out=left)
        assert isinstance(loop.stages, AppStages)
        loop.stages.origin = "simulated"
        return SimpleNamespace(text=KERNEL.encode(), end="nothing improves")

    monkeypatch.setattr(OptimizationLoop, "run", run)
    code, out, err = called("k.hip", "./app", monkeypatch=monkeypatch, capsys=capsys)
    assert (code, out) == (5, "")
    assert "kernel-not-found" in err
