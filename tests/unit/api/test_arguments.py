"""Arguments that make no sense are refused as on the command line, before anything is run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rocm_perf_lab as rpl
from rocm_perf_lab.profiling.processes.command_line import command_of


@pytest.mark.parametrize(
    ("call", "cause"),
    [
        (lambda: rpl.profile("./app", runs=0), "--runs 0"),
        (lambda: rpl.profile("./app", warmup=-1), "--warmup -1"),
        (lambda: rpl.profile("./app", timeout=0), "--timeout 0"),
        (lambda: rpl.profile("./app", kernel="("), "not a regular expression"),
        (lambda: rpl.profile("./app", clock_mhz=100.0), "--clock-mhz has a meaning"),
        (lambda: rpl.profile("./app", rocprof=False, roofline=True), "says nothing of the GPU"),
        (lambda: rpl.profile([]), "no program"),
        (lambda: rpl.profile("./app | cat"), "shell"),
        (lambda: rpl.analyze([]), "no trace"),
        (lambda: rpl.whatif("run", speedup=float("nan")), "--speedup"),
        (lambda: rpl.whatif("run", speedup=2.0, remove_sync=True), "none is named"),
        (lambda: rpl.capture("./app", dispatch=-1), "--dispatch -1"),
        (lambda: rpl.check("./app", only=["nonsense"]), "no class of defects"),
        (lambda: rpl.replay("capture", iterations=0), "--iterations 0"),
        (lambda: rpl.validate("capture", runs=1), "--runs 1"),
        (lambda: rpl.load_run("nowhere"), "nowhere is not there"),
    ],
)
def test_refused(
    call: Callable[[], Any], cause: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(rpl.UsageProblem, match=cause):
        call()
    assert not list(tmp_path.iterdir())


def test_programs(tmp_path: Path) -> None:
    assert command_of("./app --size 5 'two words'", "profile") == ("./app", "--size", "5", "two words")
    assert command_of(["./app", "a b"], "profile") == ("./app", "a b")
    assert command_of(["./app with blanks"], "profile") == ("./app with blanks",)
    assert command_of(tmp_path / "my app", "profile") == (str(tmp_path / "my app"),)
