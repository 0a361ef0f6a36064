"""Folders that are broken, cut short or something else: the file is named, and what to do."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rocm_perf_lab.errors import BadInput
from rocm_perf_lab.profiling.documents.thread_traces import analyze_trace, analyze_traces

from .made_folder import put, write_folder

WAVE = "se0_sm0_sl0_wv0.json"


def changed(file: str, change: Callable[[dict[str, Any]], object]) -> Callable[[Path], None]:
    def apply(folder: Path) -> None:
        content = json.loads((folder / file).read_text())
        change(content)
        put(folder / file, content)

    return apply


def removed(file: str) -> Callable[[Path], None]:
    return lambda folder: (folder / file).unlink()


def cut(file: str) -> Callable[[Path], None]:
    def apply(folder: Path) -> None:
        text = (folder / file).read_bytes()
        (folder / file).write_bytes(text[: len(text) // 2])

    return apply


def replaced(file: str, text: str) -> Callable[[Path], None]:
    return lambda folder: (folder / file).write_text(text) and None


def first_wave(content: dict[str, Any]) -> list[Any]:
    return content["wave_filenames"]["0"]["0"]["0"]["0"]  # type: ignore[no-any-return]


FILES = ("filenames.json", "code.json", WAVE)
CASES: dict[str, tuple[Callable[[Path], None], str]] = {
    **{f"no {file}": (removed(file), f"{file} is missing") for file in FILES},
    **{
        f"half of {file}": (cut(file), f"{file} is cut short or no JSON")
        for file in (*FILES, "occupancy.json", "wstates3.json", "snapshots.json")
    },
    **{f"{file} is empty": (replaced(file, ""), f"{file} is cut short or no JSON") for file in FILES},
    **{
        f"{file} is a list": (replaced(file, "[1]"), f"{file}: its content is not an object")
        for file in FILES
    },
    **{f"{file} is foreign": (replaced(file, '{"a": 1}'), f"{file}: there is no") for file in FILES},
    "nested": (replaced("code.json", "[" * 100_000), "code.json is nested too deeply"),
    "binary": (lambda folder: (folder / WAVE).write_bytes(b"\xff\xfe\x00") and None, f"{WAVE} is cut short"),
    "version": (changed("filenames.json", lambda c: c.update(version="4.0.0")), "version '4.0.0'"),
    "old version": (changed("filenames.json", lambda c: c.update(version="2.1")), "3.0 and 3.1 can be read"),
    "leads outside": (
        changed("filenames.json", lambda c: first_wave(c).__setitem__(0, "../secret.json")),
        "'../secret.json' is not the name of a wave's file",
    ),
    "wave without times": (
        changed("filenames.json", lambda c: first_wave(c).__setitem__(1, None)),
        "a time of se0_sm0_sl0_wv0.json is None",
    ),
    "short row of code": (changed("code.json", lambda c: c["code"].append(["v_nop", 0])), "not 10 values"),
    "code without totals": (
        changed("code.json", lambda c: c["code"][2].__setitem__(6, "2")),
        "Hit of line 2, 's_waitcnt vmcnt(0)', is '2', not an integer",
    ),
    "negative total": (
        changed("code.json", lambda c: c["code"][2].__setitem__(8, -1)),
        "line 2, 's_waitcnt vmcnt(0)', has a negative total",
    ),
    "number twice": (changed("code.json", lambda c: c["code"][2].__setitem__(2, 1)), "the number 1"),
    "short instruction": (
        changed(WAVE, lambda c: c["wave"].update(instructions=[[1, 2, 3]])),
        "instructions has rows of 3 numbers, not of 5",
    ),
    "unequal instructions": (
        changed(WAVE, lambda c: c["wave"].update(instructions=[[1, 2, 3, 4, 5], [1]])),
        "instructions is not a table of integers",
    ),
    "instructions of text": (
        changed(WAVE, lambda c: c["wave"].update(instructions=[["a", 2, 3, 4, 5]])),
        "instructions is not a table of integers",
    ),
    "instructions of fractions": (
        changed(WAVE, lambda c: c["wave"].update(instructions=[[0.5, 2, 3, 4, 5]])),
        "instructions is not a table of integers",
    ),
    "number too large": (
        changed(WAVE, lambda c: c["wave"].update(instructions=[[10**30, 2, 3, 4, 5]])),
        "instructions is not a table of integers",
    ),
    "clock too large": (
        changed(WAVE, lambda c: c["wave"].update(instructions=[[2**60, 2, 3, 4, 5]])),
        "instructions has a number that is too large",
    ),
    "total too large": (
        changed("code.json", lambda c: c["code"][2].__setitem__(7, 2**70)),
        "which is too large",
    ),
    "negative duration": (
        changed(WAVE, lambda c: c["wave"].update(instructions=[[1, 2, 3, -4, 1]])),
        "an instruction has a negative duration",
    ),
    "ends before it begins": (changed(WAVE, lambda c: c["wave"].update(end=-5)), "before it begins"),
    "odd wait": (changed(WAVE, lambda c: c["wave"].update(waitcnt=[[2]])), "an entry of waitcnt is"),
    "odd cause": (changed(WAVE, lambda c: c["wave"].update(waitcnt=[[2, [1]]])), "what a wait is for is"),
    "fields of occupancy": (
        changed("occupancy.json", lambda c: c.update(occupancy_fields=["time", "cu"])),
        "occupancy_fields lacks one of",
    ),
    "counts without times": (
        changed("wstates3.json", lambda c: c.update(time=[1])),
        "there are 1 times and 2 counts",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_broken(tmp_path: Path, case: str) -> None:
    breaking, message = CASES[case]
    folder = write_folder(tmp_path)
    breaking(folder)
    with pytest.raises(BadInput) as caught:
        analyze_trace(folder)
    assert message in caught.value.cause
    assert str(folder) in caught.value.cause
    assert caught.value.remedy


def test_odd_statistics(tmp_path: Path) -> None:
    table = tmp_path / "stats_x.csv"
    table.write_text("a,b\n1,2\n")
    with pytest.raises(BadInput, match="does not have the columns CodeObj"):
        analyze_trace(table)
    table.write_text(
        '"CodeObj","Vaddr","Instruction","Hitcount","Latency","Stall","Idle","Source"\n1,2,"x",3\n'
    )
    with pytest.raises(BadInput, match="row 2 is cut short"):
        analyze_trace(table)


def test_no_trace_at_all(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="there is no thread trace in"):
        analyze_traces([tmp_path])
    with pytest.raises(BadInput, match="there is no folder"):
        analyze_traces([tmp_path / "nowhere"])
    (tmp_path / "x.txt").write_text("")
    with pytest.raises(BadInput, match="is a file, and no stats"):
        analyze_traces([tmp_path / "x.txt"])


def test_links_out_of_the_folder_are_not_followed(tmp_path: Path) -> None:
    folder = write_folder(tmp_path)
    (tmp_path / "secret").write_text("\n\nsecret\nsecret\n")
    put(folder / "snapshots.json", {"/": {"src": {"add.hip": "../secret"}}})
    assert all(line.text is None for line in analyze_trace(folder).source_lines)
