"""The pass of deep analysis: every shape of one kernel, and only that kernel."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import datetime, timezone
from pathlib import Path

import pytest

from rocm_perf_lab.contracts.documents import to_json
from rocm_perf_lab.profiling.folder.run_folder import RunFolder, make_folder, make_parts
from rocm_perf_lab.profiling.passes.deep_analysis import (
    DeepAnalysis,
    Tracer,
    analyze_deeply,
    exactly,
    shapes_of,
)
from rocm_perf_lab.profiling.passes.execution import ProgramExecution, execute
from rocm_perf_lab.profiling.passes.run_rocprof import Rocprof
from rocm_perf_lab.profiling.progress import Progress
from rocm_perf_lab.rocpd.dispatch_order import Shape, dispatches_of
from rocm_perf_lab.rocpd.read import find_databases, read_trace

from .conftest import Att, Build

SHAPES = Path(__file__).parent / "programs" / "shapes.hip"
KERNEL = "void scale<float, 4>(float*, int)"
WIDE = Shape((32768, 1, 1), (256, 1, 1), 0)
NARROW = Shape((32768, 1, 1), (128, 1, 1), 0)
SMALL = Shape((64, 1, 1), (64, 1, 1), 0)


@pytest.fixture(scope="module")
def timed(
    build: Build, environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> tuple[Rocprof, list[Path]]:
    """How the program is run, and the databases of a timing pass."""
    tool = Path(environment["ROCM_PATH"]) / "bin" / "rocprofv3"
    rocprof = Rocprof(tool, (str(build(SHAPES)),), environment, None, False)
    folder = run_of(tmp_path_factory.mktemp("timing"))
    outcome = execute(ProgramExecution("timing", 1, "timing"), rocprof, folder, None, None)
    assert outcome.succeeded
    return rocprof, find_databases(folder.timing_pass(1))


def run_of(tmp_path: Path) -> RunFolder:
    folder = make_folder("x", datetime.now(timezone.utc), tmp_path / "run")
    make_parts(folder)
    return folder


def analyzed(
    timed: tuple[Rocprof, list[Path]], tmp_path: Path, *shapes: Shape, kernel: str = KERNEL
) -> DeepAnalysis:
    rocprof, databases = timed
    return Tracer(rocprof, run_of(tmp_path), Progress(enabled=False), 8).trace(kernel, shapes, databases)


def test_dispatches_in_order(timed: tuple[Rocprof, list[Path]]) -> None:
    found = list(dispatches_of(KERNEL, timed[1]))
    assert [(one.number, one.iteration, one.shape) for one in found] == [
        (1, 1, WIDE),
        (3, 2, NARROW),
        (4, 3, WIDE),
        (6, 4, NARROW),
        (7, 5, WIDE),
        (9, 6, NARROW),
        (10, 7, SMALL),
    ]


def test_all_shapes(timed: tuple[Rocprof, list[Path]], tmp_path: Path) -> None:
    found = analyzed(timed, tmp_path, NARROW, WIDE, SMALL)
    assert found.warnings == []
    assert list(found.by_shape) == [NARROW, WIDE, SMALL]
    # The second launch of each, where there is one; the small grid does not reach the unit traced first.
    assert [one.dispatch for one in found.by_shape.values()] == [6, 4, 10]
    assert [one.folder.split("/")[:2] for one in found.by_shape.values()] == [
        ["att", "pass-1"],
        ["att", "pass-1"],
        ["att", "pass-2"],
    ]
    for shape, one in found.by_shape.items():
        assert one.kernel == KERNEL
        assert (one.grid, one.block) == (shape.grid, shape.workgroup)
        assert one.waves > 0
        assert one.origin == "simulated"
        assert one.occupancy
        assert one.occupancy.wave_slots_per_simd == 8
    document = json.loads(to_json(found.document))
    assert [one["dispatch"] for one in document["dispatches"]] == [6, 4, 10]


def test_of_a_timing_pass(timed: tuple[Rocprof, list[Path]], tmp_path: Path, att: Att) -> None:
    """Shapes by their time; what the run folder keeps is shown without the program."""
    rocprof, databases = timed
    timing = read_trace(databases)
    folder = run_of(tmp_path)
    found = analyze_deeply(KERNEL, timing, rocprof, folder, Progress(enabled=False))
    assert list(found.by_shape) == shapes_of(KERNEL, timing)
    assert set(found.by_shape) == {WIDE, NARROW, SMALL}
    folder.write("att.json", to_json(found.document))
    shown = att("--json", folder.path)
    assert shown.code == 0, shown.stderr
    grids = [one["grid"] for one in shown.document["dispatches"]]
    assert grids == [list(shape.grid) for shape in found.by_shape]
    folder.write("att.json", "{}")  # of another version: the traces are read again
    assert len(att("--json", folder.path).document["dispatches"]) == 4  # one was repeated on another unit


def test_only_this_kernel_is_traced(timed: tuple[Rocprof, list[Path]], tmp_path: Path) -> None:
    analyzed(timed, tmp_path, WIDE)
    folders = sorted(path.name for path in tmp_path.rglob("ui_output*"))
    assert folders == ["ui_output_agent_2_dispatch_4"]  # scale_more, whose name begins alike, is not traced


def test_a_shape_that_is_not_there(timed: tuple[Rocprof, list[Path]], tmp_path: Path) -> None:
    found = analyzed(timed, tmp_path, Shape((1, 1, 1), (1, 1, 1), 0))
    assert found.by_shape == {}
    assert "was not launched in the timing pass" in found.warnings[0]
    assert not (tmp_path / "run" / "att").exists()


FakeTool = Callable[[str], tuple[Rocprof, list[Path]]]


@pytest.fixture
def fake_tool(timed: tuple[Rocprof, list[Path]], tmp_path: Path) -> FakeTool:
    def make(script: str) -> tuple[Rocprof, list[Path]]:
        tool = tmp_path / "rocprofv3"
        tool.write_text(f"#!/bin/sh\n{script}\n")
        tool.chmod(0o755)
        rocprof, databases = timed
        return Rocprof(tool, rocprof.command, rocprof.environment, 20, False), databases

    return make


@pytest.mark.parametrize(
    ("script", "message"),
    [
        (
            "echo 'Fatal error: rocprof-trace-decoder library path not found' >&2; exit 1",
            "failed: rocprofv3 ended with exit code 1: Fatal error: rocprof-trace-decoder",
        ),
        ("exit 0", "no thread trace of void scale<float, 4>(float*, int) with grid 32768x1x1, block 256x1x1"),
        ("kill -SEGV $$", "failed: rocprofv3 was killed by SIGSEGV"),
    ],
)
def test_failures_are_told(fake_tool: FakeTool, tmp_path: Path, script: str, message: str) -> None:
    found = analyzed(fake_tool(script), tmp_path, WIDE)
    assert found.by_shape == {}
    assert message in found.warnings[0]
    assert to_json(found.document)


def test_broken_traces_are_told(
    fake_tool: FakeTool, timed: tuple[Rocprof, list[Path]], tmp_path: Path
) -> None:
    real = timed[0].tool
    script = f'"{real}" "$@" || exit 1\nfind "{tmp_path}" -name code.json -exec truncate -s 40 {{}} +'
    found = analyzed(fake_tool(script), tmp_path, WIDE)
    assert "cannot be read" in found.warnings[0]
    assert "code.json is cut short" in found.warnings[0]


def test_traces_without_a_database(
    fake_tool: FakeTool, timed: tuple[Rocprof, list[Path]], tmp_path: Path
) -> None:
    script = f'"{timed[0].tool}" "$@" || exit 1\nfind "{tmp_path}" -name "*.db" -delete'
    found = analyzed(fake_tool(script), tmp_path, WIDE, NARROW)
    assert found.warnings == []
    assert [one.dispatch for one in found.by_shape.values()] == [4, 6]


@pytest.mark.parametrize("name", [KERNEL, "f(int (*)(a[], b{c}), d^e$|f.g+h?\\i)"])
def test_exactly(name: str) -> None:
    assert re.search(exactly(name), name)
    assert not re.search(exactly(name), name + "x")
    assert not re.search(exactly(name), "x" + name)
