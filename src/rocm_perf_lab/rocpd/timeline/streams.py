"""Which stream a handle means, and which streams wait for the null stream."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from rocm_perf_lab.rocpd.timeline.builder import Columns, TimelineBuilder
from rocm_perf_lab.rocpd.timeline.rows import NONE, Stream

# Handles that HIP gives a meaning (hip_runtime_api.h): 0 and hipStreamLegacy are the null stream.
_NULL_HANDLES = (0, 1)
_NULL_STREAM = 0  # rocprofv3's number for it; streams that were created are counted from 1
_NON_BLOCKING = 1  # hipStreamNonBlocking
_CREATES = ("hipStreamCreate", "hipStreamCreateWithFlags", "hipStreamCreateWithPriority")
_STREAM_ARGUMENTS, _EVENT_ARGUMENTS = ("stream", "hStream"), ("event", "hEvent")


class Argument(NamedTuple):
    call: int
    name: str
    value: str
    stream: int | None  # number of the stream, where the tracer wrote it


class _Use(NamedTuple):
    """A handle that stood for a stream when the work of a call ran there."""

    call: int
    stream: int


class StreamTable:
    """The streams of one process."""

    def __init__(self, builder: TimelineBuilder, process: int) -> None:
        self._builder, self._process = builder, process
        self._by_number: dict[int, int] = {}
        self._null: dict[int, int] = {}  # by agent
        self._unseen: dict[int, int] = {}  # handle -> a stream that never had work
        self._uses: dict[int, list[_Use]] = defaultdict(list)  # by handle
        self._blocking: dict[int, bool] = {}  # by number
        self._creating: set[int] = set()  # calls

    def of_number(self, number: int) -> int:
        """The stream that the trace calls so; of null streams any."""
        if number == NONE:
            return NONE
        if number == _NULL_STREAM:
            return next(iter(self._null.values())) if self._null else self.of_work(number, NONE)
        found = self._by_number.get(number)
        if found is None:
            stream = Stream(self._process, number, False, self._blocking.get(number))
            found = self._by_number[number] = self._builder.add_stream(stream)
        return found

    def of_work(self, number: int, agent: int) -> int:
        """The stream of work on a GPU. Traces give the null streams of all GPUs the same number."""
        if number != _NULL_STREAM:
            return self.of_number(number)
        if agent not in self._null:
            stream = Stream(self._process, number, True, True, None if agent == NONE else agent)
            self._null[agent] = self._builder.add_stream(stream)
        return self._null[agent]

    def learn_flags(self, calls: Columns, arguments: Iterable[Argument]) -> None:
        """rocprofv3 numbers streams in the order in which they are created."""
        creating = [self._builder.name(name) for name in _CREATES]
        created = np.flatnonzero(np.isin(calls["name"], creating))
        created = created[np.argsort(calls["start"][created], kind="stable")]
        flags = {given.call: _number(given.value) for given in arguments if given.name == "flags"}
        self._creating = set(created.tolist())
        for number, call in enumerate(created.tolist(), start=1):
            self._blocking[number] = (flags.get(call) or 0) != _NON_BLOCKING

    def learn_handles(self, numbers: dict[int, int], arguments: Iterable[Argument]) -> None:
        """``numbers``: for some calls the number of the stream on which their work ran."""
        for given in arguments:
            handle = _number(given.value)
            number = numbers.get(given.call, _NULL_STREAM)
            if given.name in _STREAM_ARGUMENTS and handle is not None and number != _NULL_STREAM:
                self._uses[handle].append(_Use(given.call, self.of_number(number)))

    def fill(self, calls: Columns, arguments: Iterable[Argument]) -> None:
        """Writes what calls were given into their columns."""
        for given in arguments:
            value = _number(given.value)
            if value is None:
                continue
            if given.name in _STREAM_ARGUMENTS:
                if given.call not in self._creating:  # those have a pointer to where the handle is put
                    calls["stream"][given.call] = self._given(given, value)
            elif given.name in _EVENT_ARGUMENTS:
                calls["event"][given.call] = self._builder.number("event", self._process, value)
            elif given.name == "deviceId":
                calls["device"][given.call] = value
            else:
                calls["flags"][given.call] = min(value, 2**31 - 1)

    def _given(self, given: Argument, handle: int) -> int:
        if given.stream is not None:
            return self.of_number(int(given.stream))
        if handle in _NULL_HANDLES:
            return self.of_number(_NULL_STREAM)
        if uses := self._uses.get(handle):
            # The runtime may give the handle of a destroyed stream to a new one: the nearest use counts.
            return min(uses, key=lambda use: abs(use.call - given.call)).stream
        if handle not in self._unseen:
            self._unseen[handle] = self._builder.add_stream(Stream(self._process, None, False, None))
        return self._unseen[handle]


def _number(value: Any) -> int | None:
    try:
        return int(str(value), 0)
    except ValueError:
        return None
