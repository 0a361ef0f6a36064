"""Whose options are whose when a command measures a program."""

from __future__ import annotations

import pytest

from rocm_perf_lab.cli.options.program_command import sorted_out
from rocm_perf_lab.cli.profile import command


@pytest.mark.parametrize(
    ("line", "ours", "program"),
    [
        ("./app", "", "./app"),
        ("./app --json", "--json", "./app"),
        ("--runs 5 ./app --size 3 --quiet", "--runs 5 --quiet", "./app --size 3"),
        ("./app --runs=2 -n 4", "--runs=2", "./app -n 4"),
        ("./app -h --help", "", "./app -h --help"),
        ("-- ./app --json", "", "./app --json"),
        ("--json -- ./app --json -- x", "--json", "./app --json -- x"),
        ("./app --json -- --quiet", "--json", "./app -- --quiet"),
        ("./app --out", "--out", "./app"),
        ("--no-such ./app", "--no-such", "./app"),
        ("--help", "--help", ""),
        ("", "", ""),
    ],
)
def test_sorted_out(line: str, ours: str, program: str) -> None:
    assert sorted_out(command, line.split()) == (ours.split(), program.split())
