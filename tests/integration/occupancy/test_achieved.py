"""Achieved occupancy of kernels that fill the virtual GPU comes close to the theoretical one, from below."""

from __future__ import annotations

import csv
import os
import subprocess
from collections import defaultdict
from pathlib import Path

import pytest
from tests.commands import SECONDS

import vrocm
from rocm_perf_lab.analysis.achieved_occupancy import COUNTERS, achieved_occupancy
from rocm_perf_lab.analysis.occupancy import occupancy
from rocm_perf_lab.arch.device import device
from rocm_perf_lab.codeobj.kernels import kernel_named, kernels_in_file
from rocm_perf_lab.contracts.profiling.occupancy import Occupancy
from rocm_perf_lab.rocpd.rows import Agent

ROUNDS = 4  # groups that each place on the GPU gets one after another: starting and ending must weigh little
GPU = Agent(1, "gfx942", "AMD Instinct MI300X", cu_count=304, xcd_count=8, max_waves_per_cu=32)

# Registers, threads per workgroup, bytes of dynamic LDS, and what should limit the launch.
LAUNCHES = [
    (32, 256, 0, "waves"),
    (16, 256, 0, "sgpr"),
    (96, 256, 0, "vgpr"),
    (128, 256, 0, "vgpr"),
    (32, 1024, 0, "waves"),
    (96, 1024, 0, "vgpr"),
    (32, 192, 0, "workgroup"),
    (32, 256, 20000, "lds"),
    (32, 64, 65536, "lds"),
    (96, 128, 16384, "lds"),
    (32, 64, 0, "waves"),
]


@pytest.fixture(scope="module")
def environment() -> dict[str, str]:
    return {**os.environ, **vrocm.environment(), "VROCM_DEVICE": "MI300X"}


@pytest.fixture(scope="module")
def program(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    built = tmp_path_factory.mktemp("fill") / "fill"
    source = Path(__file__).parent / "fill.hip"
    subprocess.run(
        ["hipcc", "-O2", str(source), "-o", str(built)], env=environment, check=True, timeout=SECONDS
    )
    return built


def theoretical(program: Path, registers: int, threads: int, lds: int) -> Occupancy:
    """From the registers that the code object says the kernel has."""
    limits = device(GPU.name)
    kernel = kernel_named(kernels_in_file(program), f"fill_{registers}(int)")
    assert limits is not None
    assert kernel is not None
    assert kernel.arch_vgprs == registers
    return occupancy(
        limits,
        threads_per_block=threads,
        arch_vgprs=kernel.arch_vgprs,
        accum_vgprs=kernel.accum_vgprs,
        sgprs=kernel.sgprs,
        lds_bytes=lds,
    )


def test_close_from_below(program: Path, environment: dict[str, str], tmp_path: Path) -> None:
    expected = [theoretical(program, *launch[:3]) for launch in LAUNCHES]
    assert [result.limiter for result in expected] == [launch[3] for launch in LAUNCHES]
    arguments = []
    for launch, result in zip(LAUNCHES, expected, strict=True):
        assert result.workgroups_per_cu is not None
        assert GPU.cu_count is not None
        groups = result.workgroups_per_cu * GPU.cu_count * ROUNDS
        arguments.append(",".join(map(str, (*launch[:3], groups))))
    options = ["--pmc", *COUNTERS, "-d", str(tmp_path), "-o", "run", "--output-format", "csv"]
    subprocess.run(
        ["rocprofv3", *options, "--", str(program), *arguments],
        env=environment,
        check=True,
        capture_output=True,
        timeout=SECONDS,
    )
    counters: dict[int, dict[str, float]] = defaultdict(dict)
    with (tmp_path / "run_counter_collection.csv").open() as file:
        for row in csv.DictReader(file):
            counters[int(row["Dispatch_Id"])][row["Counter_Name"]] = float(row["Counter_Value"])
    assert len(counters) == len(LAUNCHES)
    for launch, result, dispatch in zip(LAUNCHES, expected, sorted(counters), strict=True):
        achieved, why_not = achieved_occupancy(counters[dispatch], GPU)
        assert achieved is not None, (launch, why_not)
        assert result.theoretical is not None
        # A wave stays some 33,000 clocks, starting and ending the dispatch take some 3 % of the whole.
        assert 0.93 * result.theoretical < achieved <= result.theoretical, launch
