"""A profile that is killed (SIGKILL) at every step on the disk: what it leaves never looks whole."""

from __future__ import annotations

import os
import signal
import sqlite3
import sys
from collections.abc import Callable
from datetime import datetime, timezone
from pathlib import Path
from typing import Literal

import pytest

from rocm_perf_lab.api.compare import compare
from rocm_perf_lab.api.load_run import load_run
from rocm_perf_lab.contracts.documents import to_json
from rocm_perf_lab.contracts.failure import failure_document
from rocm_perf_lab.contracts.profiling.profile import Pass
from rocm_perf_lab.contracts.profiling.unfinished import UnfinishedRun
from rocm_perf_lab.errors import Interrupted, ProgramFailed, RocmPerfError
from rocm_perf_lab.profiling.folder.run_folder import RunFolder
from rocm_perf_lab.profiling.folder.unfinished import (
    KILLED,
    NOT_TOLD,
    ONLY_DOCUMENTS,
    UnfinishedMark,
    what_is_missing,
)
from rocm_perf_lab.profiling.measure import measure
from rocm_perf_lab.profiling.progress import Progress
from rocm_perf_lab.profiling.request import ProfileRequest
from rocm_perf_lab.profiling.wall_time import measure_wall_time
from rocm_perf_lab.reporting.terminal import profile as profile_terminal
from rocm_perf_lab.reporting.terminal import summary as summary_terminal

DUMP = Path(__file__).parents[1] / "rocpd" / "golden" / "two_streams.sql"
AUDITED = {"open", "os.mkdir", "os.rename", "os.remove"}
# Puts the database where it is told to write, in one step.
ROCPROFV3 = """#!/bin/sh
while [ "$1" != -- ]; do
    case "$1" in
        --output-directory | -d) folder=$2 ;;
        --version) echo "version: 1.0.0"; exit ;;
    esac
    shift
done
exec ln "{database}" "$folder/1_results.db"
"""


@pytest.fixture
def take(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., object]:
    """take(folder, traced=True): a profile of two runs, under a tracer that is a script."""
    database, tools = tmp_path / "saved.db", tmp_path / "rocm" / "bin"
    connection = sqlite3.connect(database)
    connection.executescript(DUMP.read_text())
    connection.close()
    tools.mkdir(parents=True)
    for name, text in {"hipcc": "#!/bin/sh\n", "rocprofv3": ROCPROFV3.format(database=database)}.items():
        (tools / name).write_text(text)
        (tools / name).chmod(0o755)
    monkeypatch.setenv("ROCM_PERF_PREFIX", str(tools.parent))
    now = datetime(2025, 1, 31, 12, 0, tzinfo=timezone.utc)

    def run(folder: Path, *, traced: bool = True) -> object:
        request = ProfileRequest(("/bin/true",), runs=2, out=folder)
        return (measure if traced else measure_wall_time)(request, now, Progress(enabled=False))

    return run


def killed_at(step: int, folder: Path, work: Callable[[], object]) -> bool:
    """Whether a copy of this process that does this was killed at a step that it takes in the folder."""
    child = os.fork()
    if child == 0:
        left, inside = step, str(folder)

        def count(event: str, arguments: tuple[object, ...]) -> None:
            nonlocal left
            if event in AUDITED and isinstance(arguments[0], (str, bytes)):
                left -= os.fsdecode(arguments[0]).startswith(inside)
                if left == 0:
                    os.kill(os.getpid(), signal.SIGKILL)

        try:
            sys.addaudithook(count)
            work()
            os._exit(0)
        finally:
            os._exit(1)
    ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert ended in (0, -signal.SIGKILL)
    return ended != 0


def told(folder: Path) -> str:
    """What report, analyze and compare say of a folder that a killed run left."""
    with pytest.raises(RocmPerfError) as refused:
        compare(folder, folder)
    if any(folder.glob("*.json")):
        assert refused.value.exit_code == 6
        assert KILLED in refused.value.cause
    try:
        run = load_run(folder)
    except RocmPerfError as error:
        return error.cause
    said = "; ".join(run.unfinished)
    assert run.unfinished[0] == KILLED
    assert compare(folder, folder, allow=["unfinished"]).differences[0].base == said
    for text in (
        profile_terminal.render(run.profile, folder, analysis=run.analysis, width=1000),
        summary_terminal.render(run.documents).replace("\n", " "),
        run.html(),
    ):
        assert f"UNFINISHED: {said}" in text
    assert "its passes do not tell what was asked for" in run.html()
    assert "UNFINISHED" in run.markdown()
    return said


def test_killed_at_every_step(take: Callable[..., object], tmp_path: Path) -> None:
    take(tmp_path / "whole")  # what is imported once is no step
    assert not (tmp_path / "whole" / "unfinished.json").exists()
    assert load_run(tmp_path / "whole").unfinished == ()
    states: dict[str, int] = {}
    step = 0
    while True:
        step += 1
        folder = tmp_path / f"killed-{step}"
        if not killed_at(step, folder, lambda folder=folder: take(folder)):
            break
        if (folder / "profile.json").exists():
            assert {"analysis.json", "roofline.json"} <= {path.name for path in folder.iterdir()}
            assert load_run(folder).unfinished == ()
            continue
        said = told(folder)
        state = next(
            (
                words
                for words in ("none of its 2", "1 of 2 timing runs", ONLY_DOCUMENTS)
                if KILLED in said and words in said
            ),
            "nothing",
        )
        states[state] = states.get(state, 0) + 1
        if (folder / "unfinished.json").exists():
            assert state != "nothing", said
    assert states.keys() == {"nothing", "none of its 2", "1 of 2 timing runs", ONLY_DOCUMENTS}
    assert states["nothing"] <= 4  # until the mark is there, there is nothing else


def test_without_a_tracer(take: Callable[..., object], tmp_path: Path) -> None:
    """There are no databases: what is there is said, and no figure is made of it."""
    take(tmp_path / "whole", traced=False)
    said = set()
    step = 0
    while True:
        step += 1
        folder = tmp_path / f"killed-{step}"
        if not killed_at(step, folder, lambda folder=folder: take(folder, traced=False)):
            break
        if not (folder / "profile.json").exists() and (folder / "unfinished.json").exists():
            said.add(told(folder).partition(KILLED)[2])
    assert {words for text in said for words in ("none of its 2", "1 of 2") if words in text} == {
        "none of its 2",
        "1 of 2",
    }


@pytest.mark.parametrize(
    ("problem", "passes", "further", "says"),
    [
        (Interrupted("interrupted in counters-3"), 3, 2, "it was interrupted in counters-3"),
        (ProgramFailed("the program crashed"), 3, 2, "it failed: the program crashed"),
        (None, 3, 2, f"{KILLED}; counters missing (2 of their passes are there)"),
        (None, 1, 0, f"{KILLED}; 1 of 3 timing runs are there; counters missing"),
    ],
)
def test_in_words(
    tmp_path: Path, problem: RocmPerfError | None, passes: int, further: int, says: str
) -> None:
    def taken(purpose: Literal["timing", "counters"]) -> Pass:
        return Pass(purpose=purpose, databases=(), counters=(), exit_code=0, gpu_time_ms=None, wall_ms=None)

    folder = RunFolder(tmp_path)
    mark = UnfinishedMark(folder, UnfinishedRun(runs=3, further=("counters", "critical path")))
    for purpose in ("timing",) * passes + ("counters",) * further:
        mark.ended(taken(purpose))  # type: ignore[arg-type]
    if problem is not None:
        folder.write("failure.json", to_json(failure_document(problem)))
    assert "; ".join(what_is_missing(tmp_path)).startswith(says)
    mark.whole("critical path")
    assert "critical path" not in "; ".join(what_is_missing(tmp_path))
    mark.whole("counters")
    assert (what_is_missing(tmp_path)[-1] == ONLY_DOCUMENTS) == (passes == 3)
    (tmp_path / "unfinished.json").write_text("{")
    assert what_is_missing(tmp_path)[-1] == NOT_TOLD
    (tmp_path / "profile.json").write_text("{}")
    assert what_is_missing(tmp_path) == ()
