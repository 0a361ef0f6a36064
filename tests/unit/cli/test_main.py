"""The program from outside: versions, help, errors and exit codes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from rocm_perf_lab import __version__


def run(*args: str, program: str = "rocm-perf") -> subprocess.CompletedProcess[str]:
    executable = Path(sys.executable).parent / program
    return subprocess.run([str(executable), *args], capture_output=True, text=True)


@pytest.mark.parametrize("program", ["rocm-perf", "rocm-perf-lab"])
def test_both_names_print_the_version(program: str) -> None:
    done = run("--version", program=program)
    assert done.returncode == 0
    assert __version__ in done.stdout


def test_help_lists_every_command_with_a_summary() -> None:
    from rocm_perf_lab.cli.main import COMMANDS

    text = run("--help").stdout
    for name in COMMANDS:
        assert name in text
        assert run(name, "--help").returncode == 0


def test_unknown_command_is_a_usage_error() -> None:
    done = run("frobnicate")
    assert done.returncode == 2
    assert "frobnicate" in done.stderr


def test_a_missing_program_is_named_with_a_remedy() -> None:
    done = run("vrocm", "run", "./no-such-program")
    assert done.returncode == 2
    assert "no-such-program" in done.stderr
    assert "try:" in done.stderr
