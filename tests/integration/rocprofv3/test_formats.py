"""CSV, JSON and Perfetto say the same as the database."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from .conftest import Profile, Run

Query = Callable[..., list[tuple[object, ...]]]


def _table(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def test_kernel_table(everything: Run, query: Query) -> None:
    rows = _table(everything.file("*_kernel_trace.csv"))
    expected = query(
        everything.file("*_results.db"),
        "SELECT dispatch_id, name, start, end, stack_id, grid_x, workgroup_x, vgpr_count, sgpr_count"
        " FROM kernels",
    )
    columns = (
        *("Dispatch_Id", "Kernel_Name", "Start_Timestamp", "End_Timestamp", "Correlation_Id", "Grid_Size_X"),
        *("Workgroup_Size_X", "VGPR_Count", "SGPR_Count"),
    )
    assert [tuple(row[column] for column in columns) for row in rows] == [
        tuple(map(str, row)) for row in expected
    ]
    assert {row["Kind"] for row in rows} == {"KERNEL_DISPATCH"}
    assert {row["Agent_Id"] for row in rows} == {"Agent 1"}
    assert list(rows[0])[:4] == ["Kind", "Agent_Id", "Queue_Id", "Stream_Id"]


def test_call_tables(everything: Run, query: Query) -> None:
    for table, category in (("hip_api", "HIP_%"), ("hsa_api", "HSA_%")):
        rows = _table(everything.file(f"*_{table}_trace.csv"))
        expected = query(
            everything.file("*_results.db"),
            "SELECT category, name, pid, tid, stack_id, start, end FROM regions WHERE category LIKE ?",
            category,
        )
        assert [tuple(row.values()) for row in rows] == [tuple(map(str, row)) for row in expected]


def test_copy_and_allocation_tables(everything: Run) -> None:
    copies = _table(everything.file("*_memory_copy_trace.csv"))
    assert [(row["Direction"], row["Source_Agent_Id"], row["Destination_Agent_Id"]) for row in copies] == [
        ("MEMORY_COPY_HOST_TO_DEVICE", "Agent 0", "Agent 1"),
        ("MEMORY_COPY_DEVICE_TO_HOST", "Agent 1", "Agent 0"),
    ]
    allocations = _table(everything.file("*_memory_allocation_trace.csv"))
    sizes = [int(row["Allocation_Size"]) for row in allocations if row["Operation"].endswith("_ALLOCATE")]
    assert 4096 in sizes
    assert all(row["Address"].startswith("0x") for row in allocations)


def test_agent_table(everything: Run) -> None:
    cpu, gpu = _table(everything.file("*_agent_info.csv"))
    assert (cpu["Agent_Type"], gpu["Agent_Type"]) == ("CPU", "GPU")
    assert (gpu["Name"], gpu["Cu_Count"], gpu["Num_Xcc"]) == ("gfx942", "304", "8")
    assert len(gpu) == 54  # 53 of rocprofv3 and ours: Virtual
    assert (cpu["Virtual"], gpu["Virtual"]) == ("0", "1")


def test_stats(everything: Run, query: Query) -> None:
    database = everything.file("*_results.db")
    rows = _table(everything.file("*_kernel_stats.csv"))
    expected = query(
        database,
        "SELECT name, count(*), sum(duration), min(duration), max(duration) FROM kernels GROUP BY name"
        " ORDER BY 3 DESC",
    )
    columns = ("Name", "Calls", "TotalDurationNs", "MinNs", "MaxNs")
    assert [tuple(row[column] for column in columns) for row in rows] == [
        tuple(map(str, row)) for row in expected
    ]
    assert abs(sum(float(row["Percentage"]) for row in rows) - 100) < 0.1
    domains = {row["Name"]: int(row["Calls"]) for row in _table(everything.file("*_domain_stats.csv"))}
    assert domains["KERNEL_DISPATCH"] == 3
    assert domains["MEMORY_COPY"] == 2


def test_json(everything: Run, query: Query) -> None:
    document = json.loads(everything.file("*_results.json").read_text())
    (process,) = document["rocprofiler-sdk-tool"]
    records = process["buffer_records"]
    kernels = {kernel["kernel_id"]: kernel["formatted_kernel_name"] for kernel in process["kernel_symbols"]}
    rows = query(
        everything.file("*_results.db"), "SELECT dispatch_id, name, start, end, stack_id FROM kernels"
    )
    assert [
        (
            record["dispatch_info"]["dispatch_id"],
            kernels[record["dispatch_info"]["kernel_id"]],
            record["start_timestamp"],
            record["end_timestamp"],
            record["correlation_id"]["internal"],
        )
        for record in records["kernel_dispatch"]
    ] == rows
    kinds = process["strings"]["buffer_records"]

    def name(record: dict[str, Any]) -> str:
        return str(kinds[record["kind"]]["operations"][record["operation"]])

    assert [name(record) for record in records["hip_api"]][:2] == ["hipMalloc", "hipMemcpy"]
    assert records["hip_api"][0]["args"]["size"] == "4096"
    assert [name(record) for record in records["memory_copy"]] == [
        "MEMORY_COPY_HOST_TO_DEVICE",
        "MEMORY_COPY_DEVICE_TO_HOST",
    ]
    assert process["metadata"]["command"][0].endswith("scale")


def _fields(data: bytes) -> Iterator[tuple[int, Any]]:
    """The fields of a protobuf message: number and value."""
    at = 0

    def varint() -> int:
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    while at < len(data):
        key = varint()
        if key & 7 == 0:
            yield key >> 3, varint()
        elif key & 7 == 1:
            yield key >> 3, data[at : at + 8]
            at += 8
        else:
            assert key & 7 == 2
            size = varint()
            yield key >> 3, data[at : at + size]
            at += size


def test_perfetto(everything: Run, query: Query) -> None:
    packets = [
        dict(_fields(value)) for _, value in _fields(everything.file("*_results.pftrace").read_bytes())
    ]
    tracks = [dict(_fields(packet[60])) for packet in packets if 60 in packet]
    names = {track[1]: track[2].decode() for track in tracks}
    assert {"STREAM 0", "GPU 0: AMD Instinct MI300X"} <= set(names.values())
    events = [(packet[8], dict(_fields(packet[11]))) for packet in packets if 11 in packet]
    open_slices: dict[int, list[tuple[int, str]]] = {}
    slices = []
    for time, event in events:
        stack = open_slices.setdefault(event[11], [])
        if event[9] == 1:
            stack.append((time, event[23].decode()))
        elif event[9] == 2:
            begin, name = stack.pop()
            slices.append((names[event[11]], name, begin, time))
    assert not any(open_slices.values())
    kernels = [piece[1:] for piece in slices if piece[0] == "STREAM 0"]
    expected = query(everything.file("*_results.db"), "SELECT name, start, end FROM kernels ORDER BY start")
    assert sorted(kernels, key=lambda piece: piece[1]) == expected
    times = [time for time, _ in events]
    assert times == sorted(times)


def test_only_what_happened_has_a_file(profile: Profile, program: Path) -> None:
    run = profile("--kernel-trace", "--marker-trace", "-f", "csv", program=[program])
    assert sorted(path.name.split("_", 1)[1] for path in run.files("*.csv")) == [
        "agent_info.csv",
        "kernel_trace.csv",
    ]
    assert run.files("*.db") == []


def test_scratch(profile: Profile, program: Path, query: Query) -> None:
    run = profile(
        "--scratch-memory-trace", "--kernel-trace", "-f", "rocpd", "csv", program=[program, "scratch"]
    )
    (row,) = query(run.file("*.db"), "SELECT operation, agent_type, size > 0, category FROM scratch_memory")
    assert row == ("ALLOC", "GPU", 1, "SCRATCH_MEMORY")
    assert query(run.file("*.db"), "SELECT scratch_size > 0 FROM kernels") == [(1,)]
    (line,) = _table(run.file("*_scratch_memory_trace.csv"))
    assert line["Operation"] == "SCRATCH_MEMORY_ALLOC"


def test_streams(profile: Profile, program: Path, query: Query) -> None:
    run = profile("--kernel-trace", program=[program, "streams"])
    rows = query(run.file("*.db"), "SELECT stream, stream_id, count(*) FROM kernels GROUP BY stream_id")
    assert rows == [("Stream 0", 1, 3), ("Stream 1", 2, 3)]
    # Without the HIP calls every dispatch stands for itself.
    assert query(run.file("*.db"), "SELECT count(DISTINCT stack_id), max(corr_id) FROM kernels") == [(6, 0)]
