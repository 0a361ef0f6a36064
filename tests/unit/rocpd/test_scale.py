"""Long traces: memory per dispatch, and the benchmark that measures the whole command."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest
import trace_scale
from trace_generator import Shape, write_trace

from rocm_perf_lab.rocpd.read import read_trace


def peak_bytes(path: Path) -> int:
    tracemalloc.start()
    read_trace([path])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def test_a_dispatch_costs_no_more_than_its_times(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No rows are kept, which would be hundreds of bytes: start and duration are 16, and 36 more while they
    are put in order (start, end, group, place, and what is moved); lists that grow have some room."""
    monkeypatch.setattr("rocm_perf_lab.rocpd.trace_builder._MANY", 1000)
    paths = [tmp_path / f"{count}.db" for count in (5_000, 45_000)]
    for path in paths:
        write_trace(path, Shape(int(path.stem), kernels=2, geometries=1))
    read_trace([paths[0]])  # what is loaded once does not count
    short, long = (peak_bytes(path) for path in paths)
    assert (long - short) / 40_000 < 64


def test_the_benchmark_measures_the_command(tmp_path: Path, capsys) -> None:
    found = []
    for count in (100, 200, 300):
        write_trace(tmp_path / f"{count}.db", Shape(count, counters=1))
        found.append(trace_scale.measure(tmp_path / f"{count}.db", count, counters=1))
    assert [item.dispatches for item in found] == [100, 200, 300]
    assert all(item.peak_mib > 5 and item.processor_seconds > 0 for item in found)
    trace_scale.print_table(found)
    assert "cost of a dispatch more" in capsys.readouterr().out


def test_limits_are_checked() -> None:
    within = trace_scale.Measurement(1_000_000, 160, 12.0, 12.0, 1024, counters=0)
    assert within.within_limits
    assert not trace_scale.Measurement(1_000_000, 160, 12.1, 1.0, 10, counters=0).within_limits
    assert not trace_scale.Measurement(10_000_000, 160, 1.0, 1.0, 2049, counters=0).within_limits
