"""Timelines for tests: written out by hand, or made by running a small program on a model of a GPU."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from rocm_perf_lab.rocpd.timeline.rows import NONE, Calls, Stream, Timeline, TracedProcess, Works


@dataclass(frozen=True)
class Work:
    name: str
    start: int
    end: int
    stream: int = 0
    queue: int = 0
    call: int = NONE
    copy: bool = False
    agent: int = 1
    process: int = 0


@dataclass(frozen=True)
class Call:
    name: str
    start: int
    end: int
    stream: int = NONE
    event: int = NONE
    thread: int = 0
    device: int = NONE
    process: int = 0


def timeline(
    works: Sequence[Work],
    calls: Sequence[Call] = (),
    *,
    null_streams: Sequence[int] = (),
    blocking: Sequence[int] | None = None,
    processes: Sequence[TracedProcess] = (TracedProcess(1, None, "host"),),
) -> Timeline:
    """Works keep the order of their submission; calls must be by thread and start."""
    names: dict[str, int] = {}

    def name(text: str) -> int:
        return names.setdefault(text, len(names))

    order = sorted(range(len(works)), key=lambda at: (works[at].start, works[at].end, at))
    streams = 1 + max([work.stream for work in works] + [call.stream for call in calls], default=0)
    process_of = {work.stream: work.process for work in works}

    def column(values: list[int], kind: type = np.int32) -> np.ndarray:
        return np.array(values, kind)

    return Timeline(
        sources=(),
        works=Works(
            copy=np.array([works[at].copy for at in order], bool),
            start=column([works[at].start for at in order], np.int64),
            end=column([works[at].end for at in order], np.int64),
            name=column([name(works[at].name) for at in order]),
            process=column([works[at].process for at in order]),
            stream=column([works[at].stream for at in order]),
            queue=column([NONE if works[at].copy else works[at].queue for at in order]),
            agent=column([works[at].agent for at in order]),
            peer=column([NONE for _ in order]),
            call=column([works[at].call for at in order]),
            order=column(order, np.int64),
            bytes=column([0 for _ in order], np.int64),
        ),
        calls=Calls(
            start=column([call.start for call in calls], np.int64),
            end=column([call.end for call in calls], np.int64),
            name=column([name(call.name) for call in calls]),
            process=column([call.process for call in calls]),
            thread=column([call.thread for call in calls]),
            stream=column([call.stream for call in calls]),
            event=column([call.event for call in calls]),
            device=column([call.device for call in calls]),
            flags=column([NONE for _ in calls]),
        ),
        names=tuple(names),
        streams=tuple(
            Stream(
                process_of.get(number, 0),
                number,
                number in null_streams,
                number in null_streams
                or (blocking is None and bool(null_streams))
                or number in (blocking or ()),
            )
            for number in range(streams)
        ),
        processes=tuple(processes),
        agents=(),
    )


@dataclass(frozen=True)
class Delays:
    """What the model of a GPU takes for everything but the work itself."""

    call: int = 500
    launch: int = 3000
    order: int = 2000
    event: int = 2300
    wake_up: int = 1500


@dataclass
class Program:
    """Runs operations of one host thread and keeps what a tracer would have seen."""

    delays: Delays = Delays()
    scale: dict[str, float] = field(default_factory=dict)  # by which kernels are longer
    clock: int = 1000
    works: list[Work] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    _last: dict[int, int] = field(default_factory=dict)  # end of the last work of each stream
    _waiting: dict[int, list[int]] = field(
        default_factory=dict
    )  # moments that a stream's next work waits for
    _events: dict[int, int] = field(default_factory=dict)

    def launch(self, name: str, stream: int, duration: int) -> None:
        call = self._call("hipLaunchKernel")
        self._work(name, stream, round(duration * self.scale.get(name, 1.0)), call, copy=False)

    def copy(self, stream: int, duration: int) -> None:
        """hipMemcpyAsync of pinned memory."""
        self._work("MEMORY_COPY_HOST_TO_DEVICE", stream, duration, self._call("hipMemcpyAsync"), copy=True)

    def record(self, event: int, stream: int) -> None:
        call = self._call("hipEventRecord", stream, event)
        self._events[event] = max(
            [self.calls[call].start, self._last.get(stream, 0), *self._waiting.get(stream, [])]
        )

    def wait(self, stream: int, event: int) -> None:
        self._call("hipStreamWaitEvent", stream, event)
        if event in self._events:
            self._waiting.setdefault(stream, []).append(self._events[event])

    def sync_stream(self, stream: int) -> None:
        self._block(
            "hipStreamSynchronize", stream, NONE, [self._last.get(stream, 0), *self._waiting.get(stream, [])]
        )

    def sync_event(self, event: int) -> None:
        self._block("hipEventSynchronize", NONE, event, [self._events.get(event, 0)])

    def sync_device(self) -> None:
        self._block("hipDeviceSynchronize", NONE, NONE, list(self._last.values()))

    def compute(self, duration: int) -> None:
        self.clock += duration

    def timeline(self) -> Timeline:
        return timeline(self.works, self.calls, blocking=())

    def _call(self, name: str, stream: int = NONE, event: int = NONE) -> int:
        self.calls.append(Call(name, self.clock, self.clock + self.delays.call, stream, event))
        self.clock += self.delays.call
        return len(self.calls) - 1

    def _work(self, name: str, stream: int, duration: int, call: int, *, copy: bool) -> None:
        start = self.clock + self.delays.launch
        if stream in self._last:
            start = max(start, self._last[stream] + self.delays.order)
        for moment in self._waiting.pop(stream, []):
            start = max(start, moment + self.delays.event)
        self._last[stream] = start + duration
        self.works.append(Work(name, start, start + duration, stream, stream, call, copy))

    def _block(self, name: str, stream: int, event: int, until: list[int]) -> None:
        start = self.clock
        ready = max(until, default=0)
        self.clock += self.delays.call
        if ready > start:
            self.clock = max(self.clock, ready + self.delays.wake_up)
        self.calls.append(Call(name, start, self.clock, stream, event))
