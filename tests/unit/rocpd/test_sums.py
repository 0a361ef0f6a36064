"""Sums against a plain walk over every row, for traces of many shapes."""

from __future__ import annotations

import sqlite3
import statistics
import tempfile
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from trace_generator import Shape, write_trace, write_traces

from rocm_perf_lab.rocpd.read import read_trace
from rocm_perf_lab.rocpd.rows import LaunchKey, Trace

SHAPES = st.builds(
    Shape,
    dispatches=st.integers(0, 120),
    kernels=st.integers(1, 5),
    geometries=st.integers(1, 6),
    queues=st.integers(1, 3),
    streams=st.integers(1, 4),
    processes=st.integers(1, 3),
    counters=st.integers(0, 3),
    instances=st.integers(1, 3),
    unusable_every=st.sampled_from([0, 2, 7]),
)

# Names of what is walked over: AMD's own views, which the product does not use.
KERNELS = """SELECT name, agent_abs_index, grid_x, grid_y, grid_z, workgroup_x, workgroup_y, workgroup_z,
    lds_size, scratch_size, start, "end", vgpr_count, accum_vgpr_count, sgpr_count, guid, dispatch_id
    FROM kernels"""
COUNTERS = "SELECT guid, dispatch_id, counter_name, value FROM counters_collection"


def check(trace: Trace, path: Path) -> None:
    with sqlite3.connect(path) as connection:
        kernels = connection.execute(KERNELS).fetchall()
        counters = connection.execute(COUNTERS).fetchall()
    connection.close()
    durations: dict[LaunchKey, list[int]] = defaultdict(list)
    sums: dict[LaunchKey, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    registers: dict[LaunchKey, tuple[int, ...]] = {}
    key_of: dict[tuple[str, int], LaunchKey] = {}
    spans = []
    for name, agent, gx, gy, gz, wx, wy, wz, lds, scratch, start, end, *rest in kernels:
        if end < start:
            continue
        key = LaunchKey(name, agent, (gx, gy, gz), (wx, wy, wz), lds, scratch)
        durations[key].append(end - start)
        registers[key] = tuple(rest[:3])
        key_of[rest[3], rest[4]] = key
        spans.append((start, end))
    for guid, dispatch, counter, value in counters:
        if (guid, dispatch) in key_of:
            sums[key_of[guid, dispatch]][counter] += value

    assert {launches.key for launches in trace.launches} == set(durations)
    assert len(trace.launches) == len(durations)
    for launches in trace.launches:
        expected = durations[launches.key]
        assert launches.count == len(expected)
        assert launches.total_ns == sum(expected)
        assert (launches.min_ns, launches.max_ns) == (min(expected), max(expected))
        assert launches.median_ns == statistics.median(expected)
        assert launches.counters == sums[launches.key]
        assert all(count == len(expected) for count in launches.counted.values())
        resources = launches.resources
        found = (resources.arch_vgprs, resources.accum_vgprs, resources.sgprs)
        assert found == registers[launches.key]
    assert trace.dispatches == len(spans)
    assert trace.begin_ns == min((start for start, _ in spans), default=None)
    assert trace.end_ns == max((end for _, end in spans), default=None)
    unusable = len(kernels) - len(spans)
    assert any(f" {unusable} dispatches end before" in text for text in trace.warnings) == bool(unusable)


@settings(max_examples=40)
@given(SHAPES)
def test_all_figures_equal_a_walk_over_the_views(shape: Shape) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "trace.db"
        write_trace(path, shape)
        check(read_trace([path]), path)


@settings(max_examples=10)
@given(SHAPES)
def test_a_file_per_process_gives_what_one_merged_file_gives(shape: Shape) -> None:
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / "whole.db"
        write_trace(whole, shape)
        merged = read_trace([whole])
        parts = read_trace(write_traces(Path(folder) / "parts", shape))
        assert len(parts.sources) == shape.processes
        assert replace(parts, sources=(), warnings=()) == replace(merged, sources=(), warnings=())


def test_long_and_short_traces_have_the_same_medians(tmp_path: Path, monkeypatch) -> None:
    write_trace(tmp_path / "t.db", Shape(5000, kernels=2, geometries=1))
    plain = read_trace([tmp_path / "t.db"])
    monkeypatch.setattr("rocm_perf_lab.rocpd.trace_builder._MANY", 10)
    assert read_trace([tmp_path / "t.db"]) == plain


def test_medians_can_be_left_out(database) -> None:
    path = database()
    without = read_trace([path], medians=False)
    assert {launches.median_ns for launches in without.launches} == {None}
    assert without.total_ns == read_trace([path]).total_ns


def _names(trace: Trace) -> set[str]:
    return {launches.key.kernel for launches in trace.launches}


def test_kernels_are_chosen_by_their_demangled_names(database) -> None:
    path = database(kernels=4)
    whole = read_trace([path])
    chosen = read_trace([path], kernels=r"kernel0[12]\(float")
    assert _names(chosen) == {"kernel01(float*)", "kernel02(float*)"}
    expected = [
        launches for launches in whole.launches if launches.key.kernel[:8] in ("kernel01", "kernel02")
    ]
    assert list(chosen.launches) == expected


def test_most_time_comes_first(database) -> None:
    totals = [launches.total_ns for launches in read_trace([database()]).launches]
    assert totals == sorted(totals, reverse=True)


def test_counters_in_some_launches_only_are_told(database) -> None:
    path = database(dispatches=20, kernels=1, geometries=1, counters=2)
    with sqlite3.connect(path) as connection:
        (table,) = connection.execute(
            "SELECT name FROM sqlite_master WHERE name LIKE 'rocpd_pmc_event_%' AND type = 'table'"
        ).fetchone()
        connection.execute(f'DELETE FROM "{table}" WHERE event_id > 12 AND pmc_id = 2')
    connection.close()
    trace = read_trace([path])
    assert trace.launches[0].counted == {"COUNTER_1": 20, "COUNTER_2": 12}
    assert any("COUNTER_2 was counted in 12 of 20 launches" in text for text in trace.warnings)
