"""Ctrl-C, or a request to end, in the midst of every command that takes time: it ends soon, says so in
a line, and leaves no process, no scratch file and no document that is not whole."""

from __future__ import annotations

import json
import shutil
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from .conftest import SOURCE, Started, Stock

INTERRUPTED = 130  # docs/reference/exit-codes.md
SOON_SECONDS = 60.0  # a second or two; a machine can be slow, and busy
DRAFTS = ("*.draft", "*.partial", "*.tmp", ".draft-*", "work-*", "bundle-*")


@dataclass(frozen=True)
class Case:
    words: Callable[[Stock], list[object]]
    child: str | None = None
    """The program that runs when it is interrupted; else it is interrupted while it computes itself."""
    work_s: float = 0.6
    has_json: bool = True


CASES = {
    "profile": Case(lambda s: ["profile", "--json", s.program, "hang"], "scale"),
    "profile --no-rocprof": Case(lambda s: ["profile", "--json", "--no-rocprof", s.program, "hang"], "scale"),
    "analyze": Case(lambda s: ["analyze", "--json", "--out", "o", s.table]),
    "analyze --each": Case(
        lambda s: [
            "analyze",
            "--json",
            "--executor",
            "local",
            "--workers",
            2,
            "--out",
            "o",
            s.table,
            s.table,
        ],
        "python",
    ),
    "report": Case(lambda s: ["report", s.table, "-o", "page.html"], has_json=False),
    "export": Case(lambda s: ["export", s.table, "--csv", "tables"], has_json=False),
    "compare": Case(lambda s: ["compare", "--json", s.table, s.table]),
    "check": Case(lambda s: ["check", "--json", s.program, "hang"], "scale"),
    "capture": Case(lambda s: ["capture", "--json", "--out", "c", s.program, "hang"], "scale"),
    "replay full-vm": Case(
        lambda s: ["replay", "full-vm", "--json", s.capture, "--iterations", 1_000_000], "rocm-perf-replay"
    ),
    "replay validate": Case(
        lambda s: ["replay", "validate", "--json", s.capture, "--runs", 1000], "rocm-perf-replay"
    ),
    "replay minimise": Case(
        lambda s: ["replay", "minimise", "--json", s.capture, "--out", "m", "--runs", 1000],
        "rocm-perf-replay",
    ),
    "replay build": Case(
        lambda s: [
            "replay",
            "build",
            "--json",
            s.capture,
            "--source",
            s.space,
            "--build",
            f"{s.program} hang {{source}} {{output}}",
        ],
        "scale",
    ),
    "replay profile": Case(
        lambda s: ["replay", "profile", "--json", s.capture, "--pmc", "SQ_WAVES", "SQ_INSTS_VALU"],
        "rocm-perf-replay",
    ),
    "suite run": Case(lambda s: ["suite", "run", "--json", s.capture, "--runs", 1000], "rocm-perf-replay"),
    "optimize": Case(
        lambda s: [
            "optimize",
            "--json",
            s.program,
            "hang",
            "--source",
            "k.hip",
            "--build",
            f"{s.build} {{source}} {{output}}",
        ],
        "variant",
    ),
    "autotune": Case(
        lambda s: ["autotune", "--json", "--space", s.space, "--cmd-template", f"{s.program} hang {{N}}"],
        "scale",
    ),
    "autotune --executor local": Case(
        lambda s: [
            "autotune",
            "--json",
            "--executor",
            "local",
            "--space",
            s.space,
            "--out",
            "t",
            "--cmd-template",
            f"{s.program} hang {{N}}",
        ],
        "scale",
    ),
    "demo": Case(lambda s: ["demo"], "two_streams", has_json=False),
    "doctor": Case(lambda s: ["doctor", "--json"], "zig"),
    "roofline --calibrate": Case(lambda s: ["roofline", "--calibrate", "--json", "--store", "s"], "zig"),
    "vrocm hipcc": Case(lambda s: ["vrocm", "hipcc", "-O3", "k.hip", "-o", "k"], "zig", has_json=False),
}


@pytest.fixture
def start(stock: Stock, tmp_path: Path) -> Iterator[Callable[[Case], Started]]:
    started: list[Started] = []

    def begin(case: Case) -> Started:
        (tmp_path / "work").mkdir()
        shutil.copy(SOURCE, tmp_path / "work" / "k.hip")
        started.append(Started([str(word) for word in case.words(stock)], tmp_path, stock.environment))
        return started[-1]

    yield begin
    for one in started:
        one.close()


# A request to end is handled where Ctrl-C is: by whoever waits for a process, by executors, by main().
ALSO_ASKED = (
    "profile",
    "analyze",
    "capture",
    "replay full-vm",
    "optimize",
    "autotune --executor local",
    "doctor",
    "vrocm hipcc",
)
SIGNALS = [(name, signal.SIGINT) for name in CASES] + [(name, signal.SIGTERM) for name in ALSO_ASKED]


@pytest.mark.parametrize(("name", "number"), SIGNALS, ids=lambda value: getattr(value, "name", value))
def test_interrupted(start: Callable[[Case], Started], name: str, number: signal.Signals) -> None:
    case = CASES[name]
    command = start(case)
    if case.child is not None:
        command.wait_for_child(case.child)
    else:
        command.wait_for_work(case.work_s)
    code, out, err, took = command.interrupt(number)
    assert code == INTERRUPTED, (out, err)
    assert took < SOON_SECONDS
    assert "Traceback" not in err
    if case.child != "zig":  # compilers say nothing then
        message = [line for line in err.splitlines() if line.startswith("error: ")][-1]
        assert "interrupted" in message, err
    if case.has_json:
        assert json.loads(out)["error"]["kind"] == "interrupted"
    assert command.descendants() == {}
    assert list(command.scratch.iterdir()) == []
    assert [path for draft in DRAFTS for path in command.work.rglob(draft)] == []
    for document in command.work.rglob("*.json"):
        json.loads(document.read_text())
