"""Counters of a dispatch of which a part is simulated, against those of one that is simulated as a whole."""

from __future__ import annotations

import csv
import os
import subprocess
from pathlib import Path

import pytest

import vrocm

SOURCE = r"""
#include <hip/hip_runtime.h>
__global__ void add(float* out, const float* a, const float* b) {
    const unsigned i = blockIdx.x * 256 + threadIdx.x;
    out[i] = a[i] + b[i];
}
__global__ void uneven(float* out, int steps) {
    float x = threadIdx.x;
    for (int i = 0; i < steps * (1 + int(blockIdx.x % 7)); ++i)
        for (int j = 0; j < 16; ++j) x = __builtin_fmaf(x, 1.0001f, 0.5f);
    out[blockIdx.x * 256 + threadIdx.x] = x;
}
int main() {
    const unsigned count = 7 << 22;
    float *a, *b, *c;
    if (hipMalloc(&a, count * 4) || hipMalloc(&b, count * 4) || hipMalloc(&c, count * 4)) return 1;
    add<<<count / 256, 256>>>(c, a, b);
    uneven<<<count / 1024, 256>>>(c, 1);
    return hipDeviceSynchronize() != hipSuccess;
}
"""
COUNTERS = [
    *("SQ_WAVE_CYCLES", "SQ_WAIT_ANY", "SQ_WAIT_INST_ANY", "SQ_BUSY_CYCLES", "SQ_BUSY_CU_CYCLES"),
    *("SQ_INST_LEVEL_VMEM", "SQ_INST_LEVEL_SMEM", "GRBM_GUI_ACTIVE", "TCP_TCC_READ_REQ_LATENCY_sum"),
    *("TCC_HIT_sum", "TCC_MISS_sum", "TCC_EA0_RDREQ_sum", "TCC_EA0_WRREQ_sum"),
]


@pytest.fixture(scope="module")
def environment() -> dict[str, str]:
    return {**os.environ, **vrocm.environment()}


@pytest.fixture(scope="module")
def program(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("counted")
    (folder / "counted.hip").write_text(SOURCE)
    subprocess.run(["hipcc", "-O2", "counted.hip", "-o", "counted"], cwd=folder, env=environment, check=True)
    return folder / "counted"


def counted(program: Path, environment: dict[str, str], mode: str) -> dict[tuple[str, str], float]:
    folder = program.parent / mode
    command = ["rocprofv3", "--pmc", *COUNTERS, "-f", "csv", "-d", str(folder), "--", str(program)]
    subprocess.run(command, env={**environment, "VROCM_TIMING": mode}, check=True, capture_output=True)
    (table,) = folder.rglob("*counter_collection.csv")
    with table.open() as lines:
        return {
            (row["Kernel_Name"].partition("(")[0], row["Counter_Name"]): float(row["Counter_Value"])
            for row in csv.DictReader(lines)
        }


@pytest.mark.survey
def test_sampled_counters_are_those_of_full_simulation(program: Path, environment: dict[str, str]) -> None:
    sampled, full = (counted(program, environment, mode) for mode in ("sampled", "full"))
    assert sampled.keys() == full.keys()
    assert {name for _, name in full} == set(COUNTERS)
    far_off = {
        name: (sampled[name], full[name])
        for name in full
        if sampled[name] != pytest.approx(full[name], rel=0.1)
    }
    assert not far_off
    assert sampled != full  # a part was simulated
