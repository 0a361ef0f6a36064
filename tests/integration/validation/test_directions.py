"""The timing model against known winners and published figures: a subset that takes seconds."""

from __future__ import annotations

import os
import subprocess
import sys
from operator import itemgetter
from pathlib import Path
from typing import Any

import pytest
from tests.commands import SECONDS
from tests.tiers import sweep

VALIDATION = Path(__file__).resolve().parents[3] / "validation"
sys.path.insert(0, str(VALIDATION))

from judge import build, compare, execute, sources  # noqa: E402

PAIRS = {
    "global_memory.hip": ["unroll_latency_bound", "float4_loads"],
    "lds.hip": ["lds_padding", "reduction"],
    "compute.hip": ["packed_fp32", "divergence", "division", "atomics"],
    "queues.hip": ["two_streams", "launches"],
    "occupancy.hip": ["grid_size"],
}
FIGURES = {
    "latency.hip": ["latency_lds", "latency_scalar_l1", "latency_vector_l1", "latency_l2_256KB"],
    "fma.hip": ["fma_fp32_one_cu", "fma_packed_fp32_one_cu", "fma_fp64_one_cu"],
    "mfma.hip": ["v_mfma_f32_16x16x16_bf16", "v_mfma_f32_32x32x8_f16", "v_mfma_f64_16x16x4_f64"],
}
# Rows far from any noise of the measurement; wider than the goal because each is a single row.
ROWS = {
    "fir": ["1024_taps64"],
    "matrixmultiplication": ["128x128x128"],
    "atax": ["64x64"],
    "nw": ["length=64"],
    "memcopy_h2d": ["16MB"],
    "relu": ["1048576"],
}
ROW_LIMIT = 0.35


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("validation")


def printed(binary: Path, arguments: list[str], device: str) -> tuple[dict[str, Any], ...]:
    environment = {**build.environment(), "VROCM_DEVICE": device, "VROCM_RESULTS": "sampled"}
    environment.pop("VROCM_TIMING", None)
    ran = subprocess.run(
        [str(binary), *arguments], env=environment, capture_output=True, text=True, timeout=SECONDS
    )
    assert ran.returncode == 0, ran.stderr
    return execute.json_lines(ran.stdout)


PROGRAMS = [
    ("vectoradd", "10000"),
    ("relu", "10000"),
    ("matrixmultiplication", "32x32x32"),
    ("matrixtranspose", "128x128"),
    ("fir", "1024_taps16"),
    ("stencil2d", "128x128"),
    ("atax", "48x48"),
    ("fastwalshtransform", "1024"),
    ("spmv_csr_scalar", "1024x1024_nnz4096"),
    ("nw", "length=192"),
    ("memcopy_h2d", "1MB"),
    ("memcopy_d2h", "1MB"),
    ("memcopy_d2d", "1MB"),
]


@pytest.mark.parametrize("source", sweep(PAIRS, keep={"lds.hip", "queues.hip"}))
def test_the_winner_on_hardware_wins(source: str, cache: Path) -> None:
    names = PAIRS[source]
    binary = build.binary(VALIDATION / "pairs" / source, (), cache)
    lines = printed(binary, names, sources.document("pairs.json")["device"])
    pairs = [pair for pair in sources.pairs() if pair.name in names]
    assert len(pairs) == len(names)
    wrong = [(r.pair.name, r.ratio) for r in compare.pair_results(pairs, lines) if not r.right]
    assert wrong == []


@pytest.mark.parametrize("source", sweep(FIGURES, keep={"fma.hip"}))
def test_published_figures_are_met(source: str, cache: Path) -> None:
    names = FIGURES[source]
    known = [figure for figure in sources.figures() if figure.name in names]
    if not known:
        pytest.skip(f"no table of instruction cycles at {sources.DATA}")
    binary = build.binary(VALIDATION / "microbench" / source, (), cache)
    lines = printed(binary, names, sources.document("microbench.json")["device"])
    outside = [(r.figure.name, r.value) for r in compare.figure_results(known, lines) if not r.inside]
    assert outside == []


@pytest.mark.parametrize("name", sweep(ROWS, keep={"relu", "fir"}))
def test_measured_rows_are_near(name: str, cache: Path) -> None:
    try:
        rows = [row for row in sources.measured_rows(quick=False) if row.program == name]
    except sources.DataMissing as missing:
        pytest.skip(str(missing))
    program = next(program for program in sources.programs() if program.name == name)
    binary = build.binary(program.source, program.flags, cache)
    for size in ROWS[name]:
        row = next(row for row in rows if row.size == size)
        lines = printed(binary, [size, "--repeats", "1"], sources.document("programs.json")["device"])
        result = compare.row_result(row, program.subset, execute.Outcome(size, lines, 0, ""))
        assert result.error <= ROW_LIMIT, (size, result.simulated_ms, row.avg_ms)


def test_a_program_takes_the_same_time_in_every_run(cache: Path) -> None:
    program = next(program for program in sources.programs() if program.name == "atax")
    binary = build.binary(program.source, program.flags, cache)
    runs = {printed(binary, ["64x64"], "MI300A")[0]["avg_ms"] for _ in range(2)}
    assert len(runs) == 1


@pytest.mark.parametrize(
    ("name", "size"), sweep(PROGRAMS, keep={"vectoradd", "nw", "memcopy_d2d"}, name=itemgetter(0))
)
def test_results_of_the_programs_are_right(name: str, size: str, cache: Path) -> None:
    program = next(program for program in sources.programs() if program.name == name)
    binary = build.binary(program.source, program.flags, cache)
    environment = {**os.environ, **build.environment(), "VROCM_DEVICE": "MI300A"}
    ran = subprocess.run(
        [str(binary), size, "--check"], env=environment, capture_output=True, text=True, timeout=SECONDS
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
