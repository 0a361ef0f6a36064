"""examples/api_tour.py runs, and what it leaves is the run that the API gives back."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.commands import EXAMPLES, SECONDS

import rocm_perf_lab as rpl
import vrocm

TOUR = EXAMPLES / "api_tour.py"
DOCUMENTATION = Path(__file__).parents[3] / "docs" / "reference" / "api.md"


@pytest.fixture(scope="module")
def toured(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    folder = tmp_path_factory.mktemp("tour")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("ROCM_PERF")}
    environment |= {**vrocm.environment(), "ROCM_PERF_CALIBRATIONS": "/no/calibrations"}
    done = subprocess.run(
        [sys.executable, TOUR], cwd=folder, env=environment, capture_output=True, text=True, timeout=SECONDS
    )
    assert done.returncode == 0, done.stderr
    assert "[2/3] critical path" in done.stderr
    return folder, done.stdout


def test_what_it_prints(toured: tuple[Path, str]) -> None:
    _, text = toured
    assert re.search(r"^\d\S* ms, simulated$", text, re.MULTILINE)
    assert re.search(r"^ {0,2}\d+\.\d%  scale\(float\*, float, int\)$", text, re.MULTILINE)
    assert "of the wave slots are taken, below 30%" in text
    assert "not known: roofline - no counters were collected" in text
    assert "validation: passed" in text
    assert re.search(r"^minimised: \d+ pages become \d+, passed$", text, re.MULTILINE)
    assert "in the file: scale(float*, float, int)" in text
    assert "against itself: same" in text
    assert "there is no program './three_streams'; check the path, or build it first" in text


def test_a_run_and_its_kernels(toured: tuple[Path, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(toured[0])
    run = rpl.load_run()
    document = json.loads(Path(".rocm-perf/latest/profile.json").read_text())
    assert json.loads(run.to_json()) == document
    assert run.runtime_ms == document["runtime_ms"]
    assert [kernel.name for kernel in run.kernels] == [one["name"] for one in document["kernels"]]
    worst = run.kernels[0]
    assert (worst.time_ms, worst.share) == (
        document["kernels"][0]["total_ms"],
        document["kernels"][0]["share"],
    )
    assert worst.occupancy is not None
    assert worst.bottleneck is not None
    assert worst.bottleneck.evidence
    assert worst.roofline is None
    assert "roofline" in worst.missing
    assert worst.gain_at_2x_ms is not None
    assert "gain_at_2x_ms" not in worst.missing
    assert run.dag is not None
    assert run.att is None
    assert run.problems == ()
    assert run.markdown().startswith("# <code>./two_streams</code>")
    assert rpl.to_json(run.profile) == run.to_json()


def test_what_the_documentation_shows(
    toured: tuple[Path, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, value in vrocm.environment().items():
        monkeypatch.setenv(name, value)
    shutil.copy(toured[0] / "two_streams", "app")
    shutil.copy(EXAMPLES / "two_streams.hip", "app.hip")
    shutil.copy(EXAMPLES / "check.h", ".")
    blocks = re.findall(r"^```python\n(.*?)^```", DOCUMENTATION.read_text(), re.MULTILINE | re.DOTALL)
    names: dict[str, Any] = {}
    for block in blocks:
        exec(block, names)
    assert names["run"].kernels[0].bottleneck.label == "under-occupied"
    assert names["done"].returncode == 0
    assert capsys.readouterr().out == "[0/1] timing run 1 of 1\n"


def test_saved_traces_say_the_same(toured: tuple[Path, str], tmp_path: Path) -> None:
    folder = (toured[0] / ".rocm-perf" / "latest").resolve()
    run = rpl.analyze(folder, out=tmp_path / "out")
    assert [(kernel.name, kernel.time_ms) for kernel in run.kernels] == [
        (kernel.name, kernel.time_ms) for kernel in rpl.load_run(folder).kernels
    ]
    assert run.folder == tmp_path / "out"
    assert rpl.load_run(tmp_path / "out").to_json() == run.to_json()
    with pytest.raises(rpl.UsageProblem, match="nothing is overwritten"):
        rpl.analyze(folder, out=tmp_path / "out")


def test_traces_each_by_itself(toured: tuple[Path, str], tmp_path: Path) -> None:
    databases = sorted((toured[0] / ".rocm-perf" / "latest" / ".rocpd_profile").rglob("*.db"))
    told: list[tuple[int, int]] = []
    each = rpl.analyze_each(
        databases, out=tmp_path / "each", tell=lambda task, result, done, total: told.append((done, total))
    )
    assert (each.document.analysed, each.document.exit_code, told) == (2, 0, [(1, 2), (2, 2)])
    assert json.loads((each.folder / "analyses.json").read_text()) == json.loads(rpl.to_json(each.document))


def test_files_for_other_tools(toured: tuple[Path, str], tmp_path: Path) -> None:
    written = rpl.export(
        toured[0] / ".rocm-perf" / "latest", perfetto=tmp_path / "t.pftrace", csv=tmp_path / "tables"
    )
    assert written[0] == tmp_path / "t.pftrace"
    assert set(written[1:]) == set((tmp_path / "tables").iterdir())
    with pytest.raises(rpl.UsageProblem, match="nothing to write"):
        rpl.export(toured[0] / ".rocm-perf" / "latest")


def test_pages(toured: tuple[Path, str], tmp_path: Path) -> None:
    page = rpl.report(toured[0] / ".rocm-perf" / "latest", output=tmp_path / "page.html")
    assert page.read_text() == rpl.load_run(toured[0] / ".rocm-perf" / "latest").html()
    assert (toured[0] / "two_streams.html").is_file()
    several = rpl.analyze(sorted((toured[0] / ".rocm-perf" / "latest" / ".rocpd_profile").rglob("*.db")))
    assert several.folder is None
    with pytest.raises(rpl.UsageProblem, match="several places"):
        several.report()
