"""The command line starts fast: nothing heavy is imported before a command needs it."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = {
    "numpy",
    "pydantic",
    "rich",
    "jinja2",
    "sklearn",
    "scipy",
    "elftools",
    "msgpack",
    "openai",
    "dask",
    "mcp",
}


def modules_after(statement: str) -> set[str]:
    code = f"{statement}\nimport sys; print('\\n'.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return {name.split(".")[0] for name in done.stdout.split()}


@pytest.mark.parametrize("module", ["main", "doctor", "vrocm"])
def test_importing_the_cli_pulls_in_nothing_heavy(module: str) -> None:
    baseline = modules_after("pass")  # what the interpreter's own set-up imports
    assert not (modules_after(f"import rocm_perf_lab.cli.{module}") - baseline) & HEAVY
