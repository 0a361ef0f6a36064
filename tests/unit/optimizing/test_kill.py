"""An optimization that is killed (SIGKILL) at every step: the source is old or new, and --resume goes on."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from rocm_perf_lab.optimizing.loop import LoopSettings, OptimizationLoop
from rocm_perf_lab.optimizing.proposers.rules import RulesProposer
from rocm_perf_lab.optimizing.records.document import changes_in
from rocm_perf_lab.optimizing.records.folder import CHANGES, JOURNAL, WORK, folder_of, last_run, new_run
from rocm_perf_lab.optimizing.records.journal import OptimizationJournal, read_journal
from rocm_perf_lab.optimizing.records.left_behind import clear_left_behind
from rocm_perf_lab.optimizing.records.take_back import take_back
from rocm_perf_lab.optimizing.trial import Tried
from rocm_perf_lab.replaying.hashed_tar import Member, write_tar

from .test_loop import SOURCE, MadeUp

AUDITED = {"open", "os.mkdir", "os.rename", "os.remove", "os.rmdir", "shutil.rmtree", "tempfile.mkstemp"}


def optimize(source: Path, stages: MadeUp, resume: bool) -> None:
    """What the command does, with stages that are made up and a change that is written."""
    clear_left_behind(source)
    folder = last_run(source) if resume else new_run(folder_of(source))
    with (
        OptimizationJournal(folder / JOURNAL) as journal,
        tempfile.TemporaryDirectory(prefix=WORK, dir=folder),
    ):

        def bundle(before: bytes, tried: Tried, record: Path) -> dict[str, object]:
            record.mkdir(parents=True, exist_ok=True)
            written = write_tar(record / "bundle.tar", b"{}", [Member("before", content=before)])
            return {"file": "bundle.tar", "sha256": written.sha256}

        settings = LoopSettings(iterations=2, trials=1)
        OptimizationLoop(
            source,
            stages,
            RulesProposer(),
            journal,
            folder / CHANGES,
            settings,
            lambda: 0.0,
            bundle=bundle,
        ).run()


def faster(text: str) -> float:
    return (0.8 if "unroll 4" in text else 1.0) * (0.9 if "unroll 2" in text else 1.0)


class Steps:
    """Counts what a process does to the disk and asks of its stages, and kills it at one of these."""

    def __init__(self, kill_at: int) -> None:
        self.done = 0
        self.kill_at = kill_at

    def step(self) -> None:
        self.done += 1
        if self.done == self.kill_at:
            os.kill(os.getpid(), signal.SIGKILL)

    def watch(self, stages: MadeUp) -> None:
        real_write, real_step = os.write, stages._step

        def write(file: int, data: bytes) -> int:
            self.step()
            self.done += 1
            if self.done == self.kill_at:  # in the middle of it
                real_write(file, data[: len(data) // 2])
                os.kill(os.getpid(), signal.SIGKILL)
            return real_write(file, data)

        def stage(*arguments: object) -> None:
            self.step()
            real_step(*arguments)

        os.write, os.fsync = write, lambda file: self.step()
        stages._step = stage
        sys.addaudithook(lambda event, _: self.step() if event in AUDITED else None)


def in_a_process(work: Callable[[], None]) -> int:
    """How a copy of this process ends that does this: 0, or minus the signal that killed it."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            work()
            code = 0
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def a_source(folder: Path) -> Path:
    folder.mkdir()
    source = folder / "k.hip"
    source.write_text(SOURCE)
    return source


def test_killed_at_every_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", lambda file: None)  # a kill loses nothing that the kernel has
    reference = a_source(tmp_path / "reference")
    optimize(reference, MadeUp(faster), resume=False)
    new = reference.read_bytes()
    assert new.count(b"#pragma unroll") == 1
    killed, outcomes = 0, set()
    while True:
        killed += 1
        source = a_source(tmp_path / str(killed))

        def dying(source: Path = source, kill_at: int = killed) -> None:
            stages, steps = MadeUp(faster), Steps(kill_at)
            steps.watch(stages)
            optimize(source, stages, resume=False)

        ended = in_a_process(dying)
        present = source.read_bytes()
        assert present in (SOURCE.encode(), new)
        if ended == 0:
            break
        assert ended == -signal.SIGKILL
        outcomes.add(present == new)
        _goes_on(source, new)
    assert killed > 100  # else nothing was killed
    assert outcomes == {False, True}


def _goes_on(source: Path, new: bytes) -> None:
    begun = any(folder_of(source).glob(f"run-*/{JOURNAL}"))
    optimize(source, MadeUp(faster), resume=begun)
    assert source.read_bytes() == new
    run = last_run(source)
    _, accepted = changes_in(read_journal(run / JOURNAL), run)
    assert [change.place for change in accepted][-1:] == ["written"]
    assert [path.name for path in source.parent.iterdir() if path.name != ".rocm-perf"] == ["k.hip"]
    left = [path.name for path in run.rglob("*") if path.name.startswith((WORK, "bundle-", ".bundle"))]
    assert left == []
    assert take_back(source).taken_back
    assert source.read_text() == SOURCE
