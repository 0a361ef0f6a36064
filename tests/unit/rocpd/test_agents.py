"""What is known of a GPU, and whether it is a virtual one."""

from __future__ import annotations

from rocm_perf_lab.rocpd.agents import agent
from rocm_perf_lab.rocpd.read import read_trace
from rocm_perf_lab.rocpd.rows import Agent
from rocm_perf_lab.rocpd.trace_builder import TraceBuilder


def test_properties(database) -> None:
    (found,) = read_trace([database()]).agents
    assert found == Agent(
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
        virtual=False,
    )


def test_zero_or_something_else_is_not_known() -> None:
    found = agent(
        0, None, None, {"cu_count": 0, "num_xcc": "eight", "simd_per_cu": True, "wave_front_size": -1}
    )
    assert found == Agent(index=0, name="unknown", product_name="")


def test_virtual_where_the_trace_says_so() -> None:
    assert agent(1, "gfx942", "", {"virtual": 1, "cu_count": 304}).virtual is True
    assert agent(1, "gfx942", "", {"capability": 1013424768}).virtual is False
    assert agent(1, "gfx942", "", {"virtual": 0, "capability": 0}).virtual is None
    assert agent(1, "gfx942", "", {"size": 312}).virtual is False
    assert agent(1, "gfx942", "", {"cu_count": 304}).virtual is None


def test_agents_that_differ_between_processes_are_told() -> None:
    builder = TraceBuilder()
    for name in ("gfx942", "gfx942", "gfx90a"):
        builder.add_agent(agent(1, name, "", {}))
    trace = builder.build()
    assert [found.name for found in trace.agents] == ["gfx942"]
    assert any("gfx942 in one process and gfx90a in another" in text for text in trace.warnings)
