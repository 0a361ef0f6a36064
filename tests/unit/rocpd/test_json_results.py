"""JSON results of rocprofv3, whole and broken."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from rocm_perf_lab.errors import BadInput
from rocm_perf_lab.rocpd.read import read_trace
from rocm_perf_lab.rocpd.rows import KernelResources, LaunchKey


def _handle(value: int) -> dict[str, int]:
    return {"handle": value}


INFO = {
    "agent_id": _handle(901),
    "queue_id": _handle(1),
    "kernel_id": 17,
    "dispatch_id": 1,
    "private_segment_size": 16,
    "group_segment_size": 1536,
    "workgroup_size": {"x": 64, "y": 2, "z": 1},
    "grid_size": {"x": 640, "y": 4, "z": 1},
}
PROCESS: dict[str, Any] = {
    "metadata": {"pid": 77, "command": ["./app", "-n", "3"]},
    "agents": [
        {"id": _handle(900), "type": 1, "node_id": 0, "name": "EPYC"},
        {
            "size": 312,
            "id": _handle(901),
            "type": 2,
            "node_id": 4,
            "name": "gfx90a",
            "product_name": "MI250X",
        },
    ],
    "counters": [{"id": _handle(5), "name": "SQ_WAVES"}],
    "code_objects": [{"code_object_id": 1, "uri": "file:///app#offset=1&size=2"}],
    "kernel_symbols": [
        {
            "kernel_id": 17,
            "kernel_name": "_Z1fv.kd",
            "formatted_kernel_name": "f",
            "demangled_kernel_name": "f() [clone .kd]",
            "arch_vgpr_count": 44,
            "accum_vgpr_count": 4,
            "sgpr_count": 32,
            "group_segment_size": 1024,
            "private_segment_size": 16,
        }
    ],
    "buffer_records": {
        "kernel_dispatch": [{"start_timestamp": 100, "end_timestamp": 350, "dispatch_info": INFO}]
    },
    "callback_records": {
        "counter_collection": [
            {
                "dispatch_data": {"start_timestamp": 1, "end_timestamp": 2, "dispatch_info": INFO},
                "records": [
                    {"counter_id": _handle(5), "value": 3.0},
                    {"counter_id": _handle(5), "value": 4.0},
                ],
            }
        ]
    },
}


def write(folder: Path, *processes: dict[str, Any]) -> Path:
    path = folder / "1_results.json"
    path.write_text(json.dumps({"rocprofiler-sdk-tool": processes}))
    return path


def test_a_process(tmp_path: Path) -> None:
    trace = read_trace([write(tmp_path, PROCESS)])
    (launches,) = trace.launches
    assert launches.key == LaunchKey("f()", 4, (640, 4, 1), (64, 2, 1), 1536, 16)
    assert launches.resources == KernelResources(44, 4, 32, 1024, 16)
    assert (launches.count, launches.total_ns) == (1, 250)
    assert (launches.counters, launches.counted) == ({"SQ_WAVES": 7.0}, {"SQ_WAVES": 1})
    (agent,) = trace.agents
    assert (agent.index, agent.name, agent.virtual) == (4, "gfx90a", False)
    assert [(process.pid, process.command) for process in trace.processes] == [(77, "./app -n 3")]
    assert trace.code_objects == ("file:///app#offset=1&size=2",)
    assert trace.warnings == ()


def test_counters_without_a_kernel_trace_have_times_of_their_own(tmp_path: Path) -> None:
    process = copy.deepcopy(PROCESS)
    process["buffer_records"] = {}
    (launches,) = read_trace([write(tmp_path, process)]).launches
    assert (launches.count, launches.total_ns, launches.counters) == (1, 1, {"SQ_WAVES": 7.0})


def test_what_is_not_described_is_told(tmp_path: Path) -> None:
    process = copy.deepcopy(PROCESS)
    process["kernel_symbols"], process["counters"] = [], []
    trace = read_trace([write(tmp_path, process)])
    assert [launches.key.kernel for launches in trace.launches] == ["(kernel 17 without a name)"]
    assert any("kernel 17 was dispatched" in text for text in trace.warnings)
    assert any("has values and no name" in text for text in trace.warnings)


def test_times_that_run_backwards(tmp_path: Path) -> None:
    process = copy.deepcopy(PROCESS)
    process["buffer_records"]["kernel_dispatch"][0]["end_timestamp"] = 99
    trace = read_trace([write(tmp_path, process)])
    assert trace.dispatches == 0
    assert any("1 dispatches end before" in text for text in trace.warnings)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("", "not whole JSON"),
        ('{"rocprofiler-sdk-tool": [{"agents": [', "not whole JSON"),
        ("[" * 100_000, "not whole JSON"),
        ('{"traceEvents": []}', "not of rocprofv3"),
        ("[1]", "not of rocprofv3"),
        ('{"rocprofiler-sdk-tool": [3]}', "not laid out"),
        ('{"rocprofiler-sdk-tool": [{"kernel_symbols": [{}]}]}', "not laid out"),
    ],
)
def test_bad_files(tmp_path: Path, text: str, cause: str) -> None:
    path = tmp_path / "1_results.json"
    path.write_text(text)
    with pytest.raises(BadInput, match=cause) as caught:
        read_trace([path])
    assert caught.value.remedy
