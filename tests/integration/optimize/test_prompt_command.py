"""``rocm-perf prompt`` as a user runs it, on a run of the virtual GPU."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from tests.commands import Done, rocm_perf_words, without_rocm
from tests.commands import run as run_command

from .conftest import rocm_perf

SOURCE = Path(__file__).parents[3] / "examples" / "softmax.hip"


@pytest.fixture(scope="module")
def profiled(run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("prompt")
    run("hipcc", "-g", "-O3", SOURCE, "-o", place / "softmax")
    options = ("--runs", "1", "--roofline", "--deep-analysis", "--out", place / "run")
    done = rocm_perf(place, "profile", *options, place / "softmax")
    assert done.returncode == 0, done.stderr
    return place / "run"


def prompt(*arguments: object) -> Done:
    """With no ROCm and no key around: nothing is run and nothing is sent."""
    bare = {name: value for name, value in without_rocm().items() if not name.startswith("OPENAI")}
    return run_command(*rocm_perf_words("prompt", *arguments), environment=bare)


def test_text(profiled: Path) -> None:
    done = prompt(profiled, "--source", SOURCE)
    assert done.returncode == 0, done.stderr
    for part in (
        "What holds it back: under-occupied",
        "Where its waves spend their time",
        "VGPRs",
        "__global__ void softmax(",
    ):
        assert part in done.stdout


def test_json_compact_full_source(profiled: Path) -> None:
    whole = json.loads(prompt(profiled, "--source", SOURCE, "--json").stdout)
    assert whole["kernel"].startswith("softmax(")
    assert whole["label"] == "under-occupied"
    assert [message["role"] for message in whole["messages"]] == ["system", "user"]
    compact = json.loads(prompt(profiled, "--source", SOURCE, "--json", "--compact").stdout)
    assert compact["characters"] < whole["characters"]
    full = json.loads(prompt(profiled, "--source", SOURCE, "--json", "--full-source").stdout)
    assert "int main()" in full["messages"][1]["content"]
    assert "int main()" not in whole["messages"][1]["content"]


@pytest.mark.parametrize(
    ("arguments", "code", "kind"),
    [
        (["--source", SOURCE, "--kernel", "nothing"], 5, "no-kernels"),
        (["--source", SOURCE.parent / "stencil.hip"], 5, "no-kernels"),
        (["--source", SOURCE, "--kernel", "("], 2, "usage"),
        (["--source", "/no/such/file.hip"], 6, "bad-input"),
        (["--source", sys.executable], 6, "bad-input"),
        ([], 2, "usage"),
    ],
)
def test_failures(profiled: Path, arguments: list[object], code: int, kind: str) -> None:
    done = prompt(profiled, "--json", *arguments)
    assert done.returncode == code, done.stderr
    assert json.loads(done.stdout)["error"]["kind"] == kind


def test_a_folder_that_is_no_run(tmp_path: Path) -> None:
    done = prompt(tmp_path, "--source", SOURCE)
    assert done.returncode == 6
    assert "profile.json" in done.stderr
