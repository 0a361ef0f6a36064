"""Command lines that make no sense: JSON if and only if ``--json`` is one of our options."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Profile = Callable[..., Any]  # fixture profile: rocm-perf profile with these arguments


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--json"], "PROGRAM"),
        (["--json", "--no-such-option", "./app"], "no-such-option"),
        (["--runs", "x", "--json", "./app"], "--runs"),
        (["--json", "--runs", "0", "./app"], "--runs"),
        (["--json", "--quiet", "./app"], "--quiet"),
        (["--json", "--clock-mhz", "1000", "./app"], "--roofline"),
        (["--json", "--no-rocprof", "--roofline", "./app"], "--roofline"),
        (["--json", "--no-rocprof", "--focus-critical", "./app"], "--focus-critical"),
        (["--json", "--no-rocprof", "--deep-analysis", "./app"], "--deep-analysis"),
        (["--json", "--kernel", "(", "./app"], "regular expression"),
        (["--json", "./app 'x"], "quotes"),
        (["./no-app", "--json"], "no program"),
    ],
)
def test_json_on_usage_errors(profile: Profile, arguments: list[str], words: str) -> None:
    run = profile(*arguments)
    assert (run.code, run.error["kind"]) == (2, "usage")
    assert words in run.error["cause"] + run.error["remedy"]
    assert run.document["schema_version"] == "1.0"


@pytest.mark.parametrize("arguments", [["--", "./no-app", "--json"], ["--out", "--json", "./no-app"], []])
def test_words_where_json_was_not_asked_for(profile: Profile, arguments: list[str]) -> None:
    run = profile(*arguments)
    assert (run.code, run.stdout) == (2, "")
    assert run.stderr
