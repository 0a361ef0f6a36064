"""``rocm-perf autotune --recorded`` as a user runs it, on a small file and on one of an MI250X."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from tests.commands import rocm_perf_words
from tests.saved_data import RECORDINGS
from tests.tiers import sweep

from rocm_perf_lab.contracts.changes.autotune import RecordedSearchDocument
from rocm_perf_lab.contracts.documents import from_json

# A folder with recordings that are not ours to publish; each is a file that Kernel Tuner wrote.
MI250X = RECORDINGS / "convolution_milo_MI250X.json.gz"


def autotune(*arguments: str | int | Path) -> subprocess.CompletedProcess[str]:
    command = rocm_perf_words("autotune", *map(str, arguments))
    return subprocess.run(command, capture_output=True, text=True, timeout=1200)


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache with a plain law: best at x = 16, y = 4; x = 64 fails."""
    cache = {}
    for x in (1, 2, 4, 8, 16, 32, 64):
        for y in (1, 2, 4, 8):
            time = 1 + abs(x.bit_length() - 5) * 0.5 + abs(y.bit_length() - 3)
            cache[f"{x},{y}"] = {"x": x, "y": y, "time": "RuntimeFailedConfig" if x == 64 else time}
    file = tmp_path_factory.mktemp("recorded") / "small.json"
    file.write_text(json.dumps({"tune_params_keys": ["x", "y"], "cache": cache}))
    return file


def test_document(small: Path) -> None:
    done = autotune("--recorded", small, "--evals", "15", "--seeds", "4", "--workers", "2", "--json")
    assert done.returncode == 0, done.stderr
    document = from_json(RecordedSearchDocument, done.stdout, "stdout")
    assert (document.configurations, document.failing) == (28, 4)
    assert [one.evaluations for one in document.quality] == list(range(1, 16))
    medians = [one.median for one in document.quality]
    assert medians == sorted(medians)
    assert medians[-1] == 1.0
    for one in document.quality:
        assert 0 <= one.worst <= one.lower_quartile <= one.median <= one.upper_quartile <= 1
    assert [one.seed for one in document.searches] == [0, 1, 2, 3]


def test_number_of_processes_changes_nothing(small: Path) -> None:
    documents = []
    for workers in ("1", "2"):
        done = autotune("--recorded", small, "--evals", "12", "--seeds", "3", "--workers", workers, "--json")
        document = json.loads(done.stdout)
        documents.append((document["quality"], document["searches"]))
    assert documents[0] == documents[1]


def test_terminal(small: Path) -> None:
    done = autotune("--recorded", small, "--evals", "10", "--seeds", "2", "--workers", "1")
    assert done.returncode == 0
    assert "28 configurations, 4 of them fail" in done.stdout
    assert "optimum / best found, over 2 searches" in done.stdout


def test_errors(tmp_path: Path) -> None:
    done = autotune("--recorded", tmp_path / "none", "--json")
    assert done.returncode == 6
    assert json.loads(done.stdout)["error"]["kind"] == "bad-input"


@pytest.mark.parametrize("evaluations", sweep([50, 100], keep={"50"}))
def test_recorded_mi250x_convolution_meets_the_targets(evaluations: int) -> None:
    """At least 0.60 of the optimum after 20 evaluations, 0.97 after 50, all of it after 100 (medians)."""
    if not MI250X.is_file():
        pytest.skip(f"the recording {MI250X.name} is not here; ROCM_PERF_RECORDINGS names its folder")
    words = (
        "--evals",
        evaluations,
        "--seeds",
        "12" if evaluations == 100 else "6",
        "--workers",
        "2",
        "--json",
    )
    done = autotune("--recorded", MI250X, *words)
    document = from_json(RecordedSearchDocument, done.stdout, "stdout")
    reached = {one.evaluations: one.median for one in document.quality}
    assert reached[20] >= 0.60
    assert reached[50] >= 0.97
    assert evaluations < 100 or reached[100] >= 0.999
