"""Writes a trace as rocprofv3's JSON: one document with everything, records as rocprofiler-sdk's structs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ..counters import Catalogue
from ..logs.agent_properties import agent_properties
from ..logs.trace import ProcessTrace, Region, TracedCounterValue, TracedDispatch, TracedKernel
from ..options import Options
from .statistics import domain_of, statistics

# rocprofiler_buffer_tracing_kind_t by number (rocprofiler-sdk/fwd.h, release 1.0).
_KINDS = (
    *(
        "NONE",
        "HSA_CORE_API",
        "HSA_AMD_EXT_API",
        "HSA_IMAGE_EXT_API",
        "HSA_FINALIZE_EXT_API",
        "HIP_RUNTIME_API",
    ),
    *("HIP_COMPILER_API", "MARKER_CORE_API", "MARKER_CONTROL_API", "MARKER_NAME_API", "MEMORY_COPY"),
    *(
        "KERNEL_DISPATCH",
        "SCRATCH_MEMORY",
        "CORRELATION_ID_RETIREMENT",
        "RCCL_API",
        "OMPT",
        "MEMORY_ALLOCATION",
    ),
    *("RUNTIME_INITIALIZATION", "ROCDECODE_API", "ROCJPEG_API", "HIP_STREAM", "HIP_RUNTIME_API_EXT"),
    *("HIP_COMPILER_API_EXT", "ROCDECODE_API_EXT", "MARKER_CORE_RANGE_API"),
)
_COPIES = ("NONE", "HOST_TO_HOST", "HOST_TO_DEVICE", "DEVICE_TO_HOST", "DEVICE_TO_DEVICE")


def _handle(value: int) -> dict[str, int]:
    return {"handle": value}


def _xyz(values: tuple[int, int, int]) -> dict[str, int]:
    return dict(zip("xyz", values, strict=True))


class JsonWriter:
    def __init__(self, trace: ProcessTrace, catalogue: Catalogue, options: Options) -> None:
        self._trace, self._catalogue, self._options = trace, catalogue, options
        self._agents = {agent.index: agent.handle for agent in trace.agents}
        self._operations: dict[str, list[str]] = {kind: [f"{kind}_NONE"] for kind in _KINDS}
        self._operations["MEMORY_COPY"] = [f"MEMORY_COPY_{name}" for name in _COPIES]
        self._operations["KERNEL_DISPATCH"] = ["KERNEL_DISPATCH_NONE", "KERNEL_DISPATCH_ENQUEUE"]
        self._operations["KERNEL_DISPATCH"].append("KERNEL_DISPATCH_COMPLETE")
        for kind, name in sorted({(region.kind, region.name) for region in trace.regions}):
            self._operations[kind].append(name)
        asked = [value.name for value in trace.counters if value.name not in catalogue.counters]
        self._counter_ids = {
            name: number for number, name in enumerate(dict.fromkeys([*catalogue.counters, *asked]), 1)
        }

    def document(self) -> dict[str, Any]:
        trace = self._trace
        buffers = {
            "kernel_dispatch": [self._dispatch(d) for d in trace.dispatches] if self._kernels() else [],
            "hip_api": self._calls("HIP_API"),
            "hsa_api": self._calls("HSA_API"),
            "marker_api": self._calls("MARKER_API"),
            "memory_copy": self._copies(),
            "memory_allocation": self._allocations(),
            "scratch_memory": self._scratch(),
        }
        process = {
            "metadata": self._metadata(),
            "agents": [agent_properties(agent) for agent in trace.agents],
            "counters": self._counter_info(),
            "strings": self._strings(),
            "code_objects": self._code_objects(),
            "kernel_symbols": [self._kernel(kernel) for kernel in trace.kernels],
            "host_functions": [],
            "summary": self._summary(),
            "callback_records": {"counter_collection": self._counted()},
            "buffer_records": buffers,
        }
        return {"rocprofiler-sdk-tool": [process]}

    def _kernels(self) -> bool:
        return "kernel" in self._options.traces

    # ---- what there is -----------------------------------------------------------------------------------

    def _metadata(self) -> dict[str, Any]:
        trace = self._trace
        return {
            "pid": trace.pid,
            "init_time": trace.start,
            "fini_time": trace.end,
            "command": list(trace.command),
            "node": vars(trace.node),
            "ended_in_order": trace.ended_in_order,
        }

    def _strings(self) -> dict[str, Any]:
        marks = [region for region in self._trace.regions if region.message]
        return {
            "callback_records": [],
            "buffer_records": [{"kind": kind, "operations": self._operations[kind]} for kind in _KINDS],
            "marker_api": [{"key": region.id, "value": region.message} for region in marks],
            "correlation_id": {"external": []},
        }

    def _counter_info(self) -> list[dict[str, Any]]:
        asked = {value.name for value in self._trace.counters}
        agent = next((a.handle for a in self._trace.agents if a.is_gpu), 0)
        return [
            {
                "agent_id": _handle(agent),
                "id": _handle(self._counter_ids[counter.name]),
                "is_constant": 0,
                "is_derived": int(bool(counter.expression)),
                "name": counter.name,
                "description": counter.description,
                "block": counter.block,
                "expression": counter.expression,
            }
            for counter in (self._catalogue.counter(name) for name in self._counter_ids if name in asked)
        ]

    def _code_objects(self) -> list[dict[str, Any]]:
        return [
            {
                "code_object_id": item.id,
                "agent_id": _handle(self._agents[item.agent]),
                "uri": item.uri,
                "load_base": item.load_base,
                "load_size": item.load_size,
                "load_delta": item.load_delta,
                "storage_type": 2 if item.in_memory else 1,
            }
            for item in self._trace.code_objects
        ]

    def _kernel(self, kernel: TracedKernel) -> dict[str, Any]:
        return {
            "kernel_id": kernel.id,
            **kernel.columns(),
            "kernel_code_entry_byte_offset": kernel.entry_offset,
            **kernel.names(),
        }

    def _summary(self) -> list[dict[str, Any]]:
        return [
            {
                "domain": domain,
                "stats": {
                    "operations": [
                        {
                            "key": item.name,
                            "value": {
                                "count": item.calls,
                                "sum": item.total,
                                "mean": item.mean,
                                "min": min(item.values),
                                "max": max(item.values),
                                "stddev": item.deviation,
                            },
                        }
                        for item in items
                    ]
                },
            }
            for domain, items in statistics(self._trace).items()
        ]

    # ---- what happened -----------------------------------------------------------------------------------

    def _record(
        self, kind: str, operation: str, tid: int, stack: int, start: int, end: int
    ) -> dict[str, Any]:
        names = self._operations[kind]
        if operation not in names:
            names.append(operation)
        return {
            "kind": _KINDS.index(kind),
            "operation": names.index(operation),
            "thread_id": tid,
            "correlation_id": {"internal": stack, "external": 0},
            "start_timestamp": start,
            "end_timestamp": end,
        }

    def _calls(self, domain: str) -> list[dict[str, Any]]:
        return [self._call(region) for region in self._trace.regions if domain_of(region.kind) == domain]

    def _call(self, region: Region) -> dict[str, Any]:
        record = self._record(region.kind, region.name, region.tid, region.id, region.start, region.end)
        record["correlation_id"]["ancestor"] = region.parent
        if region.arguments:
            record["args"] = {argument.name: argument.value for argument in region.arguments}
        return record

    def _info(self, d: TracedDispatch) -> dict[str, Any]:
        return {
            "agent_id": _handle(self._agents[d.agent]),
            "queue_id": _handle(d.queue),
            "kernel_id": d.kernel,
            "dispatch_id": d.id,
            "private_segment_size": d.private_segment,
            "group_segment_size": d.group_segment,
            "workgroup_size": _xyz(d.workgroup),
            "grid_size": _xyz(d.grid),
        }

    def _dispatch(self, d: TracedDispatch) -> dict[str, Any]:
        record = self._record(
            "KERNEL_DISPATCH", "KERNEL_DISPATCH_COMPLETE", d.tid, d.stack_id, d.start, d.end
        )
        return record | {"dispatch_info": self._info(d), "stream_id": _handle(d.stream)}

    def _copies(self) -> list[dict[str, Any]]:
        return [
            self._record("MEMORY_COPY", c.operation, c.tid, c.stack_id, c.start, c.end)
            | {
                "dst_agent_id": _handle(self._agents[c.to_agent]),
                "src_agent_id": _handle(self._agents[c.from_agent]),
                "bytes": c.size,
                "dst_address": c.target,
                "src_address": c.source,
                "stream_id": _handle(c.stream),
            }
            for c in self._trace.copies
        ]

    def _allocations(self) -> list[dict[str, Any]]:
        return [
            self._record("MEMORY_ALLOCATION", a.operation, a.tid, a.stack_id, a.start, a.end)
            | {
                "agent_id": _handle(0 if a.agent is None else self._agents[a.agent]),
                "address": a.address,
                "allocation_size": a.size,
            }
            for a in self._trace.allocations
        ]

    def _scratch(self) -> list[dict[str, Any]]:
        return [
            self._record("SCRATCH_MEMORY", s.operation, s.tid, 0, s.start, s.end)
            | {
                "agent_id": _handle(self._agents[s.agent]),
                "queue_id": _handle(s.queue),
                "flags": 0,
                "allocation_size": s.size,
            }
            for s in self._trace.scratch
        ]

    def _counted(self) -> list[dict[str, Any]]:
        by_dispatch: dict[int, list[TracedCounterValue]] = {}
        for value in self._trace.counters:
            by_dispatch.setdefault(value.dispatch, []).append(value)
        records = []
        for d in self._trace.dispatches:
            if d.id not in by_dispatch:
                continue
            kernel = self._trace.kernel(d.kernel)
            records.append(
                {
                    "thread_id": d.tid,
                    "dispatch_data": {
                        "correlation_id": {"internal": d.stack_id, "external": 0},
                        "start_timestamp": d.start,
                        "end_timestamp": d.end,
                        "dispatch_info": self._info(d),
                    },
                    "records": [
                        {
                            "counter_id": _handle(self._counter_ids[v.name]),
                            "instance": v.instance,
                            "value": v.value,
                        }
                        for v in by_dispatch[d.id]
                    ],
                    "arch_vgpr_count": kernel.arch_vgprs,
                    "accum_vgpr_count": kernel.accum_vgprs,
                    "sgpr_count": kernel.sgprs,
                    "lds_block_size_v": kernel.group_segment,
                    "stream_id": _handle(d.stream),
                }
            )
        return records


def write_json(trace: ProcessTrace, catalogue: Catalogue, options: Options, path: Path) -> None:
    path.write_text(
        json.dumps(JsonWriter(trace, catalogue, options).document(), separators=(",", ":")) + "\n"
    )
