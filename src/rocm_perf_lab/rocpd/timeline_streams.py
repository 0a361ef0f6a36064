"""Which stream a handle means, and which streams wait for the null stream."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from rocm_perf_lab.rocpd.timeline import NONE, Stream
from rocm_perf_lab.rocpd.timeline_builder import Columns, TimelineBuilder

# Handles that HIP gives a meaning (hip_runtime_api.h): 0 and hipStreamLegacy are the null stream.
_NULL_HANDLES = (0, 1)
_NULL_STREAM = 0  # rocprofv3's number for it; streams that were created are counted from 1
_NON_BLOCKING = 1  # hipStreamNonBlocking
_CREATES = ("hipStreamCreate", "hipStreamCreateWithFlags", "hipStreamCreateWithPriority")

Argument = tuple[int, str, str, "int | None"]  # event, name, value, stream's number


class StreamTable:
    """The streams of one process."""

    def __init__(self, builder: TimelineBuilder, process: int) -> None:
        self._builder, self._process = builder, process
        self._by_number: dict[int, int] = {}
        self._by_handle: dict[int, int] = {}
        self._blocking: dict[int, bool] = {}  # by number
        self._created: set[int] = set()  # calls that create a stream

    def of_number(self, number: int) -> int:
        """The stream that the trace calls so. Dispatches without one are on a stream of their own kind."""
        if number == NONE:
            return NONE
        found = self._by_number.get(number)
        if found is None:
            is_null = number == _NULL_STREAM
            stream = Stream(self._process, number, is_null, True if is_null else self._blocking.get(number))
            found = self._by_number[number] = self._builder.add_stream(stream)
        return found

    def of_handle(self, handle: int) -> int:
        found = self._by_handle.get(handle)
        if found is None:
            if handle in _NULL_HANDLES:
                found = self.of_number(_NULL_STREAM)
            else:
                found = self._builder.add_stream(Stream(self._process, None, False, None))
            self._by_handle[handle] = found
        return found

    def learn_handles(
        self,
        handles: Iterable[tuple[str, int, int]],
        events_of: Callable[[str], Iterable[int]],
        call_of: Callable[[int], int],
        works: list[Columns],
    ) -> None:
        """A handle means the stream on which the work of a call that was given it ran.

        ``handles`` has the first and the last event of each; ``events_of`` all of one, which is asked where
        those two started nothing (in a capture, or for a fill).
        """
        stream_of_call: dict[int, int] = {}
        for part in works:
            calls, first = np.unique(part["call"], return_index=True)
            stream_of_call.update(zip(calls.tolist(), part["stream"][first].tolist(), strict=True))
        stream_of_call.pop(NONE, None)

        def streams_of(events: Iterable[int]) -> list[int]:
            numbers = (stream_of_call.get(call_of(event), NONE) for event in events)
            return [number for number in numbers if number != NONE]

        for value, *ends in handles:
            handle = _number(value)
            if handle is None or handle in _NULL_HANDLES:
                continue
            numbers = streams_of(ends) or streams_of(events_of(value))
            if not numbers:
                continue
            if len(set(numbers)) > 1:
                self._builder.warn(
                    "a stream handle was used again for another stream: waits on it are told of the last"
                )
            self._by_handle[handle] = self.of_number(numbers[-1])

    def learn_flags(
        self,
        calls: Columns,
        arguments: Iterable[Argument],
        call_of: Callable[[int], int],
    ) -> None:
        """rocprofv3 numbers streams in the order in which they are created."""
        creating = [self._builder.name(name) for name in _CREATES]
        created = np.flatnonzero(np.isin(calls["name"], creating))
        self._created = set(created.tolist())
        created = created[np.argsort(calls["start"][created], kind="stable")]
        flags = {call_of(event): _number(value) for event, name, value, _ in arguments if name == "flags"}
        for number, call in enumerate(created.tolist(), start=1):
            self._blocking[number] = (flags.get(call) or 0) != _NON_BLOCKING
            if number in self._by_number:
                place = self._by_number[number]
                stream = self._builder.streams[place]
                self._builder.streams[place] = replace(stream, blocking=self._blocking[number])

    def fill(self, calls: Columns, arguments: Iterable[Argument], call_of: Callable[[int], int]) -> None:
        """Writes what calls were given into their columns."""
        creating = self._created
        for event, name, value, number in arguments:
            call, given = call_of(event), _number(value)
            if call == NONE or given is None:
                continue
            if name in ("stream", "hStream"):
                if call in creating:  # a pointer to where the handle is put
                    continue
                found = self.of_number(int(number)) if number is not None else self.of_handle(given)
                calls["stream"][call] = found
            elif name in ("event", "hEvent"):
                calls["event"][call] = self._builder.number("event", self._process, given)
            elif name == "deviceId":
                calls["device"][call] = given
            elif name == "flags":
                calls["flags"][call] = min(given, 2**31 - 1)


def _number(value: Any) -> int | None:
    try:
        return int(str(value), 0)
    except ValueError:
        return None
