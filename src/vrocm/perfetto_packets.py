"""The few Perfetto messages that a trace needs, in protobuf's wire format.

Field numbers: trace_packet.proto, track_event.proto, track_descriptor.proto, counter_descriptor.proto,
process_descriptor.proto, thread_descriptor.proto and interned_data.proto of the Perfetto project.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass


def varint(value: int) -> bytes:
    out = bytearray()
    value &= (1 << 64) - 1
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def number(field: int, value: int) -> bytes:
    return varint(field << 3) + varint(value)


def data(field: int, value: bytes) -> bytes:
    return varint(field << 3 | 2) + varint(len(value)) + value


def text(field: int, value: str) -> bytes:
    return data(field, value.encode("utf-8", "replace"))


@dataclass(frozen=True)
class Track:
    uuid: int
    name: str
    parent: int = 0
    pid: int | None = None  # a process track
    tid: tuple[int, int] | None = None  # a thread track: process and thread
    unit: str | None = None  # a counter track: what it counts
    rank: int = 0  # among the tracks of its parent, if that is ordered
    ordered: bool = False  # whether the tracks below it come by rank


_SEQUENCE = 1
_INCREMENTAL_STATE_CLEARED = 1
_NEEDS_INCREMENTAL_STATE = 2
_SLICE_BEGIN, _SLICE_END, _INSTANT, _COUNTER = 1, 2, 3, 4
_ORDERED = 3  # child_ordering: explicit


def _packet(body: bytes) -> bytes:
    return data(1, body + number(10, _SEQUENCE))  # Trace.packet; trusted_packet_sequence_id


def first_packet() -> bytes:
    return _packet(number(13, _INCREMENTAL_STATE_CLEARED))  # sequence_flags


def track_packet(track: Track) -> bytes:
    body = number(1, track.uuid) + text(2, track.name)
    if track.parent:
        body += number(5, track.parent)
    if track.ordered:
        body += number(11, _ORDERED)
    if track.rank:
        body += number(12, track.rank)
    if track.unit is not None:
        body += data(8, text(6, track.unit))
    if track.pid is not None:
        body += data(3, number(1, track.pid) + text(6, track.name))
    if track.tid is not None:
        pid, tid = track.tid
        body += data(4, number(1, pid) + number(2, tid) + text(5, track.name))
    return _packet(data(60, body))


def _annotation(name: str, value: int | str) -> bytes:
    shown = number(4, value) if isinstance(value, int) else text(6, value)
    return data(4, text(10, name) + shown)


def _event(time: int, track: int, kind: int, rest: bytes = b"") -> bytes:
    return _packet(number(8, time) + data(11, number(9, kind) + number(11, track) + rest))


def begin_packet(
    time: int, track: int, category: str, name: str, details: dict[str, int | str], flow: int
) -> bytes:
    rest = text(22, category) + text(23, name)
    for key, value in details.items():
        rest += _annotation(key, value)
    if flow:
        rest += varint(47 << 3 | 1) + flow.to_bytes(8, "little")  # flow_ids, fixed64
    return _event(time, track, _SLICE_BEGIN, rest)


def end_packet(time: int, track: int) -> bytes:
    return _event(time, track, _SLICE_END)


def instant_packet(time: int, track: int, category: str, name: str) -> bytes:
    return _event(time, track, _INSTANT, text(22, category) + text(23, name))


# ---- for long traces: names are sent once and then meant by a number ---------------------------------------


def interned_packet(names: Mapping[int, str], categories: Mapping[int, str]) -> bytes:
    """What the numbers of ``short_begin_packet`` mean. They start at 1."""
    body = b"".join(data(1, number(1, key) + text(2, name)) for key, name in categories.items())
    body += b"".join(data(2, number(1, key) + text(2, name)) for key, name in names.items())
    return _packet(data(12, body) + number(13, _INCREMENTAL_STATE_CLEARED))


def annotation(name: str, value: int | float | str | bool) -> bytes:
    """A detail of an event, to be given to ``short_begin_packet``."""
    if isinstance(value, bool):
        shown = number(2, value)
    elif isinstance(value, int):
        shown = number(4, value)
    elif isinstance(value, float):
        shown = varint(5 << 3 | 1) + struct.pack("<d", value)
    else:
        shown = text(6, value)
    return data(4, text(10, name) + shown)


def short_begin_packet(
    time: int,
    track: int,
    category: int,
    name: int,
    *,
    details: bytes = b"",
    flows: Sequence[int] = (),
    ended_flows: Iterable[int] = (),
) -> bytes:
    """The beginning of a slice from which ``flows`` lead on and at which ``ended_flows`` arrive."""
    rest = number(3, category) + number(10, name) + details
    rest += b"".join(varint(47 << 3 | 1) + struct.pack("<Q", flow) for flow in flows)
    rest += b"".join(varint(48 << 3 | 1) + struct.pack("<Q", flow) for flow in ended_flows)
    event = data(11, number(9, _SLICE_BEGIN) + number(11, track) + rest)
    return _packet(number(8, time) + event + number(13, _NEEDS_INCREMENTAL_STATE))


def counter_packet(time: int, track: int, value: float) -> bytes:
    shown = varint(44 << 3 | 1) + struct.pack("<d", value)
    return _packet(number(8, time) + data(11, number(9, _COUNTER) + number(11, track) + shown))
