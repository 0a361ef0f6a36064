"""The summary of a capture: one screen, whatever is in it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rocm_perf_lab.capturing.folder import open_capture
from rocm_perf_lab.capturing.summary import summarise
from rocm_perf_lab.contracts.captures.inspection import CaptureDocument, CapturedRun
from rocm_perf_lab.reporting.terminal.capture import render
from rocm_perf_lab.reporting.words.figures import byte_size

from .made_captures import MadeCapture, Region

KINDS = ("device", "vmem", "managed", "host", "locked", "globals")


def item(number: int, outcome: str, reason: str | None = "the reason is long " * 6) -> dict[str, Any]:
    return {
        "what": "peer memory",
        "name": f"thing {number}",
        "outcome": outcome,
        "reason": reason,
        "address": "0x7f0000900000",
        "bytes": 4096,
    }


def document_of(made: MadeCapture, folder: Path, stopped: bool = False) -> CaptureDocument:
    summary = summarise(open_capture(made.write(folder)))
    run = CapturedRun(
        origin="measured",
        command=("./app",),
        exit_code=0,
        stopped=stopped,
        wall_s=1.0,
        dispatches=12,
        matching_dispatches=5,
    )
    return CaptureDocument(origin=summary.origin, folder="some folder", capture=summary, run=run, warnings=())


def screen(made: MadeCapture, folder: Path, stopped: bool = False) -> str:
    text = render(document_of(made, folder, stopped))
    assert len(text.splitlines()) <= 23
    assert all(len(line) <= 80 for line in text.splitlines())
    return text


@pytest.mark.parametrize("complete", [True, False])
@pytest.mark.parametrize("items", [0, 1, 2, 3, 4, 50])
def test_it_fits(tmp_path: Path, complete: bool, items: int) -> None:
    regions = [
        Region(0x7F0000000000 + (number << 20), bytes(5000), None, kind) for number, kind in enumerate(KINDS)
    ]
    outcome = "left out" if complete else "refused"
    made = MadeCapture(
        demangled=f"void {'very_long_namespace::' * 12}kernel<float, 4>(float const*, float*)",
        regions=regions,
        complete=complete,
        items=[item(number, outcome) for number in range(items)] + [item(99, "captured", None)],
    )
    text = screen(made, tmp_path / "c")
    assert ("NOT COMPLETE" in text) is not complete
    assert ("replay validate" in text) is complete
    if items:
        assert "thing 0" in text or f"and {items} more: rocm-perf replay inspect" in text
    if items == 50:
        assert "more: rocm-perf replay inspect shows them" in text
        assert f"50 {outcome}" in text


def test_which_dispatch(tmp_path: Path) -> None:
    assert "number 0 of 5 that matched" in screen(MadeCapture(), tmp_path / "a")
    # One that was stopped did not come to the others.
    assert "number 0 of those that matched" in screen(MadeCapture(), tmp_path / "b", stopped=True)


def test_names_that_need_quotes(tmp_path: Path) -> None:
    assert "rocm-perf replay inspect 'some folder'" in screen(MadeCapture(), tmp_path / "c")


def test_unknown_times_are_said_to_be(tmp_path: Path) -> None:
    capture = open_capture(MadeCapture().write(tmp_path / "c"))
    time = replace(capture.dispatch.time, in_app_ns=None, missing={"in_app_ns": "profiling is off"})
    summary = summarise(replace(capture, dispatch=replace(capture.dispatch, time=time)))
    assert summary.missing["in_app_ms"] == "profiling is off"


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (0, "0 B"),
        (1023, "1023 B"),
        (1024, "1.00 KiB"),
        (102349, "99.95 KiB"),
        (1023 * 1024, "1023 KiB"),
        ((1 << 20) - 1, "1.00 MiB"),
        (1 << 20, "1.00 MiB"),
        (192 << 30, "192.0 GiB"),
        (5 << 40, "5.00 TiB"),
        (5000 << 40, "5000 TiB"),
    ],
)
def test_sizes(number: int, words: str) -> None:
    assert byte_size(number) == words


def test_commands_to_copy_are_never_cut(tmp_path: Path) -> None:
    folder = "a-long-name/" * 8 + "capture"
    text = render(replace(document_of(MadeCapture(), tmp_path), folder=folder))
    assert f"rocm-perf replay full-vm {folder} --iterations 20\n" in text
