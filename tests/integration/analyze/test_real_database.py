"""A database of a real GPU (gfx1250), where it is at hand."""

from __future__ import annotations

import sqlite3

import pytest
from tests.saved_data import REAL_DATABASE

from rocm_perf_lab.rocpd.idle_gaps import LAUNCH_COST_NS
from rocm_perf_lab.rocpd.read import read_trace
from rocm_perf_lab.rocpd.rows import Agent

from .conftest import Analyze

pytestmark = pytest.mark.skipif(not REAL_DATABASE.exists(), reason=f"{REAL_DATABASE} is not here")


def test_sums_are_those_of_its_own_views() -> None:
    trace = read_trace([REAL_DATABASE])
    connection = sqlite3.connect(f"file:{REAL_DATABASE}?mode=ro&immutable=1", uri=True)
    rows = connection.execute("SELECT name, count(*), sum(duration) FROM kernels GROUP BY name").fetchall()
    connection.close()
    found: dict[str, list[int]] = {}
    for launches in trace.launches:
        total = found.setdefault(launches.key.kernel, [0, 0])
        total[0] += launches.count
        total[1] += launches.total_ns
    assert found == {name: [count, duration] for name, count, duration in rows}
    assert trace.dispatches == 5
    assert trace.warnings == ()


def test_idle_time_is_that_before_each_launch() -> None:
    """All gaps are the host's and longer than what counts; what was before the copy is not known."""
    trace = read_trace([REAL_DATABASE])
    found = {one.key.kernel.partition("<")[0]: (one.idle_ns, one.preceded) for one in trace.launches}
    assert found == {
        "__amd_rocclr_copyBuffer": (0, 0),
        "kernel_mxscale_gemm_0": (2 * LAUNCH_COST_NS, 2),
        "void at::native::vectorized_elementwise_kernel": (2 * LAUNCH_COST_NS, 2),
    }


def test_its_gpu_is_not_virtual() -> None:
    assert read_trace([REAL_DATABASE]).agents == (
        Agent(
            index=1,
            name="gfx1250",
            product_name="AMD Radeon Graphics",
            cu_count=256,
            xcd_count=8,
            simd_per_cu=4,
            wave_size=32,
            max_waves_per_simd=16,
            max_waves_per_cu=64,
            lds_bytes=320 * 1024,
            clock_mhz=2400.0,
            virtual=False,
        ),
    )


def test_the_command_reads_it(analyze: Analyze) -> None:
    result = analyze("--json", REAL_DATABASE)
    assert result.returncode == 0, result.stderr
    assert '"origin": "measured"' in result.stdout
    assert '"kernel_mxscale_gemm_0"' in result.stdout
