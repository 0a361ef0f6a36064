"""Whose ``--json`` it is."""

from __future__ import annotations

import pytest

from rocm_perf_lab.cli.main import rocm_perf
from rocm_perf_lab.cli.options.json_asked import json_asked


@pytest.mark.parametrize(
    ("line", "asked"),
    [
        ("profile --json ./app", True),
        ("profile --runs 3 --json ./app", True),
        ("profile --runs=3 --json", True),
        ("profile --no-such --json ./app", True),
        ("profile ./app --json", True),
        ("profile -- ./app --json", False),
        ("profile --json -- ./app", True),
        ("profile --out --json ./app", False),
        ("profile --quiet ./app --json", True),
        ("profile --quiet -- ./app --json", False),
        ("doctor --json", True),
        ("analyze a.db --json", True),
        ("analyze -- --json", False),
        ("frobnicate --json", True),
        ("--json profile", False),
        ("", False),
    ],
)
def test_lines(line: str, asked: bool) -> None:
    assert json_asked(rocm_perf, line.split(), {}) is asked


@pytest.mark.parametrize(
    ("line", "variable", "value", "asked"),
    [
        ("profile ./app", "ROCM_PERF_PROFILE_JSON", "1", True),
        ("profile -- ./app", "ROCM_PERF_PROFILE_JSON", "true", True),
        ("profile ./app", "ROCM_PERF_PROFILE_JSON", "0", False),
        ("profile ./app", "ROCM_PERF_ANALYZE_JSON", "1", False),
        ("replay full-vm c", "ROCM_PERF_REPLAY_FULL_VM_JSON", "1", True),
        ("suite run c", "ROCM_PERF_SUITE_RUN_JSON", "1", True),
        ("export", "ROCM_PERF_EXPORT_JSON", "1", False),
    ],
)
def test_variables(line: str, variable: str, value: str, asked: bool) -> None:
    assert json_asked(rocm_perf, line.split(), {variable: value}) is asked
