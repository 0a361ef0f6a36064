"""The virtual ROCm's compiler and programs, for tests of the optimizer."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.commands import SECONDS, Done, rocm_perf_words, run, succeed, virtual_rocm

Run = Callable[..., Done]
SUMS = """#include <hip/hip_runtime.h>
__global__ void row_sums(const float* in, float* out, int columns) {
    const float* x = in + (blockIdx.x * blockDim.x + threadIdx.x) * columns;
    float sum = 0;
    for (int j = 0; j < columns; ++j) sum += expf(x[j]);
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
int main(int argc, char** argv) {
    const int rows = 64, columns = argc > 1 ? atoi(argv[1]) : 16;
    float *in, *out;
    (void)hipMalloc(&in, rows * columns * 4);
    (void)hipMalloc(&out, rows * 4);
    (void)hipMemset(in, 0, rows * columns * 4);
    row_sums<<<1, rows>>>(in, out, columns);
    float first = 0;
    (void)hipMemcpy(&first, out, 4, hipMemcpyDeviceToHost);
    (void)hipFree(in);
    (void)hipFree(out);
    return first != columns;
}
"""


def rocm_perf(folder: Path, *words: object, **variables: str) -> Done:
    """A command with the simulated GPU's times, without a terminal."""
    return run(*rocm_perf_words(*words), environment=virtual_rocm(**variables), cwd=folder)


@dataclass(frozen=True)
class Optimized:
    """A folder with a source into which a change was written, and what the command said of it."""

    folder: Path
    document: dict[str, Any]
    left_behind: list[Path]
    """Work folders: it was killed first, then resumed."""
    source_when_killed: str
    resumed_in: Path


@pytest.fixture(scope="session")
def optimized(tmp_path_factory: pytest.TempPathFactory) -> Optimized:
    """For tests that only look at it, or at copies."""
    folder = tmp_path_factory.mktemp("optimized")
    (folder / "sums.hip").write_text(SUMS)
    (folder / "app").write_text("#!/bin/sh\nexit 1\n")  # what --build makes is run in its place
    (folder / "app").chmod(0o755)
    words = ["--yes", "--max-iters", "1", "--max-trials", "1", "--compare-output"]
    words += ["--build", "hipcc -O3 {source} -o {output}"]
    left = _killed(folder, ["optimize", "./app", "64", "--source", "sums.hip", *words])
    source = (folder / "sums.hip").read_text()
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    words += ["--source", str(folder / "sums.hip"), "--resume", "--json"]
    done = rocm_perf(elsewhere, "optimize", str(folder / "app"), "64", *words)
    assert done.returncode == 0, done.stderr
    return Optimized(folder, json.loads(done.stdout), left, source, elsewhere)


def _killed(folder: Path, words: list[str]) -> list[Path]:
    """Kills a command while it profiles the baseline; the work folders that it leaves."""
    process = subprocess.Popen(
        rocm_perf_words(*words),
        cwd=folder,
        env=virtual_rocm(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    left: list[Path] = []
    ends = time.monotonic() + SECONDS
    while not left and process.poll() is None and time.monotonic() < ends:
        time.sleep(0.05)
        left = list(folder.glob(".rocm-perf/optimize/*/run-1/work-*/*-profile"))
    process.kill()
    process.wait()
    assert left, "it ended before it could be killed"
    return [path.parent for path in left]


@pytest.fixture(scope="session")
def environment() -> dict[str, str]:
    return virtual_rocm(VROCM_TIMING="off")


@pytest.fixture(scope="session", name="run")
def run_fixture(environment: dict[str, str]) -> Run:
    """run(*words, cwd=None): a command that has to succeed."""
    return lambda *words, cwd=None: succeed(*words, environment=environment, cwd=cwd)
