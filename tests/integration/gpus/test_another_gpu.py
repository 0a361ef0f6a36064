"""A GPU that gets a file: built from a copy of the sources, all commands know it."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest
from tests.another_gpu import NAME, PRODUCT, python_of, tree_with_it
from tests.commands import virtual_rocm, without_rocm

SECONDS = 3000
SOURCE = r"""
#include <hip/hip_runtime.h>
#include <cstdio>

__global__ void scale(float* x, int n) {
    __shared__ float tile[4096];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = i < n ? x[i] : 0;
    __syncthreads();
    if (i < n) x[i] = 2 * tile[threadIdx.x];
}

__global__ void too_large(float* x) {
    __shared__ float tile[12288];
    tile[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = tile[255 - threadIdx.x];
}

int main() {
    hipDeviceProp_t p;
    if (hipGetDeviceProperties(&p, 0) != hipSuccess) return 1;
    std::printf("%s %s ", p.name, p.gcnArchName);
    std::printf("%d %d %zu\n", p.multiProcessorCount, p.clockRate, p.sharedMemPerBlock);
    const int n = 1 << 16;
    float* x;
    if (hipMalloc(&x, n * sizeof *x) != hipSuccess) return 1;
    int groups = 0;
    (void)hipOccupancyMaxActiveBlocksPerMultiprocessor(&groups, scale, 256, 0);
    scale<<<n / 256, 256>>>(x, n);
    const hipError_t fits = hipDeviceSynchronize();
    std::printf("%d %s\n", groups, hipGetErrorName(fits));
    if (p.sharedMemPerBlock >= sizeof(float) * 12288) return fits;
    too_large<<<1, 256>>>(x);
    hipError_t refused = hipGetLastError();
    if (refused == hipSuccess) refused = hipDeviceSynchronize();
    std::printf("%s\n", refused == hipSuccess ? "ran" : "refused");
}
"""


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs the packages of a tree that was built with the GPU's file; not optimised, which takes longer."""
    tree = tree_with_it(tmp_path_factory.mktemp("tree") / "sources")
    build, stage = tree / "build", tree / "stage"
    unoptimised = ("-DCMAKE_BUILD_TYPE=None", "-DCMAKE_CXX_FLAGS=-O0")
    for words in (
        ("cmake", "-S", tree, "-B", build, "-G", "Ninja", "-DVROCM_INSTALL_DIR=.", *unoptimised),
        ("cmake", "--build", build, "-j", str(os.cpu_count())),
        ("cmake", "--install", build, "--prefix", stage),
    ):
        done = subprocess.run(words, capture_output=True, text=True, timeout=SECONDS)
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return python_of(tree, tree / "python")


def run(python: Path, *words: str | Path) -> str:
    tree = python.parents[2]
    environment = {
        **without_rocm(),
        "PATH": f"{python.parent}{os.pathsep}{os.defpath}",
        "VROCM_NATIVE_DIR": str(tree / "stage"),
        "VROCM_PREFIX_DIR": str(tree / "prefix"),
        "VROCM_DEVICE": NAME,
        "ROCM_PERF_CALIBRATIONS": "/no/calibrations",
    }
    done = subprocess.run(
        [python, "-m", *words], cwd=tree, env=environment, capture_output=True, text=True, timeout=SECONDS
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


@pytest.mark.survey
def test_all_know_it(python: Path) -> None:
    tree = python.parents[2]
    assert run(python, "vrocm", "devices").splitlines()[-1] == f"{NAME} gfx942"

    prefix = Path(run(python, "vrocm", "path").strip())
    info = run(python, "vrocm", "run", prefix / "bin" / "rocminfo")
    for line in (
        rf"Marketing Name: +{PRODUCT}",
        r"Compute Unit: +96",
        r"Chip ID: +31129\(0x7999\)",
        r"Max Clock Freq. \(MHz\): +1500",
        r"Size: +32\(0x20\) KB",
    ):
        assert re.search(line, info), line

    (tree / "app.hip").write_text(SOURCE)
    run(python, "vrocm", "hipcc", "-O3", "app.hip", "-o", "app")
    assert run(python, "vrocm", "run", "./app").splitlines() == [
        f"{PRODUCT} gfx942:sramecc+:xnack- 96 1500000 32768",
        "2 hipSuccess",  # 16 KiB of LDS each; registers would let eight
        "refused",
    ]

    profile = json.loads(run(python, "rocm_perf_lab", "profile", "--roofline", "--json", "--", "./app"))
    gpu = profile["gpu"]
    assert (gpu["name"], gpu["cu_count"], gpu["xcd_count"], gpu["clock_mhz"]) == (PRODUCT, 96, 4, 1500)
    assert gpu["lds_bytes_per_cu"] == 32 << 10
    (kernel,) = (one for one in profile["kernels"] if one["name"].startswith("scale"))
    assert (kernel["occupancy"]["limiter"], kernel["occupancy"]["workgroups_per_cu"]) == ("lds", 2)
    (memory,) = (level for level in kernel["roofline"]["traffic"] if level["level"] == "hbm")
    assert memory["gbps"] / memory["share_of_ceiling"] == pytest.approx(1000)
    (work,) = kernel["roofline"]["work"]
    assert work["gflops"] / work["share_of_ceiling"] == pytest.approx(128 * 96 * 1.5)  # a clock, units, GHz


def test_without_its_file_nobody_knows_it() -> None:
    done = subprocess.run(
        [virtual_rocm()["ROCM_PATH"] + "/bin/rocminfo"],
        env=virtual_rocm(VROCM_DEVICE=NAME),
        capture_output=True,
        text=True,
    )
    assert done.returncode != 0
    assert "MI300X MI325X MI300A MI250X" in done.stderr + done.stdout
