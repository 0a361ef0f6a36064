"""Kernels of known work under rocprofv3: FLOPs, bytes and verdicts must be what can be worked out by hand."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from tests.commands import SECONDS

import vrocm
from rocm_perf_lab.analysis.roofline import TimedLaunches, ceilings, roofline, wanted_counters
from rocm_perf_lab.arch.counters import block_of, block_slots
from rocm_perf_lab.arch.device import peaks
from rocm_perf_lab.contracts.documents import to_json
from rocm_perf_lab.contracts.profiling.roofline import Roofline, Traffic, Work
from rocm_perf_lab.rocpd.read import find_databases, read_trace
from rocm_perf_lab.rocpd.rows import Trace

SOURCE = Path(__file__).parent / "programs" / "known_work.hip"

LAUNCHES = 2
THREADS = 256
BLOCKS = 608
ROUNDS = 32
DOUBLES = 1 << 20
# Code, kernel arguments and the page of the packet: bytes that a kernel reads besides its data.
READ_OVERHEAD = 20_000


@pytest.fixture(scope="module")
def environment() -> dict[str, str]:
    return {**os.environ, **vrocm.environment(), "VROCM_DEVICE": "MI300X"}


@pytest.fixture(scope="module")
def program(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    built = tmp_path_factory.mktemp("known") / "known_work"
    command = ["hipcc", "-O2", "--offload-arch=gfx942,gfx90a", str(SOURCE), "-o", str(built)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=SECONDS)
    assert done.returncode == 0, done.stderr
    return built


def _groups(names: tuple[str, ...], slots: dict[str, int]) -> list[list[str]]:
    """Packs counters greedily into runs that the hardware can do."""
    runs: list[list[str]] = []
    for name in names:
        block = block_of(name)
        fitting = (run for run in runs if sum(block_of(one) == block for one in run) < slots[block])
        run = next(fitting, None)
        if run is None:
            runs.append(run := [])
        run.append(name)
    return runs


def _trace(command: list[str], folder: Path, environment: dict[str, str]) -> Trace:
    done = subprocess.run(
        ["rocprofv3", *command[:-2], "-d", str(folder), "--", *command[-2:]],
        env=environment,
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    assert done.returncode == 0, done.stderr
    return read_trace(find_databases(folder))


def _roofline(which: str, program: Path, environment: dict[str, str], folder: Path) -> Roofline:
    app = [str(program), which]
    timing = _trace(["--kernel-trace", *app], folder / "timing", environment)
    (agent,) = timing.agents
    groups = _groups(wanted_counters(agent.name), block_slots(agent.name))
    assert len(groups) == 3
    passes = [
        _trace(["--pmc", *group, *app], folder / f"pass{number}", environment)
        for number, group in enumerate(groups)
    ]
    (launches,) = timing.launches
    result = roofline(
        [one.launches for one in passes],
        TimedLaunches(timing.total_ns, launches.count),
        agent,
        ceilings(agent, peaks(agent.name, agent.product_name)),
        origin="simulated",
    )
    assert isinstance(result, Roofline), result
    assert launches.count == LAUNCHES
    assert result.suspects == ()
    to_json(result)
    return result


def _level(result: Roofline, level: str) -> Traffic:
    return next(one for one in result.traffic if one.level == level)


def _only_work(result: Roofline) -> Work:
    (work,) = result.work
    return work


def test_copy_is_bound_by_memory(program: Path, environment: dict[str, str], tmp_path: Path) -> None:
    result = _roofline("copy", program, environment, tmp_path)
    moved = LAUNCHES * DOUBLES * 8
    memory = _level(result, "hbm")
    assert memory.write_bytes == moved
    assert memory.read_bytes is not None
    assert moved <= memory.read_bytes <= moved + LAUNCHES * READ_OVERHEAD
    second = _level(result, "l2")
    assert (second.read_bytes, second.write_bytes) == (moved, moved)
    assert _level(result, "l1").total_bytes == LAUNCHES * 2 * DOUBLES * 8 / 32 * 128
    assert result.flops == 0
    assert result.arithmetic_intensity == 0
    assert (result.bound, result.bound_by) == ("memory", "hbm")
    assert result.share_of_roof == memory.share_of_ceiling
    assert result.active_lane_share == 1


def test_copy_on_an_mi250x(program: Path, environment: dict[str, str], tmp_path: Path) -> None:
    """gfx90a: other counters, lines of 64 bytes in the L1, no Infinity Cache."""
    result = _roofline("copy", program, {**environment, "VROCM_DEVICE": "MI250X"}, tmp_path)
    moved = LAUNCHES * DOUBLES * 8
    memory = _level(result, "hbm")
    assert "TCC_EA_RDREQ" in memory.formula
    assert memory.write_bytes == moved
    assert memory.read_bytes is not None
    assert moved <= memory.read_bytes <= moved + LAUNCHES * READ_OVERHEAD
    second = _level(result, "l2")
    assert (second.read_bytes, second.write_bytes) == (moved, moved)
    assert (result.bound, result.bound_by) == ("memory", "hbm")


def test_multiply_adds_are_bound_by_the_vector_units(
    program: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    result = _roofline("fma", program, environment, tmp_path)
    work = _only_work(result)
    assert (work.unit, work.type) == ("valu", "f32")
    assert work.operations == result.flops == LAUNCHES * BLOCKS * THREADS * 8 * ROUNDS * 2
    memory = _level(result, "hbm")
    assert memory.write_bytes == LAUNCHES * BLOCKS * THREADS * 4
    assert (result.bound, result.bound_by) == ("compute", "valu f32")
    assert result.flops is not None
    assert result.arithmetic_intensity == pytest.approx(result.flops / memory.total_bytes)
    assert result.active_lane_share == 1


def test_matrix_instructions_are_bound_by_the_matrix_cores(
    program: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    result = _roofline("mfma", program, environment, tmp_path)
    matrix = next(one for one in result.work if one.unit == "mfma")
    waves = BLOCKS * THREADS // 64
    assert matrix.type == "f16"
    assert matrix.operations == LAUNCHES * waves * ROUNDS * 2 * (32 * 32 * 8 * 2)
    assert (result.bound, result.bound_by) == ("compute", "mfma f16")


def test_lds_reads_are_bound_by_the_lds(program: Path, environment: dict[str, str], tmp_path: Path) -> None:
    result = _roofline("lds", program, environment, tmp_path)
    assert _level(result, "lds").total_bytes == LAUNCHES * BLOCKS * THREADS * 4 * (4 * ROUNDS // 2 + 1)
    assert (result.bound, result.bound_by) == ("memory", "lds")
