"""What the virtual GPU writes about defects, read back: merged over dispatches, ordered, suppressed."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rocm_perf_lab.checking.findings import read_findings
from rocm_perf_lab.checking.host_lines import HostLines
from rocm_perf_lab.checking.suppressions import apply, read_suppressions
from rocm_perf_lab.contracts.check import CheckDocument, Defect
from rocm_perf_lab.contracts.documents import from_json, to_json
from rocm_perf_lab.errors import BadInput, UsageProblem
from rocm_perf_lab.reporting.terminal.check import render


def row(**changed: Any) -> str:
    usual = {
        "class": "out-of-bounds",
        "kernel": "scale(float*, int)",
        "dispatch": 1,
        "pc": "0x1000",
        "code_offset": 64,
        "code_object": None,
        "instruction": "global_load_dword v2, v[0:1], off",
        "source": "/home/scale.hip:6",
        "workgroup": [3, 0, 0],
        "thread": [232, 0, 0],
        "wave": 3,
        "lanes": [40],
        "space": "global",
        "access": "read",
        "bytes": 4,
        "address": "0x2000",
        "allocation": {"base": "0x1060", "bytes": 4000, "kind": "device", "freed": False, "where": None},
        "other": None,
        "explanation": "right past the end",
        "count": 3,
    }
    return json.dumps({**usual, **changed})


def leak(where: str = "app+0x10", base: str = "0x9000") -> str:
    allocation = {"base": base, "bytes": 400, "kind": "device", "freed": False, "where": where}
    return json.dumps(
        {"class": "leak", "kernel": None, "allocation": allocation, "explanation": "not freed", "count": 1}
    )


START = json.dumps({"start": "vrocm"})


def defects(*lines: str) -> tuple[Defect, ...]:
    return read_findings(lines, HostLines()).defects


def test_the_same_instruction_in_several_dispatches_is_one_defect() -> None:
    (defect,) = defects(row(), row(dispatch=2, count=4, address="0x3000"))
    assert (defect.count, defect.dispatches, defect.address) == (7, 2, "0x2000")


@pytest.mark.parametrize("changed", [{"code_offset": 68}, {"kernel": "other()"}, {"class": "use-after-free"}])
def test_what_differs_is_two(changed: dict[str, Any]) -> None:
    assert len(defects(row(), row(**changed))) == 2


def test_leaks_of_one_line_are_several() -> None:
    assert len(defects(leak(), leak(base="0xa000"))) == 2


def test_classes_come_in_their_order_and_notes_once() -> None:
    note = json.dumps({"note": "not all was watched"})
    findings = read_findings([START, leak(), note, row(**{"class": "race-lds"}), note, row()], HostLines())
    assert findings.started
    assert [defect.defect for defect in findings.defects] == ["out-of-bounds", "race-lds", "leak"]
    assert findings.notes == ("not all was watched",)


def test_without_a_word_nothing_was_checked() -> None:
    assert not read_findings([], HostLines()).started


def test_a_line_that_is_cut_is_said() -> None:
    with pytest.raises(BadInput):
        defects(row()[:40])


@pytest.mark.parametrize(
    ("line", "covers"),
    [
        ("out-of-bounds", True),
        ("*", True),
        ("out-of-bounds kernel=scale*", True),
        ("out-of-bounds kernel=scale", False),
        ("out-of-bounds source=*/scale.hip:6", True),
        ("out-of-bounds source=*/scale.hip:7", False),
        ("leak", False),
        ("* kernel='scale(float*' source=*", True),
        ("* kernel='scale(float*, int)'", True),
    ],
)
def test_suppressions(line: str, covers: bool, tmp_path: Path) -> None:
    file = tmp_path / "known"
    file.write_text(f"# comment\n\n  {line}\n")
    (defect,) = apply(read_suppressions(file), defects(row()))
    assert (defect.suppressed_by == line) is covers


@pytest.mark.parametrize(
    "line", ["no-such-class", "leak kernel", "leak size=3", "leak 'open", "* kernel=a kernel=b"]
)
def test_a_suppression_that_means_nothing_is_refused_with_its_line(line: str, tmp_path: Path) -> None:
    file = tmp_path / "known"
    file.write_text(f"leak\n{line}\n")
    with pytest.raises(BadInput, match=r"known:2"):
        read_suppressions(file)


def test_a_suppression_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UsageProblem):
        read_suppressions(tmp_path / "none")


def document(*found: Defect) -> CheckDocument:
    return CheckDocument(
        origin="simulated",
        command=("./app",),
        classes=("out-of-bounds", "leak"),
        exit_code=0,
        clean=all(defect.suppressed_by for defect in found),
        defects=found,
        notes=(),
    )


def test_the_document_survives_its_file() -> None:
    written = document(*defects(row(), leak()))
    assert from_json(CheckDocument, to_json(written), "check.json") == written


def test_the_terminal_counts_what_is_not_suppressed() -> None:
    first, second = defects(row(kernel="evil\x1b[31m()"), leak())
    text = render(document(first, replace(second, suppressed_by="leak")))
    assert "1 defect found (1 known one suppressed)" in text
    assert "\x1b" not in text
    assert "device memory that is never freed" not in text
    assert "no defects found" in render(document())
