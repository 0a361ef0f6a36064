"""Runs ``rocm-perf suite`` from outside on captures of small programs, which are made once."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.commands import SECONDS, rocm_perf_words

import vrocm

ROOT = Path(__file__).parents[3]
# WORK makes scale slower, FACTOR wrong.
PROGRAM = """
#include <hip/hip_runtime.h>
#ifndef WORK
#define WORK 1
#endif
#ifndef FACTOR
#define FACTOR 2.0f
#endif
__global__ void scale(const float* x, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value = x[i % n];
    for (int k = 1; k < WORK; ++k) value = sqrtf(value * value);
    if (i < n) out[i] = FACTOR * value;
}
__global__ void update(float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = out[i] * 2 + 1;
}
int main() {
    const int n = 4096;
    float host[n], *x, *out;
    for (int i = 0; i < n; ++i) host[i] = static_cast<float>(i % 64);
    (void)hipMalloc(&x, sizeof host);
    (void)hipMalloc(&out, sizeof host);
    (void)hipMemcpy(x, host, sizeof host, hipMemcpyHostToDevice);
    scale<<<n / 256, 256>>>(x, out, n);
    update<<<n / 256, 256>>>(out, n);
    return hipDeviceSynchronize() == hipSuccess ? 0 : 1;
}
"""


class Suite:
    """The command, in a folder with the captures ``captures/scale`` and ``captures/update``."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self.folder, self.environment = folder, environment

    def start(self, *words: object, command: str = "suite", **variables: str) -> subprocess.Popen[str]:
        head = ("suite", "run", "--runs", "2") if command == "suite" else (command,)
        return subprocess.Popen(
            rocm_perf_words(*head, *map(str, words)),
            cwd=self.folder,
            env={**self.environment, **variables},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def __call__(
        self, *words: object, command: str = "suite", **variables: str
    ) -> subprocess.CompletedProcess[str]:
        process = self.start(*words, command=command, **variables)
        stdout, stderr = process.communicate(timeout=SECONDS)
        return subprocess.CompletedProcess(process.args, process.returncode, stdout, stderr)

    def document(self, *words: object, code: int = 0, **variables: str) -> dict[str, Any]:
        done = self("--json", *words, **variables)
        assert done.returncode == code, done.stdout + done.stderr
        found: dict[str, Any] = json.loads(done.stdout)
        return found


@pytest.fixture(scope="session")
def environment() -> dict[str, str]:
    unwanted = ("ISOLATE", "HSA_TOOLS", "VROCM_TIMING", "VROCM_GROUP", "VROCM_ACCESS", "ROCPROF")
    clean = {name: value for name, value in os.environ.items() if not name.startswith(unwanted)}
    return {**clean, **vrocm.environment(), "PYTHONPATH": str(ROOT / "src")}


@pytest.fixture(scope="session")
def built(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """built(*flags): the program, made once for the same flags."""
    known: dict[tuple[str, ...], Path] = {}

    def build(*flags: str) -> Path:
        if flags not in known:
            folder = tmp_path_factory.mktemp("built")
            (folder / "program.hip").write_text(PROGRAM)
            words = ["hipcc", "-O2", *flags, "program.hip", "-o", "program"]
            done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True)
            assert done.returncode == 0, done.stderr
            known[flags] = folder / "program"
        return known[flags]

    return build


@pytest.fixture(scope="session")
def captures(
    built: Callable[..., Path], environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    home = tmp_path_factory.mktemp("captures")
    for kernel in ("scale", "update"):
        words = ["capture", "--kernel", f"^{kernel}\\(", "--out", home / kernel, "--", built()]
        done = subprocess.run(
            rocm_perf_words(*map(str, words)),
            env=environment,
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )
        assert done.returncode == 0, done.stderr
    return home


@pytest.fixture(scope="session")
def recorded(captures: Path, environment: dict[str, str]) -> dict[str, Any]:
    """suite.json of the captures as they are."""
    return Suite(captures, environment).document("scale", "update")


@pytest.fixture
def suite(captures: Path, environment: dict[str, str], tmp_path: Path) -> Suite:
    shutil.copytree(captures, tmp_path / "captures", ignore=shutil.ignore_patterns(".rocm-perf"))
    return Suite(tmp_path, environment)
