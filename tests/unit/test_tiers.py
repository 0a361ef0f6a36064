"""Surveys are left out of the default tier, and run where they are asked for: --all, their file, -m."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.commands import ROOT

SUITE = """
import pytest

def test_short(): pass

@pytest.mark.survey
def test_survey(): pass
"""


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("suite")
    shutil.copy(ROOT / "pyproject.toml", folder)
    (folder / "tests").mkdir()
    shutil.copy(ROOT / "tests/conftest.py", folder / "tests")
    (folder / "tests/test_made.py").write_text(SUITE)
    return folder


@pytest.mark.parametrize(
    ("words", "survey_runs"),
    [
        ("", False),
        ("tests", False),
        ("-k survey or short", False),
        ("--all", True),
        ("tests --all", True),
        ("tests/test_made.py", True),
        ("tests/test_made.py::test_survey", True),
        ("-m survey", True),
    ],
)
def test_surveys_run_where_they_are_asked_for(suite: Path, words: str, survey_runs: bool) -> None:
    options = ["-k", words[3:]] if words.startswith("-k") else words.split()
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", *options]
    listed = subprocess.run(command, cwd=suite, capture_output=True, text=True).stdout
    assert ("::test_survey" in listed) == survey_runs, listed
    assert ("1 deselected" in listed) != survey_runs or "-m" in options, listed
