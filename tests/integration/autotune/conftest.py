"""Runs ``rocm-perf autotune`` from outside, in an empty folder, on a program whose figures follow a known
law."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.commands import SECONDS, rocm_perf_words

import vrocm

# Best at A = 8, B = 4, MODE = good with 1.0; MODE = bad fails with A above 4; B = 16 prints a wrong result.
PROGRAM = """
import math, os, sys, time
a, b, mode = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
with open("runs.log", "a") as log:
    log.write(f"{a} {b} {mode}\\n")
if mode == "bad" and a > 4:
    sys.exit("it does not like this")
time.sleep(float(os.environ.get("PAUSE", "0")))
value = 1 + 0.3 * abs(math.log2(a) - 3) + 0.2 * abs(math.log2(b) - 2) + 0.5 * (mode != "good")
print(f"time: {value * float(os.environ.get('SPEED', '1')):.6f} ms")
print("wrong" if b == 16 else "right")
"""
SPACE = {
    "parameters": {"A": [1, 2, 4, 8, 16, 32], "B": [1, 2, 4, 8, 16], "MODE": ["good", "plain", "bad"]},
    "constraints": ["A * B <= 256"],
    "baseline": {"A": 1, "B": 1, "MODE": "plain"},
}
METRIC = ("--objective", "metric", "--metric", r"time: ([\d.]+)")


class Autotune:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environment = {**os.environ, **vrocm.environment(), "OPENBLAS_NUM_THREADS": "1"}
        self.environment["PYTHONPATH"] = str(Path(__file__).parents[3] / "src")
        (folder / "program.py").write_text(PROGRAM)
        (folder / "space.json").write_text(json.dumps(SPACE))

    def words(self, *options: object) -> list[str]:
        template = f"{sys.executable} program.py {{A}} {{B}} {{MODE}}"
        given = ["--space", "space.json", "--cmd-template", template, "--repeats", "1"]
        return rocm_perf_words("autotune", *given, *map(str, options))

    def start(self, *options: object, **variables: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            self.words(*options),
            cwd=self.folder,
            env={**self.environment, **variables},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def __call__(self, *options: object, **variables: str) -> subprocess.CompletedProcess[str]:
        process = self.start(*options, **variables)
        stdout, stderr = process.communicate(timeout=SECONDS)
        return subprocess.CompletedProcess(process.args, process.returncode, stdout, stderr)

    def document(self, *options: object, **variables: str) -> dict[str, Any]:
        done = self(*METRIC, "--json", *options, **variables)
        assert done.returncode == 0, done.stderr
        found: dict[str, Any] = json.loads(done.stdout)
        return found

    def runs(self) -> list[str]:
        log = self.folder / "runs.log"
        return log.read_text().splitlines() if log.exists() else []


@pytest.fixture
def autotune(tmp_path: Path) -> Autotune:
    return Autotune(tmp_path)
