"""rocm-perf.toml: whose defaults count, and what is refused."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tests.commands import rocm_perf_words

from rocm_perf_lab.cli.main import rocm_perf
from rocm_perf_lab.cli.options.settings_file import NAME, default_map, settings_files
from rocm_perf_lab.errors import BadInput


def read(text: str, folder: Path, **environment: str) -> dict[str, Any]:
    (folder / NAME).write_text(text)
    return default_map(rocm_perf, {"HOME": str(folder / "nobody"), **environment}, folder)


def test_options_of_commands_and_of_commands_below(tmp_path: Path) -> None:
    found = read(
        "[profile]\nruns = 5\nroofline = true\n[replay.full-vm]\niterations = 20\n[check]\nonly = ['leak']\n",
        tmp_path,
    )
    assert found == {
        "profile": {"runs": "5", "roofline": True},
        "replay": {"full-vm": {"iterations": "20"}},
        "check": {"only": ["leak"]},
    }


def test_the_nearest_file_overrules_the_users(tmp_path: Path) -> None:
    users = tmp_path / "home" / ".config" / "rocm-perf" / NAME
    users.parent.mkdir(parents=True)
    users.write_text("[profile]\nruns = 7\nwarmup = 1\n")
    project = tmp_path / "project"
    (project / "deep" / "below").mkdir(parents=True)
    (tmp_path / NAME).write_text("[profile]\nruns = 100\n")  # not the nearest
    (project / NAME).write_text("[profile]\nruns = 2\n")
    environment = {"HOME": str(tmp_path / "home")}
    assert settings_files(environment, project / "deep" / "below") == [users, project / NAME]
    found = default_map(rocm_perf, environment, project / "deep" / "below")
    assert found == {"profile": {"runs": "2", "warmup": "1"}}


def test_a_variable_names_the_file_or_none(tmp_path: Path) -> None:
    other = tmp_path / "other.toml"
    other.write_text("[profile]\nruns = 9\n")
    assert read("[profile]\nruns = 2\n", tmp_path, ROCM_PERF_CONFIG=str(other)) == {"profile": {"runs": "9"}}
    assert read("[profile]\nruns = 2\n", tmp_path, ROCM_PERF_CONFIG="") == {}


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("[profile]\nrun = 5\n", "[profile] run is not known"),
        ("[optimize]\nyes = true\n", "[optimize] yes is for the command line only"),
        ("[profiles]\nruns = 5\n", "'profiles' is not a table of a command"),
        ("runs = 5\n", "'runs' is not a table of a command"),
        ("[profile]\nruns = 'many'\n", "[profile] runs: 'many' is not a valid integer"),
        ("[profile]\nruns = 0\n", "[profile] runs: 0 is not in the range"),
        ("[profile]\nruns = [1, 2]\n", "[profile] runs takes one value"),
        ("[profile]\nroofline = 1\n", "[profile] roofline is true or false"),
        ("[profile\n", "is not TOML"),
    ],
)
def test_what_is_wrong_is_named(text: str, named: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput) as problem:
        read(text, tmp_path)
    assert named in problem.value.cause
    assert str(tmp_path / NAME) in problem.value.cause
    assert problem.value.remedy


def run(folder: Path, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        rocm_perf_words(*words),
        cwd=folder,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
    )


def test_the_command_line_comes_before_the_environment_and_that_before_the_file(tmp_path: Path) -> None:
    """Which value counts shows in the message about a schema that is not there."""
    (tmp_path / NAME).write_text("[compare]\nrelevant = 'of the file'\n")
    asked = ("compare", "before", "after")
    assert "of the file" in run(tmp_path, *asked).stderr
    variable = {"ROCM_PERF_COMPARE_RELEVANT": "of the environment"}
    assert "of the environment" in run(tmp_path, *asked, **variable).stderr
    assert "of the line" in run(tmp_path, *asked, "--relevant", "of the line", **variable).stderr


def test_help_and_version_do_without_the_file(tmp_path: Path) -> None:
    (tmp_path / NAME).write_text("[profile\n")
    assert run(tmp_path, "--help").returncode == 0
    assert run(tmp_path, "--version").returncode == 0
    broken = run(tmp_path, "schema", "profile")
    assert (broken.returncode, "is not TOML" in broken.stderr) == (6, True)
