"""The virtual ROCm's compiler and programs, for tests of the optimizer."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from rocm_perf_lab.vrocm import prefix

SECONDS = 240

Run = Callable[..., "subprocess.CompletedProcess[str]"]
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


def rocm_perf(folder: Path, *words: object) -> subprocess.CompletedProcess[str]:
    """A command with the simulated GPU's times, without a terminal."""
    environment = {**os.environ, **prefix.environment()}
    environment.pop("VROCM_TIMING", None)
    return subprocess.run(
        [sys.executable, "-m", "rocm_perf_lab", *map(str, words)],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=500,
    )


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
        [sys.executable, "-m", "rocm_perf_lab", *words],
        cwd=folder,
        env={**os.environ, **prefix.environment()},
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
    clean = {name: value for name, value in os.environ.items() if not name.startswith("ROCPROF")}
    return {**clean, **prefix.environment(), "VROCM_TIMING": "off"}


@pytest.fixture(scope="session")
def run(environment: dict[str, str]) -> Run:
    """run(*words): a command that has to succeed."""

    def running(*words: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            list(map(str, words)), env=environment, cwd=cwd, capture_output=True, text=True, timeout=SECONDS
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done

    return running
