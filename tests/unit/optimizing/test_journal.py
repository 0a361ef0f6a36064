"""The journal: appended whole, readable after a crash at any byte, and changes of it show."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from rocm_perf_lab.errors import BadInput, EnvironmentProblem, UsageProblem
from rocm_perf_lab.optimizing.records.journal import OptimizationJournal, read_journal


@dataclass
class Numbers:
    ratio: float
    where: Path


def filled(path: Path, count: int = 3) -> bytes:
    with OptimizationJournal(path) as journal:
        for number in range(count):
            journal.append("decision", number=number, ratio=0.5 * number, name="größer")
    return path.read_bytes()


def test_there_and_back(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "journal.jsonl"
    with OptimizationJournal(path) as journal:
        journal.append("start", figures=Numbers(float("nan"), Path("/a")), kinds={"b", "a"}, none=None)
    with OptimizationJournal(path) as journal:
        assert [entry.event for entry in journal.entries] == ["start"]
        journal.append("end")
    first, last = read_journal(path)
    assert first.data == {"figures": {"ratio": None, "where": "/a"}, "kinds": ["a", "b"], "none": None}
    assert (first.sequence, last.sequence) == (0, 1)
    assert all(json.loads(line)["time"] for line in path.read_text().splitlines())


def test_torn_at_every_byte(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    whole = filled(path)
    second_line = whole.index(b"\n") + 1
    for cut in range(second_line, len(whole), 7):
        path.write_bytes(whole[:cut])
        complete = whole[:cut].count(b"\n")
        assert len(read_journal(path)) == complete
        with OptimizationJournal(path) as journal:
            assert len([entry for entry in journal.entries if entry.event == "decision"]) == complete
            journal.append("go on")
        assert read_journal(path)[-1].event == "go on"
        assert path.read_bytes().startswith(whole[:cut])


def test_torn_while_a_torn_line_is_told_of(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    path.write_bytes(filled(path)[:-9])
    torn = path.read_bytes()
    OptimizationJournal(path).close()
    note = path.read_bytes()[len(torn) :]
    for cut in (2, len(note) // 2, len(note) - 1):
        path.write_bytes(torn + note[:cut])
        assert len(read_journal(path)) == 2
        with OptimizationJournal(path) as journal:
            journal.append("go on")
        assert [entry.event for entry in read_journal(path)][-2:] == ["torn", "go on"]


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace(b'"number": 1', b'"number": 9'),
        lambda text: b"".join(text.splitlines(keepends=True)[::2]),
        lambda text: b"garbage\n" + text,
        lambda text: text.replace(b"sequence", b"consequence", 1),
    ],
)
def test_changes_show(tmp_path: Path, change) -> None:
    path = tmp_path / "journal"
    path.write_bytes(change(filled(path)))
    with pytest.raises(BadInput):
        read_journal(path)
    with pytest.raises(BadInput):
        OptimizationJournal(path)


def test_one_process_at_a_time(tmp_path: Path) -> None:
    with OptimizationJournal(tmp_path / "j"), pytest.raises(UsageProblem):
        OptimizationJournal(tmp_path / "j")
    OptimizationJournal(tmp_path / "j").close()


def test_a_full_disk_is_said(tmp_path: Path) -> None:
    journal = OptimizationJournal(tmp_path / "j")
    os.close(journal.file._file)
    journal.file._file = os.open("/dev/full", os.O_WRONLY)
    with pytest.raises(EnvironmentProblem, match="cannot be written"):
        journal.append("decision")
    journal.close()


def test_killed_while_writing(tmp_path: Path) -> None:
    path = tmp_path / "j"
    script = (
        "import sys; from pathlib import Path\n"
        "from rocm_perf_lab.optimizing.records.journal import OptimizationJournal\n"
        "journal = OptimizationJournal(Path(sys.argv[1]))\n"
        "number = 0\n"
        "while True:\n"
        "    journal.append('decision', number=number, text='x' * 5000); number += 1\n"
    )
    process = subprocess.Popen([sys.executable, "-c", script, str(path)])
    while not path.exists() or path.stat().st_size < 50_000:
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    with OptimizationJournal(path) as journal:
        numbers = [entry.data["number"] for entry in journal.entries if entry.event == "decision"]
    assert numbers == list(range(len(numbers)))
    assert len(numbers) >= 9
