"""Reads the CSV tables of rocprofv3, of all generations of columns, row by row.

The files of a process begin alike: ``<base>_kernel_trace.csv``, ``<base>_counter_collection.csv`` and
``<base>_agent_info.csv``. Times are those of the kernel trace; a counter collection has them too and is used
alone where there is no kernel trace.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from typing import Any

from rocm_perf_lab.errors import BadInput
from rocm_perf_lab.rocpd.agents import agent
from rocm_perf_lab.rocpd.kernel_names import kernel_name
from rocm_perf_lab.rocpd.launch_log import LaunchLog
from rocm_perf_lab.rocpd.readable import check_readable
from rocm_perf_lab.rocpd.rows import KernelResources, LaunchKey, Process
from rocm_perf_lab.rocpd.trace_builder import Group, TraceBuilder

TRACE, COUNTERS, AGENTS = "kernel_trace.csv", "counter_collection.csv", "agent_info.csv"
_SIZES = tuple(f"{what}_Size_{axis}" for what in ("Grid", "Workgroup") for axis in "XYZ")
# What the generations call the same thing. LDS_Block_Size is the kernel's own LDS in whole blocks; only
# Group_Segment_Size has what was added at the launch.
_LDS = ("Group_Segment_Size", "LDS_Block_Size")
_SCRATCH = ("Private_Segment_Size", "Scratch_Size")
_REGISTERS = ("VGPR_Count", "Accum_VGPR_Count", "SGPR_Count")
_HIDDEN_LDS = (
    "CSV tables do not tell the LDS that a launch adds to the kernel's own, which they give in whole blocks: "
    "write rocpd or JSON to have it"
)
_FLAT = (
    "a counter collection without a kernel trace tells grids and workgroups by their size, not their shape"
)


def is_table(path: Path) -> bool:
    return path.name.endswith((TRACE, COUNTERS))


def table_base(path: Path) -> str:
    """What the files of one process have in common."""
    return re.sub(r"_?(kernel_trace|counter_collection|agent_info)\.csv$", "", str(path))


def read_tables(base: str, builder: TraceBuilder) -> None:
    files = {kind: _file(base, kind) for kind in (TRACE, COUNTERS, AGENTS)}
    trace, counters, agents = files[TRACE], files[COUNTERS], files[AGENTS]
    main = trace or counters
    assert main is not None, base
    if not builder.is_new(main):
        return
    reader = _Process(base, main, builder, counters=counters is not None)
    if agents is not None:
        reader.read_agents(agents)
    else:
        builder.warn(f"{main}: there is no {AGENTS} beside it; nothing is known of the GPU")
    if trace is not None:
        reader.read_trace(trace)
    if counters is not None:
        reader.read_counters(counters, alone=trace is None)
    reader.finish()


def _file(base: str, kind: str) -> Path | None:
    found = Path(f"{base}{kind}" if base.endswith("/") else f"{base}_{kind}")
    return found if found.is_file() or found.is_symlink() else None


@dataclass
class _Table:
    """An open table: its columns by name, and its rows."""

    path: Path
    columns: dict[str, int]
    rows: Iterator[list[str]]

    def column(self, *names: str) -> int | None:
        return next((self.columns[name] for name in names if name in self.columns), None)

    def needed(self, *names: str) -> int:
        found = self.column(*names)
        if found is None:
            raise BadInput(
                f"{self.path} has no column {' or '.join(names)}",
                "give the tables that rocprofv3 writes with --output-format csv, unchanged",
            )
        return found


@contextmanager
def _open(path: Path) -> Iterator[_Table]:
    check_readable(path)
    try:
        with path.open(newline="", encoding="utf-8", errors="replace") as file:
            rows = csv.reader(file)
            heading = next(rows, None)
            if not heading:
                raise BadInput(f"{path} is empty", "trace again and let the tracer end by itself")
            yield _Table(path, {name.strip(): place for place, name in enumerate(heading)}, rows)
    except csv.Error as problem:
        raise BadInput(f"{path} is not a CSV table: {problem}", "copy it again, or trace again") from None


class _Process:
    def __init__(self, base: str, main: Path, builder: TraceBuilder, *, counters: bool) -> None:
        self._base, self._path, self._builder = base, main, builder
        self._log = LaunchLog(main, builder, counters=counters)
        self._by_node: dict[int, int] = {}  # node id -> index
        self._by_logical: dict[int, int] = {}  # place among the agents that the process may use -> index
        self._by_type: list[int] = []  # index of GPU 0, 1, …
        self._groups: dict[Sequence[str], tuple[Group | None, KernelResources]] = {}
        self._pid = re.search(r"(\d+)$", base)
        self._broken = 0

    def read_agents(self, path: Path) -> None:
        with _open(path) as table:
            for row in table.rows:
                values = {name.lower(): _value(row, place) for name, place in table.columns.items()}
                if values.get("agent_type") != "GPU" or not isinstance(values.get("node_id"), int):
                    continue
                found = agent(
                    values["node_id"], str(values.get("name")), str(values.get("product_name")), values
                )
                self._builder.add_agent(found)
                self._by_node[values["node_id"]] = found.index
                if isinstance(logical := values.get("logical_node_id"), int):
                    self._by_logical[logical] = found.index
                self._by_type.append(found.index)

    def read_trace(self, path: Path) -> None:
        with _open(path) as table:
            sizes = [table.needed(name) for name in _SIZES]
            self._read(table, sizes, table.column("Dispatch_Id"), None)

    def read_counters(self, path: Path, *, alone: bool) -> None:
        with _open(path) as table:
            if alone:
                self._builder.warn(_FLAT)
            flat = [table.needed("Grid_Size"), table.needed("Workgroup_Size")]
            counter = (table.needed("Counter_Name"), table.needed("Counter_Value"))
            self._read(table, flat if alone else [], table.needed("Dispatch_Id"), counter)

    def _read(
        self, table: _Table, sizes: list[int], dispatch: int | None, counter: tuple[int, int] | None
    ) -> None:
        """Rows with ``sizes`` are launches, the first time they come; rows with ``counter`` have a value."""
        start, end = table.needed("Start_Timestamp"), table.needed("End_Timestamp")
        name, where = table.needed("Kernel_Name"), table.needed("Agent_Id")
        lds, scratch = table.needed(*_LDS), table.needed(*_SCRATCH)
        registers = [place for column in _REGISTERS if (place := table.column(column)) is not None]
        key_columns = [name, where, lds, scratch, *sizes, *registers]
        key_of = itemgetter(*key_columns)
        make = self._maker(table, len(sizes))
        self._note_process()
        if "LDS_Block_Size" in table.columns:
            self._builder.warn(_HIDDEN_LDS)
        width, log, groups, last = len(table.columns), self._log, self._groups, ("", "")
        for row in table.rows:
            if len(row) != width:
                self._broken += 1
                continue
            try:
                number = None if dispatch is None else int(row[dispatch])
                if sizes and not (counter and number is not None and log.has(number)):
                    key = key_of(row)
                    if key not in groups:
                        groups[key] = make(key)
                    log.launch(number, *groups[key], int(row[start]), int(row[end]))
                if counter is not None and number is not None:
                    pair = (row[dispatch or 0], row[counter[0]])
                    log.count(number, {pair[1]: float(row[counter[1]])}, again=pair == last)
                    last = pair
            except (ValueError, OverflowError):
                log.unusable()

    def _maker(self, table: _Table, sizes: int) -> Callable[[Sequence[str]], Any]:
        dynamic = "Group_Segment_Size" in table.columns
        present = [column for column in _REGISTERS if column in table.columns]

        def make(key: Sequence[str]) -> tuple[Group | None, KernelResources]:
            name, where, lds, scratch = key[:4]
            shape = [int(size) for size in key[4 : 4 + sizes]]
            counts = dict(zip(present, (int(count) for count in key[4 + sizes :]), strict=True))
            resources = KernelResources(
                arch_vgprs=counts.get("VGPR_Count"),
                accum_vgprs=counts.get("Accum_VGPR_Count"),
                sgprs=counts.get("SGPR_Count"),
                lds_static_bytes=None,  # exactly: not told by any generation
                scratch_bytes=None if dynamic else int(scratch),
            )
            whole = kernel_name(None, name, {}) or "(kernel without a name)"
            if not self._builder.wants(whole):
                return None, resources
            grid, workgroup = (shape[:3], shape[3:]) if sizes == 6 else ([shape[0], 1, 1], [shape[1], 1, 1])
            launch = LaunchKey(
                kernel=whole,
                agent=self._agent(where),
                grid=(grid[0], grid[1], grid[2]),
                workgroup=(workgroup[0], workgroup[1], workgroup[2]),
                lds_bytes=int(lds),
                scratch_bytes=int(scratch),
            )
            return self._builder.group(launch), resources

        return make

    def _agent(self, text: str) -> int:
        """A node id (ROCm 6), "Agent 1" (by default the agent's logical node id), or "GPU 0"."""
        match = re.fullmatch(r"(?:(Agent|GPU)[\s-]*)?(\d+)", text.strip(), re.IGNORECASE)
        if match is None:
            raise ValueError(text)
        kind, number = (match[1] or "").upper(), int(match[2])
        if kind == "GPU" and number < len(self._by_type):
            return self._by_type[number]
        node, logical = self._by_node.get(number, number), self._by_logical.get(number)
        if kind != "AGENT" or logical is None:
            return node
        if number in self._by_node and node != logical:
            self._builder.warn(
                f"{self._path}: {text} can be two GPUs; it is taken by Logical_Node_Id, rocprofv3's default"
            )
        return logical

    def _note_process(self) -> None:
        if self._pid is not None:
            self._builder.add_process(Process(int(self._pid[1]), None, None))

    def finish(self) -> None:
        if self._broken:
            self._builder.warn(
                f"{self._path}: {self._broken} rows are not whole (was the tracer killed?) and are left out"
            )
        self._log.finish()


def _value(row: list[str], place: int) -> Any:
    """A number where it is one."""
    text = row[place] if place < len(row) else ""
    return int(text) if re.fullmatch(r"-?\d+", text) else text
