"""One run of rocprofv3, written as rocpd, JSON and CSV, gives one and the same trace."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path

import pytest

from rocm_perf_lab.api.compare import compare
from rocm_perf_lab.rocpd.read import read_trace
from rocm_perf_lab.rocpd.rows import KernelResources, LaunchKey, Trace

from .conftest import Traced

FORMATS = ("-f", "rocpd", "csv", "json")
RUNS = {
    "trace": ("plain", "--kernel-trace"),
    "streams": ("streams", "--kernel-trace"),
    "processes": ("fork", "--kernel-trace"),
    "scratch": ("scratch", "--kernel-trace"),
    "counters": ("plain", "--kernel-trace", "--pmc", "SQ_WAVES", "SQ_INSTS_VALU"),
    "counters alone": ("plain", "--pmc", "SQ_WAVES", "SQ_INSTS_VALU"),
}


def files(folder: Path, pattern: str) -> list[Path]:
    found = sorted(folder.rglob(pattern))
    assert found
    return found


@pytest.fixture(params=RUNS)
def folder(request: pytest.FixtureRequest, traced: Traced) -> Path:
    mode, *options = RUNS[request.param]
    return traced(*options, *FORMATS, mode=mode)


def without_source(trace: Trace) -> Trace:
    launches = tuple(replace(launches, extrapolated=frozenset()) for launches in trace.launches)
    return replace(trace, sources=(), launches=launches)


def test_json_equals_rocpd(folder: Path) -> None:
    rocpd = read_trace(files(folder, "*_results.db"))
    assert rocpd.dispatches > 0
    assert rocpd.warnings == ()
    # Only the database marks counters that were extrapolated.
    assert without_source(read_trace(files(folder, "*_results.json"))) == without_source(rocpd)


def coarse(trace: Trace, *, shapes: bool) -> Trace:
    """What CSV tables can tell: no command, host and code objects, the kernel's own LDS in blocks of 512
    bytes, and without a kernel trace only the sizes of grids."""
    launches = []
    for item in trace.launches:
        key, resources = item.key, item.resources
        grid, workgroup = key.grid, key.workgroup
        if not shapes:
            grid = (grid[0] * grid[1] * grid[2], 1, 1)
            workgroup = (workgroup[0] * workgroup[1] * workgroup[2], 1, 1)
        lds = -(-(resources.lds_static_bytes or key.lds_bytes) // 512) * 512
        launches.append(
            replace(
                item,
                key=LaunchKey(key.kernel, key.agent, grid, workgroup, lds, key.scratch_bytes),
                resources=KernelResources(
                    resources.arch_vgprs,
                    resources.accum_vgprs,
                    resources.sgprs,
                    None,
                    resources.scratch_bytes,
                ),
                extrapolated=frozenset(),
            )
        )
    return replace(trace, sources=(), processes=(), code_objects=(), warnings=(), launches=tuple(launches))


def test_csv_equals_rocpd(folder: Path) -> None:
    rocpd = read_trace(files(folder, "*_results.db"))
    shapes = bool(list(folder.rglob("*_kernel_trace.csv")))
    tables = files(folder, "*_kernel_trace.csv" if shapes else "*_counter_collection.csv")
    assert coarse(read_trace(tables), shapes=shapes) == coarse(rocpd, shapes=shapes)


def test_no_kernel_is_called_changed(folder: Path) -> None:
    """Formats tell registers and LDS more or less exactly: that is no change of the kernel's."""
    patterns = ("*_results.db", "*_results.json", "*_kernel_trace.csv")
    one_of_each = [files(folder, pattern)[0] for pattern in patterns if list(folder.rglob(pattern))]
    for base, new in itertools.permutations(one_of_each, 2):
        found = compare(base, new)
        assert [(one.name, one.status) for one in found.kernels if one.status != "both"] == []
        assert [one for kernel in found.kernels for one in kernel.resources if one.changed] == []


def test_a_folder_with_all_formats_counts_once(folder: Path) -> None:
    assert read_trace([folder]) == read_trace(files(folder, "*_results.db"))


def test_the_virtual_gpu_says_that_it_is_virtual(folder: Path) -> None:
    tables = [*folder.rglob("*_kernel_trace.csv"), *folder.rglob("*_counter_collection.csv")]
    for path in (*folder.rglob("*_results.db"), *folder.rglob("*_results.json"), *tables):
        assert [agent.virtual for agent in read_trace([path]).agents] == [True]


def test_processes_of_one_execution_are_merged(traced: Traced) -> None:
    trace = read_trace([traced("--kernel-trace", *FORMATS, mode="fork")])
    assert len(trace.sources) == len(trace.processes) == 2
    assert trace.dispatches == 5  # 3 of the parent, 2 of the child
    assert {launches.key.kernel: launches.count for launches in trace.launches} == {
        "scale(float*, float, int)": 3,
        "void offset<float>(float*, float, int)": 2,
    }
