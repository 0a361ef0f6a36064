"""What the terminal shows of traces, of samples and of nothing."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from rocm_perf_lab.profiling.documents.thread_traces import analyze_traces, document_of
from rocm_perf_lab.reporting.terminal.att import render

from .made_folder import CODE, put, write_folder


def test_trace(tmp_path: Path) -> None:
    text = render(analyze_traces([write_folder(tmp_path)]))
    assert text.startswith("measured thread trace of dispatch 7: 2 waves on 2 SIMDs in 77 clocks\n")
    assert "waves      executing 15.6%, waiting 64.9%, stalled 3.9%, idle 15.6%\n" in text
    assert " 83.1%        2      64.00    50.00  global_load_dword v… add.hip:3\n" in text
    assert "  9.1%  add.hip:4              a[i] = x + x;\n" in text
    assert "cannot be told whether a GPU" in " ".join(text.split())


def test_samples(tmp_path: Path) -> None:
    folder = write_folder(tmp_path)
    manifest = json.loads((folder / "filenames.json").read_text())
    put(folder / "filenames.json", {**manifest, "wave_filenames": None, "pc_sampling": True})
    code = [[*row[:6], 0, 0, 0, 0, row[2], 3 * row[2], [0, 0, 0, 3 * row[2]]] for row in CODE]
    put(folder / "code.json", {"code": code, "header": [], "version": "3.0.0"})
    text = render(analyze_traces([folder]), top=2)
    assert text.startswith("measured PC sampling of dispatch 7\n")
    assert "samples    10 issued, 30 stalled: waitcnt 30\n" in text
    assert " 40.0%        4       12  s_endpgm                     -\n" in text
    assert "global_load_dword" not in text  # the last of four


def test_failed_checks_are_shown(tmp_path: Path) -> None:
    folder = write_folder(tmp_path)
    content = json.loads((folder / "code.json").read_text())
    content["code"][3][7] += 1
    put(folder / "code.json", content)
    text = " ".join(render(analyze_traces([folder])).split())
    assert "the files of the folder disagree: totals: not so 1 times" in text


def test_kernels_without_a_name(tmp_path: Path) -> None:
    found = analyze_traces([write_folder(tmp_path)])
    (dispatch,) = found.dispatches
    nameless = replace(dispatch, kernel=None)
    assert "kernel     not named by the trace\n" in render(document_of([nameless]))
    assert "  not named by the trace  " in render(document_of([dispatch, nameless]))


def test_nothing() -> None:
    assert render(document_of([])) == "no dispatch was traced\n"
    text = render(document_of([], ["the thread trace of k failed: there is no decoder", "b", "c"]))
    assert "warning    the thread trace of k failed: there is no decoder\n" in text
    assert text.endswith("1 more are in att.json\n")
