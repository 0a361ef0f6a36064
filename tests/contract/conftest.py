"""The ROCm that the environment chooses, real or virtual, and a program built with its hipcc.

``ROCM_PATH=/opt/rocm pytest -m contract`` runs these tests on an installed ROCm: docs/guide/hardware.md.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.commands import SECONDS, rocm_perf_words

from rocm_perf_lab.rocm.find import Prefix, find_prefix, is_virtual

SOURCE = Path(__file__).parent / "two_kernels.hip"
_LEFT_OUT = ("ROCPROF", "ISOLATE", "HSA_TOOLS", "VROCM_TRACE", "ROCM_PERF_CONFIG")
_used: list[Prefix] = []


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for prefix in _used:
        version = prefix.version or "of unknown version"
        terminalreporter.write_line(
            f"contract: {prefix.kind} ROCm {version} in {prefix.path}, because {prefix.reason}"
        )


@pytest.fixture(scope="session")
def prefix() -> Prefix:
    chosen = find_prefix()
    wanted = Path(os.environ.get("ROCM_PATH", ""))
    if chosen.kind == "virtual" and (wanted / "bin" / "hipcc").exists() and not is_virtual(wanted):
        pytest.fail(f"ROCM_PATH={wanted} is not what would be tested: {chosen.reason}")
    _used[:] = [chosen]
    return chosen


@pytest.fixture(scope="session")
def environment(prefix: Prefix) -> dict[str, str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith(_LEFT_OUT)}
    # A calibration or a settings file of the user's would change what is printed.
    own = {"ROCM_PERF_CALIBRATIONS": "/no/calibrations", "ROCM_PERF_CONFIG": ""}
    return {**clean, **prefix.environment(), **own}


@dataclass
class Done:
    code: int
    stdout: str
    stderr: str

    @property
    def document(self) -> dict[str, Any]:
        assert self.code == 0, self.stdout + self.stderr
        found = json.loads(self.stdout)
        assert isinstance(found, dict)
        return found


Run = Callable[..., Done]


@pytest.fixture(scope="session")
def run(environment: dict[str, str]) -> Run:
    """run(command, …, cwd=…)"""

    def start(*words: object, cwd: Path | None = None) -> Done:
        done = subprocess.run(
            list(map(str, words)), env=environment, cwd=cwd, capture_output=True, text=True, timeout=SECONDS
        )
        return Done(done.returncode, done.stdout, done.stderr)

    return start


@pytest.fixture(scope="session")
def rocm_perf(run: Run) -> Run:
    return lambda *words, cwd=None: run(*rocm_perf_words(), *words, cwd=cwd)


@pytest.fixture(scope="session")
def program(prefix: Prefix, run: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """two_kernels.hip, with the options that docs/guide/hardware.md lists for hipcc, but for -c."""
    binary = tmp_path_factory.mktemp("program") / "two_kernels"
    options = ("-O3", "-std=c++17", "-g", "-iquote", SOURCE.parent)
    built = run(prefix.tool("hipcc"), *options, SOURCE, "-o", binary)
    assert built.code == 0, built.stderr
    return binary


@pytest.fixture(scope="session")
def waves(program: Path, run: Run) -> int:
    """Of each launch, as the program counts them."""
    ran = run(program)
    assert ran.code == 0, ran.stderr
    first, last = ran.stdout.splitlines()
    assert last == "PASS"
    return int(first.split()[1])
