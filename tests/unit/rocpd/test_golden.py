"""A small database of the virtual GPU, committed, against figures that were added up by hand."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from rocm_perf_lab.rocpd.read import read_trace
from rocm_perf_lab.rocpd.rows import Agent, KernelResources, Launches, LaunchKey, Process, Trace

DUMP = Path(__file__).parent / "golden" / "two_streams.sql"


def test_two_streams(tmp_path: Path) -> None:
    path = tmp_path / "1_results.db"
    connection = sqlite3.connect(path)
    connection.executescript(DUMP.read_text())
    connection.close()
    assert read_trace([path]) == Trace(
        sources=(str(path),),
        agents=(
            Agent(
                index=1,
                name="gfx942",
                product_name="AMD Instinct MI300X",
                cu_count=304,
                xcd_count=8,
                simd_per_cu=4,
                wave_size=64,
                max_waves_per_simd=8,
                max_waves_per_cu=32,
                lds_bytes=65536,
                clock_mhz=2100.0,
                virtual=True,
            ),
        ),
        processes=(Process(10000, "./two_streams", "vrocm"),),
        launches=(
            Launches(
                key=LaunchKey("scale(float*, float, int)", 1, (65536, 1, 1), (256, 1, 1), 0, 0),
                resources=KernelResources(4, 4, 16, 0, 0),
                count=4,
                total_ns=4302 + 3822 + 3532 + 3532,
                min_ns=3532,
                max_ns=4302,
                median_ns=(3532 + 3822) / 2,
                idle_ns=1800 + 3695 + 2090,
                preceded=3,
                counters={"SQ_INSTS_VALU": 4 * 5120.0, "SQ_WAVES": 4 * 1024.0},
                counted={"SQ_INSTS_VALU": 4, "SQ_WAVES": 4},
            ),
            Launches(
                key=LaunchKey("add_halves(float*, int)", 1, (131072, 1, 1), (256, 1, 1), 0, 0),
                resources=KernelResources(8, 0, 16, 0, 0),
                count=1,
                total_ns=3451,
                min_ns=3451,
                max_ns=3451,
                median_ns=3451.0,
                idle_ns=2300,
                preceded=1,
                counters={"SQ_INSTS_VALU": 12288.0, "SQ_WAVES": 2048.0},
                counted={"SQ_INSTS_VALU": 1, "SQ_WAVES": 1},
            ),
        ),
        begin_ns=1000000058264,
        end_ns=1000000086788,
        code_objects=("memory://10000#offset=0x7f0000000000&size=7440",),
        warnings=(),
    )
