"""Reads the JSON results of rocprofv3, held in memory whole: for long traces rocpd is the better format."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from rocm_perf_lab.errors import BadInput
from rocm_perf_lab.rocpd.agents import agent
from rocm_perf_lab.rocpd.kernel_names import kernel_name
from rocm_perf_lab.rocpd.launch_log import LaunchLog
from rocm_perf_lab.rocpd.readable import check_readable
from rocm_perf_lab.rocpd.rows import KernelResources, LaunchKey, Process
from rocm_perf_lab.rocpd.trace_builder import GroupSums, TraceBuilder

ROOT = "rocprofiler-sdk-tool"
_GPU = 2  # rocprofiler_agent_type_t
_GIVE = "give the …_results.json that rocprofv3 writes with --output-format json"

Record = Mapping[str, Any]


def read_json(path: Path, builder: TraceBuilder) -> None:
    processes = _load(path)
    if not builder.is_new(path):
        return
    try:
        for process in processes:
            _Process(process, path, builder).read()
    except (KeyError, TypeError, AttributeError) as problem:
        raise BadInput(f"{path} is not laid out as rocprofv3 lays it out: {problem!r}", _GIVE) from None


def _load(path: Path) -> list[Record]:
    check_readable(path)
    try:
        with path.open("rb") as file:
            document = json.load(file)
    except MemoryError:
        raise BadInput(
            f"{path} does not fit into memory", "write rocpd instead (--output-format rocpd): it is streamed"
        ) from None
    except (ValueError, RecursionError) as problem:
        remedy = "trace again and let the tracer end by itself, or copy the file again"
        raise BadInput(f"{path} is not whole JSON: {problem}", remedy) from None
    processes = document.get(ROOT) if isinstance(document, dict) else None
    if not isinstance(processes, list):
        raise BadInput(f"{path} is JSON, but not of rocprofv3: it has no {ROOT}", _GIVE)
    return processes


class _Process:
    def __init__(self, document: Record, path: Path, builder: TraceBuilder) -> None:
        self._document, self._path, self._builder = document, path, builder
        self._agents: dict[int, int] = {}  # handle -> index
        self._kernels: dict[int, tuple[str, KernelResources]] = {}
        self._groups: dict[LaunchKey, GroupSums] = {}

    def read(self) -> None:
        document = self._document
        self._read_process(document.get("metadata") or {})
        self._read_agents(document.get("agents") or ())
        self._read_kernels(document.get("kernel_symbols") or ())
        objects = document.get("code_objects") or ()
        self._builder.add_code_objects(sorted({item["uri"] for item in objects if item.get("uri")}))
        counted = (document.get("callback_records") or {}).get("counter_collection") or ()
        launches = (document.get("buffer_records") or {}).get("kernel_dispatch") or ()
        log = LaunchLog(self._path, self._builder, counters=bool(counted))
        for record in launches:
            self._launch(log, record, record["dispatch_info"])
        names = {item["id"]["handle"]: item["name"] for item in document.get("counters") or ()}
        for record in counted:
            data = record["dispatch_data"]
            info = data["dispatch_info"]
            if not log.has(info["dispatch_id"]):
                self._launch(log, data, info)
            log.count(info["dispatch_id"], self._sums(names, record["records"]))
        log.finish()

    def _read_process(self, metadata: Record) -> None:
        command = metadata.get("command")
        text = " ".join(map(str, command)) if isinstance(command, list) else command
        hostname = (metadata.get("node") or {}).get("hostname")
        self._builder.add_process(Process(metadata.get("pid", 0), text or None, hostname))

    def _read_agents(self, agents: Iterable[Record]) -> None:
        for properties in agents:
            if properties.get("type") != _GPU:
                continue
            found = agent(
                properties["node_id"], properties.get("name"), properties.get("product_name"), properties
            )
            self._agents[properties["id"]["handle"]] = found.index
            self._builder.add_agent(found)

    def _read_kernels(self, symbols: Iterable[Record]) -> None:
        for symbol in symbols:
            name = kernel_name(symbol.get("kernel_name"), symbol.get("formatted_kernel_name"), symbol)
            resources = KernelResources(
                arch_vgprs=symbol.get("arch_vgpr_count"),
                accum_vgprs=symbol.get("accum_vgpr_count"),
                sgprs=symbol.get("sgpr_count"),
                lds_static_bytes=symbol.get("group_segment_size"),
                scratch_bytes=symbol.get("private_segment_size"),
            )
            number = symbol["kernel_id"]
            self._kernels[number] = (name or f"(kernel {number} without a name)", resources)

    def _launch(self, log: LaunchLog, times: Record, info: Record) -> None:
        number = info["kernel_id"]
        if number not in self._kernels:
            self._builder.warn(f"{self._path}: kernel {number} was dispatched and is not described")
            unknown = KernelResources(None, None, None, None, None)
            self._kernels[number] = (f"(kernel {number} without a name)", unknown)
        name, resources = self._kernels[number]
        grid, workgroup = info["grid_size"], info["workgroup_size"]
        handle = info["agent_id"]["handle"]
        key = LaunchKey(
            kernel=name,
            agent=self._agents.get(handle, handle),
            grid=(grid["x"], grid["y"], grid["z"]),
            workgroup=(workgroup["x"], workgroup["y"], workgroup["z"]),
            lds_bytes=info["group_segment_size"],
            scratch_bytes=info["private_segment_size"],
        )
        if key not in self._groups:
            self._groups[key] = self._builder.group(key)
        start, end = times["start_timestamp"], times["end_timestamp"]
        log.launch(info["dispatch_id"], self._groups[key], resources, start, end)

    def _sums(self, names: Mapping[int, str], records: Iterable[Record]) -> dict[str, float]:
        """Values of one dispatch, summed over hardware instances."""
        sums: dict[str, float] = {}
        for record in records:
            name = names.get(record["counter_id"]["handle"])
            if name is None:
                self._builder.warn(f"{self._path}: a counter has values and no name; it is left out")
                continue
            sums[name] = sums.get(name, 0.0) + record["value"]
        return sums
