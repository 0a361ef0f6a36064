"""Reads the CSV tables of rocprofv3, of all generations of columns, row by row.

The files of a process begin alike: ``<base>_kernel_trace.csv``, ``<base>_counter_collection.csv`` and
``<base>_agent_info.csv``. Times are those of the kernel trace; a counter collection has them too and is used
alone where there is no kernel trace.
"""

from __future__ import annotations

import math
import re
from operator import itemgetter
from pathlib import Path

from rocm_perf_lab.rocpd.csv_files.agents import AgentLabels
from rocm_perf_lab.rocpd.csv_files.table import AGENTS, COUNTERS, TRACE, CsvTable, open_table, table_file
from rocm_perf_lab.rocpd.kernel_names import kernel_name
from rocm_perf_lab.rocpd.launch_log import LaunchLog
from rocm_perf_lab.rocpd.rows import KernelResources, LaunchKey, Process
from rocm_perf_lab.rocpd.trace_builder import GroupSums, TraceBuilder

_SHAPES = tuple(f"{what}_Size_{axis}" for what in ("Grid", "Workgroup") for axis in "XYZ")
_FLAT_SIZES = ("Grid_Size", "Workgroup_Size")
# What the generations call the same thing. LDS_Block_Size is the kernel's own LDS in whole blocks; only
# Group_Segment_Size has what was added at the launch.
_LDS = ("Group_Segment_Size", "LDS_Block_Size")
_SCRATCH = ("Private_Segment_Size", "Scratch_Size")
_REGISTERS = ("VGPR_Count", "Accum_VGPR_Count", "SGPR_Count")

_HIDDEN_LDS = (
    "CSV tables do not tell the LDS that a launch adds to the kernel's own, which they give in whole blocks: "
    "write rocpd or JSON to have it"
)
_NO_SHAPES = (
    "a counter collection without a kernel trace tells grids and workgroups by their size, not their shape"
)


def read_tables(base: str, builder: TraceBuilder) -> None:
    trace, counters, agents = (table_file(base, kind) for kind in (TRACE, COUNTERS, AGENTS))
    main = trace or counters
    assert main is not None, base
    if builder.is_new(main):
        _Process(main, builder).read(trace, counters, agents)
        if pid := re.search(r"(\d+)$", base):
            builder.add_process(Process(int(pid[1]), None, None))


def _amount(text: str) -> float | None:
    try:
        amount = float(text)
    except ValueError:
        return None
    return amount if math.isfinite(amount) else None


class _Process:
    def __init__(self, main: Path, builder: TraceBuilder) -> None:
        self._path, self._builder = main, builder
        self._labels = AgentLabels()

    def read(self, trace: Path | None, counters: Path | None, agents: Path | None) -> None:
        log = LaunchLog(self._path, self._builder, counters=counters is not None)
        if agents is None:
            self._builder.warn(f"{self._path}: there is no {AGENTS} beside it; nothing is known of the GPU")
        else:
            for found in self._labels.read(agents):
                self._builder.add_agent(found)
        if trace is not None:
            self._read_trace(trace, log)
        if counters is not None:
            self._read_counters(counters, log, alone=trace is None)
        log.finish()

    def _read_trace(self, path: Path, log: LaunchLog) -> None:
        with open_table(path) as table:
            launches = _Launches(table, _SHAPES, self._labels, self._builder, log)
            number = table.column("Dispatch_Id")
            for row in table.rows():
                launches.add(row, None if number is None else row[number])
            self._warn_broken(table)

    def _read_counters(self, path: Path, log: LaunchLog, *, alone: bool) -> None:
        """Values by dispatch; ``alone``: the table tells the launches too, a row for every counter."""
        with open_table(path) as table:
            number = table.needed("Dispatch_Id")
            name, value = table.needed("Counter_Name"), table.needed("Counter_Value")
            launches = None
            if alone:
                self._builder.warn(_NO_SHAPES)
                launches = _Launches(table, _FLAT_SIZES, self._labels, self._builder, log)
            last, lost = ("", ""), 0
            for row in table.rows():
                dispatch, amount = row[number], _amount(row[value])
                if launches is not None and not log.has(dispatch):
                    launches.add(row, dispatch)
                if amount is None or not log.has(dispatch):
                    lost += 1
                    continue
                # Instances of a counter in one dispatch, where they are listed, follow each other.
                again = (dispatch, row[name]) == last
                last = (dispatch, row[name])
                log.count(dispatch, {row[name]: amount}, again=again)
            if lost:
                self._builder.warn(
                    f"{path}: {lost} values are not numbers or of unknown dispatches: not used"
                )
            self._warn_broken(table)

    def _warn_broken(self, table: CsvTable) -> None:
        if table.broken:
            self._builder.warn(
                f"{table.path}: {table.broken} rows are not whole (was the tracer killed?) and are left out"
            )


class _Launches:
    """Finds launches in the rows of a table, whichever columns it has for them."""

    def __init__(
        self,
        table: CsvTable,
        sizes: tuple[str, ...],
        labels: AgentLabels,
        builder: TraceBuilder,
        log: LaunchLog,
    ) -> None:
        self._path, self._labels, self._builder, self._log = table.path, labels, builder, log
        self._start, self._end = table.needed("Start_Timestamp"), table.needed("End_Timestamp")
        self._sizes = len(sizes)
        self._registers = [column for column in _REGISTERS if column in table.columns]
        self._is_of_launch = "Group_Segment_Size" in table.columns
        columns = [
            table.needed("Kernel_Name"),
            table.needed("Agent_Id"),
            table.needed(*_LDS),
            table.needed(*_SCRATCH),
            *(table.needed(column) for column in (*sizes, *self._registers)),
        ]
        self._key_of = itemgetter(*columns)
        self._groups: dict[tuple[str, ...], tuple[GroupSums, KernelResources]] = {}
        if not self._is_of_launch:
            builder.warn(_HIDDEN_LDS)

    def add(self, row: list[str], dispatch: str | None) -> None:
        key = self._key_of(row)
        try:
            found = self._groups.get(key)
            if found is None:
                found = self._groups[key] = self._group(key)
            self._log.launch(dispatch, *found, int(row[self._start]), int(row[self._end]))
        except (ValueError, OverflowError):  # something that is not a number, or not one of 64 bits
            self._log.unusable()

    def _group(self, key: tuple[str, ...]) -> tuple[GroupSums, KernelResources]:
        printed_name, label, lds, scratch, *numbers = key
        sizes = [int(size) for size in numbers[: self._sizes]]
        registers = dict(zip(self._registers, map(int, numbers[self._sizes :]), strict=True))
        resources = KernelResources(
            arch_vgprs=registers.get("VGPR_Count"),
            accum_vgprs=registers.get("Accum_VGPR_Count"),
            sgprs=registers.get("SGPR_Count"),
            lds_static_bytes=None,  # no generation tells it exactly
            scratch_bytes=None if self._is_of_launch else int(scratch),
        )
        name = kernel_name(None, printed_name, {}) or "(kernel without a name)"
        if self._sizes == len(_FLAT_SIZES):
            sizes = [sizes[0], 1, 1, sizes[1], 1, 1]
        launch = LaunchKey(
            kernel=name,
            agent=self._agent(label),
            grid=(sizes[0], sizes[1], sizes[2]),
            workgroup=(sizes[3], sizes[4], sizes[5]),
            lds_bytes=int(lds),
            scratch_bytes=int(scratch),
        )
        return self._builder.group(launch), resources

    def _agent(self, label: str) -> int:
        index, ambiguous = self._labels.index(label)
        if ambiguous:
            self._builder.warn(
                f"{self._path}: {label} can be two GPUs; it is taken by Logical_Node_Id, rocprofv3's default"
            )
        return index
