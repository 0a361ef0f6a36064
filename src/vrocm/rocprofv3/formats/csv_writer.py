"""Writes a trace as the CSV files of rocprofv3."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from ..logs.agent_properties import agent_properties
from ..logs.trace import ProcessTrace, TracedAgent
from .statistics import FILES, Durations, domain_of, kernel_name, percentage, statistics

Rows = Iterable[list[Any]]
_LDS_BLOCK = 128 * 4  # bytes; LDS is handed out in such blocks

_API = ["Domain", "Function", "Process_Id", "Thread_Id", "Correlation_Id", "Start_Timestamp", "End_Timestamp"]
_SIZES = [f"{what}_Size_{axis}" for what in ("Workgroup", "Grid") for axis in "XYZ"]
_REGISTERS = ["LDS_Block_Size", "Scratch_Size", "VGPR_Count", "Accum_VGPR_Count", "SGPR_Count"]
_KERNEL = [
    *("Kind", "Agent_Id", "Queue_Id", "Stream_Id", "Thread_Id", "Dispatch_Id", "Kernel_Id", "Kernel_Name"),
    *("Correlation_Id", "Start_Timestamp", "End_Timestamp", *_REGISTERS, *_SIZES),
]
_COPY = [
    *("Kind", "Direction", "Stream_Id", "Source_Agent_Id", "Destination_Agent_Id", "Correlation_Id"),
    *("Start_Timestamp", "End_Timestamp"),
]
_ALLOCATION = [
    *("Kind", "Operation", "Agent_Id", "Allocation_Size", "Address", "Correlation_Id"),
    *("Start_Timestamp", "End_Timestamp"),
]
_SCRATCH = [
    *("Kind", "Operation", "Agent_Id", "Queue_Id", "Thread_Id", "Alloc_Flags"),
    *("Start_Timestamp", "End_Timestamp"),
]
_COUNTER = [
    *(
        "Correlation_Id",
        "Dispatch_Id",
        "Agent_Id",
        "Queue_Id",
        "Process_Id",
        "Thread_Id",
        "Grid_Size",
        "Kernel_Id",
    ),
    *("Kernel_Name", "Workgroup_Size", *_REGISTERS, "Counter_Name", "Counter_Value"),
    *("Start_Timestamp", "End_Timestamp"),
]
_STATS = ["Name", "Calls", "TotalDurationNs", "AverageNs", "Percentage", "MinNs", "MaxNs", "StdDev"]
_AGENT = [
    "Node_Id",
    "Logical_Node_Id",
    "Agent_Type",
    "Cpu_Cores_Count",
    "Simd_Count",
    "Cpu_Core_Id_Base",
    "Simd_Id_Base",
    "Max_Waves_Per_Simd",
    "Lds_Size_In_Kb",
    "Gds_Size_In_Kb",
    "Num_Gws",
    "Wave_Front_Size",
    "Num_Xcc",
    "Cu_Count",
    "Array_Count",
    "Num_Shader_Banks",
    "Simd_Arrays_Per_Engine",
    "Cu_Per_Simd_Array",
    "Simd_Per_Cu",
    "Max_Slots_Scratch_Cu",
    "Gfx_Target_Version",
    "Vendor_Id",
    "Device_Id",
    "Location_Id",
    "Domain",
    "Drm_Render_Minor",
    "Num_Sdma_Engines",
    "Num_Sdma_Xgmi_Engines",
    "Num_Sdma_Queues_Per_Engine",
    "Num_Cp_Queues",
    "Max_Engine_Clk_Ccompute",
    "Max_Engine_Clk_Fcompute",
    "Sdma_Fw_Version",
    "Fw_Version",
    "Capability",
    "Cu_Per_Engine",
    "Max_Waves_Per_Cu",
    "Family_Id",
    "Workgroup_Max_Size",
    "Grid_Max_Size",
    "Local_Mem_Size",
    "Hive_Id",
    "Gpu_Id",
    "Workgroup_Max_Dim_X",
    "Workgroup_Max_Dim_Y",
    "Workgroup_Max_Dim_Z",
    "Grid_Max_Dim_X",
    "Grid_Max_Dim_Y",
    "Grid_Max_Dim_Z",
    "Name",
    "Vendor_Name",
    "Product_Name",
    "Model_Name",
    "Virtual",  # ours, after all of rocprofv3's
]


def agent_label(agent: TracedAgent, scheme: str) -> str:
    """ "Agent 1", or "GPU 0" when agents are counted by type."""
    if scheme == "type-relative":
        return f"{'GPU' if agent.is_gpu else 'CPU'} {agent.type_index}"
    return f"Agent {agent.index}"


class CsvWriter:
    def __init__(self, trace: ProcessTrace, base: Path, agent_index: str, kernel_trace: bool = True) -> None:
        self._trace, self._base, self._kernel_trace = trace, base, kernel_trace
        self._agents = {agent.index: agent_label(agent, agent_index) for agent in trace.agents}

    def write(self) -> list[Path]:
        trace = self._trace
        tables: list[tuple[str, list[str], Callable[[], Rows]]] = [
            ("agent_info", _AGENT, self._agent_rows),
            ("hip_api_trace", _API, lambda: self._api_rows("HIP_API")),
            ("hsa_api_trace", _API, lambda: self._api_rows("HSA_API")),
            ("marker_api_trace", _API, lambda: self._api_rows("MARKER_API")),
            ("memory_copy_trace", _COPY, self._copy_rows),
            ("memory_allocation_trace", _ALLOCATION, self._allocation_rows),
            ("scratch_memory_trace", _SCRATCH, self._scratch_rows),
        ]
        if self._kernel_trace:  # else dispatches are there for their counters
            tables.append(("kernel_trace", _KERNEL, self._kernel_rows))
        if trace.counters:
            tables.append(("counter_collection", _COUNTER, self._counter_rows))
        written = [self._table(name, heading, rows()) for name, heading, rows in tables]
        return [path for path in written if path]

    def write_stats(self) -> list[Path]:
        found = statistics(self._trace)
        written: list[Path | None] = []
        whole = sum(item.total for items in found.values() for item in items)
        domains = []
        for domain, items in found.items():
            total = sum(item.total for item in items)
            rows = [self._stats_row(item.name, item.values, total) for item in items]
            written.append(self._table(f"{FILES[domain]}_stats", _STATS, rows))
            values = [value for item in items for value in item.values]
            domains.append((total, self._stats_row(domain, values, whole)))
        ordered = [row for _, row in sorted(domains, key=lambda pair: (-pair[0], pair[1][0]))]
        written.append(self._table("domain_stats", _STATS, ordered))
        return [path for path in written if path]

    def _stats_row(self, name: str, values: list[int], whole: int) -> list[Any]:
        item = Durations(name, values)
        share = f"{percentage(item.total, whole):.2f}"
        return [
            name,
            item.calls,
            item.total,
            f"{item.mean:.6f}",
            share,
            min(values),
            max(values),
            f"{item.deviation:.6f}",
        ]

    def _table(self, name: str, heading: list[str], rows: Rows) -> Path | None:
        """Writes a file unless there is nothing to write; texts are quoted, numbers are not."""
        content = list(rows)
        if not content:
            return None
        path = Path(f"{self._base}_{name}.csv")
        with path.open("w", newline="") as file:
            writer = csv.writer(file, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
            writer.writerow(heading)
            writer.writerows(content)
        return path

    # ---- rows --------------------------------------------------------------------------------------------

    def _agent_rows(self) -> Rows:
        for agent in self._trace.agents:
            p = agent_properties(agent)
            flat = {key: value for key, value in p.items() if not isinstance(value, (dict, list))}
            flat["logical_node_id"], flat["agent_type"] = agent.index, "GPU" if agent.is_gpu else "CPU"
            for name in ("workgroup_max_dim", "grid_max_dim"):
                flat.update({f"{name}_{axis}": value for axis, value in p.get(name, {}).items()})
            flat["fw_version"] = p.get("fw_version", {}).get("uCode", 0)
            flat["sdma_fw_version"] = p.get("sdma_fw_version", {}).get("uCodeSDMA", 0)
            yield [flat.get(column.lower(), 0) for column in _AGENT]

    def _registers(self, kernel: int, private_segment: int) -> list[int]:
        k = self._trace.kernel(kernel)
        lds = -(-k.group_segment // _LDS_BLOCK) * _LDS_BLOCK
        return [lds, private_segment, k.arch_vgprs, k.accum_vgprs, k.sgprs]

    def _kernel_rows(self) -> Rows:
        for d in self._trace.dispatches:
            yield [
                "KERNEL_DISPATCH",
                self._agents[d.agent],
                d.queue,
                d.stream,
                d.tid,
                d.id,
                d.kernel,
                kernel_name(self._trace, d.kernel, d.region),
                d.stack_id,
                d.start,
                d.end,
                *self._registers(d.kernel, d.private_segment),
                *d.workgroup,
                *d.grid,
            ]

    def _api_rows(self, domain: str) -> Rows:
        for r in self._trace.regions:
            if domain_of(r.kind) == domain:
                yield [r.kind, r.message or r.name, self._trace.pid, r.tid, r.id, r.start, r.end]

    def _copy_rows(self) -> Rows:
        for c in self._trace.copies:
            source, target = self._agents[c.from_agent], self._agents[c.to_agent]
            yield ["MEMORY_COPY", c.operation, c.stream, source, target, c.stack_id, c.start, c.end]

    def _allocation_rows(self) -> Rows:
        for a in self._trace.allocations:
            agent = "" if a.agent is None else self._agents[a.agent]
            address = f"0x{a.address:016x}"
            yield ["MEMORY_ALLOCATION", a.operation, agent, a.size, address, a.stack_id, a.start, a.end]

    def _scratch_rows(self) -> Rows:
        for s in self._trace.scratch:
            yield ["SCRATCH_MEMORY", s.operation, self._agents[s.agent], s.queue, s.tid, 0, s.start, s.end]

    def _counter_rows(self) -> Rows:
        sums: dict[tuple[int, str], float] = {}
        for value in self._trace.counters:
            sums[value.dispatch, value.name] = sums.get((value.dispatch, value.name), 0.0) + value.value
        dispatches = {d.id: d for d in self._trace.dispatches}
        for (number, name), total in sums.items():
            d = dispatches[number]
            yield [
                d.stack_id,
                d.id,
                self._agents[d.agent],
                d.queue,
                self._trace.pid,
                d.tid,
                d.grid[0] * d.grid[1] * d.grid[2],
                d.kernel,
                kernel_name(self._trace, d.kernel, d.region),
                d.workgroup[0] * d.workgroup[1] * d.workgroup[2],
                *self._registers(d.kernel, d.private_segment),
                name,
                int(total) if total == int(total) else round(total, 6),
                d.start,
                d.end,
            ]
