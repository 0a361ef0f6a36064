"""rocm-perf att: its screen, its documents, and how it fails."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from rocm_perf_lab.contracts.documents import from_json
from rocm_perf_lab.contracts.profiling.att import AttDocument

from .conftest import Att, Traced


def test_screen(traced: Traced, att: Att) -> None:
    folder = traced("matmul_tiled")
    run = att(folder)
    assert run.code == 0, run.stderr
    assert run.stderr == ""
    lines = run.stdout.splitlines()
    assert len(lines) <= 23
    assert max(map(len, lines)) <= 80
    assert lines[0].startswith("SIMULATED thread trace of dispatch 1: 4 waves on 4 SIMDs in ")
    assert "matmul_tiled" in lines[1]
    text = run.stdout
    assert "tile_a[y][x] = a[row * n + k + x];" in text
    assert "global_load_dword" in text
    assert "VALU" in text
    assert "waiting" in text


def test_top(traced: Traced, att: Att) -> None:
    lines = att(traced("matmul_tiled"), "--top", "20").stdout.splitlines()
    head = next(place for place, line in enumerate(lines) if line.startswith("  cost     runs"))
    assert lines[head + 21] == ""
    assert all(line.lstrip()[0].isdigit() for line in lines[head + 1 : head + 21])


def test_document(traced: Traced, att: Att) -> None:
    run = att("--json", traced("reduction"))
    document = from_json(AttDocument, run.stdout, "stdout")
    assert document.schema_version == "1.0"
    assert [one.dispatch for one in document.dispatches] == [1, 2]


def test_several(traced: Traced, att: Att) -> None:
    """The one with most wave time is shown, the others are named."""
    run = att(traced("reduction"))
    assert len(run.stdout.splitlines()) <= 23
    assert run.stdout.startswith("SIMULATED thread trace of dispatch 1")
    assert "ui_output_agent_2_dispatch_2" in run.stdout.splitlines()[-1]


def test_no_waves(traced: Traced, att: Att) -> None:
    folder = traced("pointer_chase", "--att-target-cu", "5")
    run = att(folder)
    assert run.code == 0
    assert "0 waves" in run.stdout
    assert "no wave came to the traced compute unit; waves were on units 0" in " ".join(run.stdout.split())


def test_statistics(traced: Traced, att: Att) -> None:
    (table,) = traced("matmul_tiled").glob("stats_*.csv")
    run = att(table)
    assert run.code == 0, run.stderr
    assert run.stdout.startswith("SIMULATED statistics of dispatch 1")
    assert "s_waitcnt vmcnt(0)" in run.stdout  # nothing tells what it waits for


def test_hostile_names(traced: Traced, att: Att, tmp_path: Path) -> None:
    (folder,) = traced("matmul_tiled").glob("ui_output_*")
    copy = tmp_path / folder.name
    shutil.copytree(folder, copy)
    code = (copy / "code.json").read_text()
    name = "matmul_tiled(float const*, float const*, float*, int)"
    assert name in code
    (copy / "code.json").write_text(code.replace(name, "\\u001b[31mred\\u0007\\n\\u202e"))
    run = att(copy)
    assert run.code == 0, run.stderr
    assert not {"\x1b", "\x07", "\u202e"} & set(run.stdout)


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        ("code.json", "code.json is cut short or no JSON"),
        ("filenames.json", "filenames.json is cut short or no JSON"),
        ("se0_sm0_sl0_wv0.json", "se0_sm0_sl0_wv0.json is cut short or no JSON"),
    ],
)
def test_broken(traced: Traced, att: Att, tmp_path: Path, broken: str, message: str) -> None:
    (folder,) = traced("matmul_tiled").glob("ui_output_*")
    copy = tmp_path / folder.name
    shutil.copytree(folder, copy)
    data = (copy / broken).read_bytes()
    (copy / broken).write_bytes(data[: len(data) // 2])
    run = att("--json", copy)
    assert run.code == 6
    error = run.document["error"]
    assert message in error["cause"]
    assert error["remedy"]
    assert "Traceback" not in run.stderr


def test_nothing_there(att: Att, tmp_path: Path) -> None:
    run = att(tmp_path)
    assert run.code == 6
    assert "there is no thread trace in" in run.stderr
    assert "try: name a folder ui_output_agent_" in run.stderr
    assert att().code == 2
