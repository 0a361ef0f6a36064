"""A run as tables for spreadsheets and scripts: one CSV file for each kind of row."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence

from rocm_perf_lab.reporting.run_documents import RunDocuments
from rocm_perf_lab.rocpd.timeline.rows import Timeline

Value = str | int | float | None

# A spreadsheet takes a cell that begins so for a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def csv_tables(run: RunDocuments, timeline: Timeline | None) -> Iterator[tuple[str, Iterator[str]]]:
    """(name of the file, its lines). Times are in ms as in the documents, those of the timeline in ns."""
    yield "kernels.csv", _lines(_KERNELS, _kernels(run))
    yield "launch_groups.csv", _lines(_GROUPS, _groups(run))
    yield "work.csv", _lines(_WORK, _work(run))
    yield "traffic.csv", _lines(_TRAFFIC, _traffic(run))
    yield "counters.csv", _lines(("kernel", "counter", "sum_of_a_run"), _counters(run))
    if run.dag:
        yield "critical_path.csv", _lines(_STEPS, _steps(run))
        yield "criticality.csv", _lines(_CRITICALITY, _criticality(run))
    if timeline is not None:
        yield "timeline.csv", _lines(_EVENTS, _events(timeline))


def _lines(head: Sequence[str], rows: Iterable[Sequence[Value]]) -> Iterator[str]:
    buffer = io.StringIO()
    # All text in quotes: names may hold anything, ends of lines as well.
    writer = csv.writer(buffer, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    writer.writerow(head)
    for row in rows:
        writer.writerow([_cell(value) for value in row])
        if buffer.tell() > 1 << 16:
            yield buffer.getvalue()
            buffer.seek(0)
            buffer.truncate()
    yield buffer.getvalue()


def _cell(value: Value) -> Value:
    """Text that a spreadsheet would compute gets an apostrophe, which it takes for "this is text"."""
    if isinstance(value, str) and value.startswith(_FORMULA):
        return f"'{value}"
    return value


_KERNELS = (
    *("kernel", "origin", "launches", "total_ms", "share", "mean_ms", "median_ms", "min_ms", "max_ms", "cv"),
    *("arch_vgprs", "accum_vgprs", "sgprs", "lds_static_bytes", "lds_dynamic_bytes"),
    *("scratch_bytes_per_lane", "vgpr_spills", "sgpr_spills"),
    *("occupancy_theoretical", "occupancy_achieved", "occupancy_limiter"),
    *("gflops", "gbps", "flop_per_byte", "bound", "bound_by", "share_of_roof"),
)


def _kernels(run: RunDocuments) -> Iterator[Sequence[Value]]:
    for kernel in run.profile.kernels:
        used, occupied, roofline = kernel.resources, kernel.occupancy, kernel.roofline
        yield (
            *(kernel.name, kernel.origin, kernel.launches, kernel.total_ms, kernel.share, kernel.mean_ms),
            *(kernel.median_ms, kernel.min_ms, kernel.max_ms, kernel.stability.cv),
            *(used.arch_vgprs, used.accum_vgprs, used.sgprs, used.lds_static_bytes, used.lds_dynamic_bytes),
            *(used.scratch_bytes_per_lane, used.vgpr_spills, used.sgpr_spills),
            *((occupied.theoretical, occupied.achieved, occupied.limiter) if occupied else (None,) * 3),
            *((roofline.achieved_gflops, roofline.achieved_gbps) if roofline else (None,) * 2),
            *((roofline.arithmetic_intensity, roofline.bound) if roofline else (None,) * 2),
            *((roofline.bound_by, roofline.share_of_roof) if roofline else (None,) * 2),
        )


_GROUPS = (
    *("kernel", "gpu", "grid_x", "grid_y", "grid_z", "block_x", "block_y", "block_z", "lds_bytes"),
    *("launches", "total_ms", "mean_ms", "median_ms", "min_ms", "max_ms", "occupancy_theoretical"),
)


def _groups(run: RunDocuments) -> Iterator[Sequence[Value]]:
    for kernel in run.profile.kernels:
        for group in kernel.groups:
            yield (
                *(kernel.name, group.gpu, *group.grid, *group.block, group.lds_bytes, group.launches),
                *(group.total_ms, group.mean_ms, group.median_ms, group.min_ms, group.max_ms),
                group.occupancy.theoretical if group.occupancy else None,
            )


_WORK = ("kernel", "unit", "type", "operations", "gflops", "ceiling", "share_of_ceiling", "formula")


def _work(run: RunDocuments) -> Iterator[Sequence[Value]]:
    for kernel in run.profile.kernels:
        for work in kernel.roofline.work if kernel.roofline else ():
            yield (
                *(kernel.name, work.unit, work.type, work.operations, work.gflops, work.ceiling),
                *(work.share_of_ceiling, work.formula),
            )


_TRAFFIC = (
    *("kernel", "level", "read_bytes", "write_bytes", "total_bytes", "gbps", "flop_per_byte", "ceiling"),
    *("share_of_ceiling", "upper_bound", "formula"),
)


def _traffic(run: RunDocuments) -> Iterator[Sequence[Value]]:
    for kernel in run.profile.kernels:
        for moved in kernel.roofline.traffic if kernel.roofline else ():
            yield (
                *(
                    kernel.name,
                    moved.level,
                    moved.read_bytes,
                    moved.write_bytes,
                    moved.total_bytes,
                    moved.gbps,
                ),
                *(moved.arithmetic_intensity, moved.ceiling, moved.share_of_ceiling, moved.upper_bound),
                moved.formula,
            )


def _counters(run: RunDocuments) -> Iterator[Sequence[Value]]:
    for kernel in run.profile.kernels:
        for counter, value in sorted(kernel.roofline.counters.items()) if kernel.roofline else ():
            yield kernel.name, counter, value


_STEPS = ("kind", "name", "start_ns", "end_ns", "steps", "inferred")


def _steps(run: RunDocuments) -> Iterator[Sequence[Value]]:
    for step in run.dag.path.shown if run.dag else ():
        yield step.kind, step.name, step.start_ns, step.end_ns, step.steps, int(step.inferred)


_CRITICALITY = (
    *("name", "kind", "launches", "total_ns", "on_path_launches", "on_path_ns", "weight"),
    *("least_slack_ns", "gain_at_2x_ns"),
)


def _criticality(run: RunDocuments) -> Iterator[Sequence[Value]]:
    for work in (*run.dag.kernels, *run.dag.copies) if run.dag else ():
        yield (
            *(work.name, work.kind, work.launches, work.total_ns, work.on_path_launches, work.on_path_ns),
            *(work.weight, work.total_slack.least_ns, work.gain_at_2x_ns),
        )


_EVENTS = ("kind", "name", "start_ns", "end_ns", "process", "gpu", "stream", "queue", "thread", "bytes")


def _events(timeline: Timeline) -> Iterator[Sequence[Value]]:
    works, calls, names = timeline.works, timeline.calls, timeline.names
    columns = (works.copy, works.name, works.start, works.end, works.process, works.agent, works.stream)
    rows = zip(
        *(column.tolist() for column in columns), works.queue.tolist(), works.bytes.tolist(), strict=True
    )
    for copy, name, start, end, process, agent, stream, queue, size in rows:
        kind = "copy" if copy else "kernel"
        told = (process, agent, _told(stream), _told(queue), None, _told(size) if copy else None)
        yield (kind, names[name], start, end, *told)
    called = (calls.name, calls.start, calls.end, calls.process, calls.thread, calls.stream)
    for name, start, end, process, thread, stream in zip(*(c.tolist() for c in called), strict=True):
        yield "call", names[name], start, end, process, None, _told(stream), None, thread, None


def _told(value: int) -> int | None:
    return None if value < 0 else value
