"""A run for Perfetto: streams, host calls, what launched what, the critical path, counters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rocm_perf_lab.contracts.profiling.dag import DagDocument
from rocm_perf_lab.contracts.profiling.kernel import KernelProfile
from rocm_perf_lab.reporting.html.timeline_view import on_path
from rocm_perf_lab.reporting.run_documents import RunDocuments
from rocm_perf_lab.rocpd.timeline.rows import Timeline
from vrocm import perfetto_packets as packets
from vrocm.perfetto_packets import Track

_CATEGORIES = {1: "kernel", 2: "copy", 3: "hip_api", 4: "critical_path"}
_KERNEL, _COPY, _CALL, _PATH = _CATEGORIES
# Where tracks are shown, among those of a process.
_PATH_RANK, _COUNTER_RANK, _GPU_RANK, _HOST_RANK = 1, 2, 100, 10_000

Event = tuple[int, int, int, bytes]
"""When, what comes first at one time, and how long: the order of events; then the packet."""


@dataclass(frozen=True)
class Level:
    """A figure of kernels that is shown while they run: of several at once, the sum."""

    name: str
    unit: str
    of_kernel: dict[str, float]


def perfetto_trace(run: RunDocuments, timeline: Timeline) -> Iterator[bytes]:
    """The packets of the trace, in the order of time."""
    return _Writer(run, timeline).packets()


class _Writer:
    def __init__(self, run: RunDocuments, timeline: Timeline) -> None:
        self._run, self._timeline = run, timeline
        self._kernels = {kernel.name: kernel for kernel in run.profile.kernels}
        self._tracks: dict[tuple[object, ...], Track] = {}
        self._names: dict[str, int] = {}
        self._details: dict[int, bytes] = {}
        self._busy_until: dict[tuple[int, int, int, int], int] = {}

    def packets(self) -> Iterator[bytes]:
        events = [*self._works(), *self._calls(), *self._path(self._run.dag), *self._levels()]
        events.sort(key=lambda event: event[:3])
        yield packets.first_packet()
        for track in self._tracks.values():
            yield packets.track_packet(track)
        yield packets.interned_packet({number: name for name, number in self._names.items()}, _CATEGORIES)
        for event in events:
            yield event[3]

    # ---- tracks ------------------------------------------------------------------------------------------

    def _track(self, key: tuple[object, ...], name: str, **details: object) -> int:
        if key not in self._tracks:
            self._tracks[key] = Track(len(self._tracks) + 1, name, **details)  # type: ignore[arg-type]
        return self._tracks[key].uuid

    def _process(self, process: int) -> int:
        told = self._timeline.processes[process] if 0 <= process < len(self._timeline.processes) else None
        name = " ".join(self._run.profile.setting.command) or "program"
        return self._track(("process", process), name, pid=told.pid if told else 1, ordered=True)

    def _thread(self, process: int, thread: int) -> int:
        key = ("thread", process, thread)
        if key not in self._tracks:
            number = sum(1 for other in self._tracks if other[:2] == key[:2])
            parent = self._process(process)
            self._track(key, f"host thread {number + 1}", parent=parent, rank=_HOST_RANK + number)
        return self._tracks[key].uuid

    def _lane(self, process: int, agent: int, stream: int, start: int, end: int) -> int:
        """A track of a stream. Works that overlap get tracks of their own: on one they would nest."""
        row = 0
        while self._busy_until.get((process, agent, stream, row), 0) > start:
            row += 1
        self._busy_until[process, agent, stream, row] = end
        key = ("stream", process, agent, stream, row)
        if key not in self._tracks:
            rank = _GPU_RANK + 32 * max(0, stream) + min(row, 31)
            self._track(key, self._stream_name(agent, stream), parent=self._process(process), rank=rank)
        return self._tracks[key].uuid

    def _stream_name(self, agent: int, stream: int) -> str:
        gpus = sorted({int(one) for one in np.unique(self._timeline.works.agent)})
        device = f"GPU {gpus.index(agent)} " if len(gpus) > 1 else ""
        if stream < 0:
            return f"{device}no stream"
        told = self._timeline.streams[stream]
        if told.is_null:
            return f"{device}default stream"
        return f"{device}stream {stream if told.number is None else told.number}"

    def _name(self, text: str) -> int:
        return self._names.setdefault(text, len(self._names) + 1)

    # ---- events ------------------------------------------------------------------------------------------

    def _works(self) -> Iterator[Event]:
        works, names = self._timeline.works, self._timeline.names
        critical = on_path(self._timeline, self._run.dag).tolist()
        on_critical = packets.annotation("on critical path", True)
        columns = (works.copy, works.start, works.end, works.name, works.process, works.agent, works.stream)
        rows = zip(
            *(column.tolist() for column in columns), works.call.tolist(), works.bytes.tolist(), strict=True
        )
        for number, (copy, start, end, name, process, agent, stream, call, size) in enumerate(rows):
            details = packets.annotation("bytes", size) if copy and size >= 0 else self._kernel_details(name)
            if critical[number]:
                details += on_critical
            flow = (number + 1,) if call >= 0 else ()
            yield from _slice(
                start,
                end,
                self._lane(process, agent, stream, start, end),
                _COPY if copy else _KERNEL,
                self._name(names[name]),
                details=details,
                ended_flows=flow,
            )

    def _kernel_details(self, name: int) -> bytes:
        """What the profile says of the kernel: the same bytes for all its launches."""
        if name not in self._details:
            kernel = self._kernels.get(self._timeline.names[name])
            self._details[name] = b"".join(
                packets.annotation(key, value) for key, value in (_figures(kernel) if kernel else {}).items()
            )
        return self._details[name]

    def _calls(self) -> Iterator[Event]:
        calls, works = self._timeline.calls, self._timeline.works
        launched: dict[int, list[int]] = {}
        for number in np.flatnonzero(works.call >= 0).tolist():
            launched.setdefault(int(works.call[number]), []).append(number + 1)
        columns = (calls.start, calls.end, calls.name, calls.process, calls.thread)
        for number, (start, end, name, process, thread) in enumerate(
            zip(*(column.tolist() for column in columns), strict=True)
        ):
            yield from _slice(
                start,
                end,
                self._thread(process, thread),
                _CALL,
                self._name(self._timeline.names[name]),
                flows=tuple(launched.get(number, ())),
            )

    def _path(self, dag: DagDocument | None) -> Iterator[Event]:
        if dag is None:
            return
        track = self._track(("path",), "critical path", parent=self._process(0), rank=_PATH_RANK)
        for step in dag.path.shown:
            name = step.name if step.kind in ("kernel", "copy", "call") else f"{step.kind}: {step.name}"
            details = packets.annotation("steps", step.steps) + packets.annotation("inferred", step.inferred)
            start, end = dag.begin_ns + step.start_ns, dag.begin_ns + step.end_ns
            yield from _slice(start, end, track, _PATH, self._name(name), details=details)

    def _levels(self) -> Iterator[Event]:
        """Counters: how many kernels run, and rates while they do."""
        works = self._timeline.works
        kernels = ~works.copy
        for agent in np.unique(works.agent[kernels]).tolist():
            of_agent = kernels & (works.agent == agent)
            start, end, name = works.start[of_agent], works.end[of_agent], works.name[of_agent]
            for rank, level in enumerate(_levels(self._kernels)):
                height = np.array([level.of_kernel.get(text, 0.0) for text in self._timeline.names])[name]
                if not height.any():
                    continue
                title = (
                    level.name if agent == int(works.agent[kernels].min()) else f"{level.name} (GPU {agent})"
                )
                track = self._track(
                    ("level", agent, level.name),
                    title,
                    parent=self._process(0),
                    unit=level.unit,
                    rank=_COUNTER_RANK + rank,
                )
                for time, value in _sums(start, end, height):
                    yield time, 4, 0, packets.counter_packet(time, track, value)


def _slice(start: int, end: int, track: int, category: int, name: int, **more: object) -> Iterator[Event]:
    """At one moment: what ends first, then what begins, the longest first, so that slices nest."""
    length = end - start
    begin = packets.short_begin_packet(start, track, category, name, **more)  # type: ignore[arg-type]
    yield start, 1, -length, begin
    yield end, 0 if length else 3, length, packets.end_packet(end, track)


def _figures(kernel: KernelProfile) -> dict[str, int | float | str]:
    figures: dict[str, int | float | str] = {}
    resources = kernel.resources
    for name in ("arch_vgprs", "accum_vgprs", "sgprs", "lds_static_bytes"):
        value = getattr(resources, name)
        if value is not None:
            figures[name] = value
    if kernel.occupancy and kernel.occupancy.theoretical is not None:
        figures["occupancy (theoretical)"] = kernel.occupancy.theoretical
    if kernel.roofline:
        for counter, value in sorted(kernel.roofline.counters.items()):
            figures[f"{counter} (mean of a launch)"] = value / max(1, kernel.launches)
    return figures


def _levels(kernels: dict[str, KernelProfile]) -> list[Level]:
    """Rates come from the counter passes, as means over a kernel's launches: their names say so."""
    with_roofline = {name: kernel.roofline for name, kernel in kernels.items() if kernel.roofline}
    return [
        Level("kernels running", "kernels", dict.fromkeys(kernels, 1.0)),
        Level(
            "GFLOP/s (mean of the kernel)",
            "GFLOP/s",
            {name: found.achieved_gflops for name, found in with_roofline.items() if found.achieved_gflops},
        ),
        Level(
            "memory GB/s (mean of the kernel)",
            "GB/s",
            {name: found.achieved_gbps for name, found in with_roofline.items() if found.achieved_gbps},
        ),
    ]


def _sums(
    start: npt.NDArray[np.int64], end: npt.NDArray[np.int64], height: npt.NDArray[np.float64]
) -> Iterator[tuple[int, float]]:
    """(time, sum of the heights of what runs then), at each time at which it changes."""
    times = np.concatenate((start, end))
    order = np.argsort(times, kind="stable")
    times, changes = times[order], np.concatenate((height, -height))[order]
    running = np.concatenate((np.ones(len(start)), -np.ones(len(end))))[order].cumsum()
    sums = np.where(running == 0, 0.0, changes.cumsum())  # what rounding leaves over is not work
    last = np.concatenate((times[1:] != times[:-1], [True]))
    return zip(times[last].tolist(), sums[last].tolist(), strict=True)
