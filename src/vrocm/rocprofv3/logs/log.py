"""Reads the trace log that the virtual runtimes write (native/trace/record.h says what is in it).

One log is one process. A process that was killed leaves a log that simply stops; everything before the last
whole record is used.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

MAGIC = b"VROCMLOG"
_FILE_HEADER = struct.Struct("<8sII")
_RECORD_HEADER = struct.Struct("<IHHII")
_NUMBER = struct.Struct("<Q")
_REAL = struct.Struct("<d")


class DamagedLog(Exception):
    """A file that is not a trace log."""


@dataclass(frozen=True)
class LoggedProcess:
    pid: int
    parent: int
    begin: int
    command: tuple[str, ...]


@dataclass(frozen=True)
class LoggedAgent:
    handle: int
    is_gpu: bool
    index: int
    type_index: int
    name: str
    model: str
    vendor: str
    product: str
    uuid: str
    properties: dict[str, int]


@dataclass(frozen=True)
class LoggedCodeObject:
    id: int
    agent: int
    uri: str
    load_base: int
    load_size: int
    load_delta: int
    in_memory: bool


@dataclass(frozen=True)
class KernelSymbol:
    id: int
    code_object: int
    name: str
    kernel_object: int
    kernarg_size: int
    kernarg_alignment: int
    group_segment: int
    private_segment: int
    sgprs: int
    arch_vgprs: int
    accum_vgprs: int
    entry_offset: int


@dataclass(frozen=True)
class LoggedArgument:
    type: str
    name: str
    pointer: int | None  # None: the text says it all
    text: str


@dataclass(frozen=True)
class Call:
    number: int
    parent: int
    category: int
    begin: int
    end: int
    thread: int
    name: str
    arguments: tuple[LoggedArgument, ...]


@dataclass(frozen=True)
class LoggedLaunch:
    call: int
    stream: int
    range: int  # the innermost roctx range of the thread, or 0
    thread: int


@dataclass(frozen=True)
class LoggedDispatch:
    number: int
    queue: int
    agent: int
    kernel: int
    begin: int
    end: int
    workgroup: tuple[int, int, int]
    grid: tuple[int, int, int]
    group_segment: int
    private_segment: int
    thread: int


@dataclass(frozen=True)
class LoggedCopy:
    call: int
    stream: int
    begin: int
    end: int
    from_agent: int
    source: int
    to_agent: int
    target: int
    bytes: int
    thread: int


@dataclass(frozen=True)
class LoggedAllocation:
    call: int
    agent: int
    begin: int
    end: int
    operation: int
    address: int
    bytes: int
    thread: int


@dataclass(frozen=True)
class LoggedScratch:
    agent: int
    queue: int
    begin: int
    end: int
    operation: int
    bytes: int
    thread: int


@dataclass(frozen=True)
class LoggedMarker:
    number: int
    parent: int
    begin: int
    end: int
    thread: int
    operation: str
    message: str


@dataclass(frozen=True)
class LoggedCounterValue:
    name: str
    instance: int
    value: float
    extrapolated: bool = False  # from a part of the dispatch


@dataclass
class ProcessLog:
    process: LoggedProcess
    path: Path = Path()  # thread traces lie beside it
    end: int | None = None  # None: the process did not end in order
    thread_names: dict[int, str] = field(default_factory=dict)
    agents: list[LoggedAgent] = field(default_factory=list)
    code_objects: list[LoggedCodeObject] = field(default_factory=list)
    kernels: list[KernelSymbol] = field(default_factory=list)
    queues: list[tuple[int, int]] = field(default_factory=list)  # id, agent's handle
    streams: list[tuple[int, str]] = field(default_factory=list)  # id, kind
    calls: list[Call] = field(default_factory=list)
    launches: dict[int, LoggedLaunch] = field(default_factory=dict)
    dispatches: list[LoggedDispatch] = field(default_factory=list)
    copies: list[LoggedCopy] = field(default_factory=list)
    allocations: list[LoggedAllocation] = field(default_factory=list)
    scratch: list[LoggedScratch] = field(default_factory=list)
    marks: list[LoggedMarker] = field(default_factory=list)
    counters: dict[int, list[LoggedCounterValue]] = field(default_factory=dict)


class _Fields:
    """The fields of one payload, in order."""

    def __init__(self, payload: memoryview) -> None:
        self._payload = payload
        self._at = 0

    def number(self) -> int:
        (value,) = _NUMBER.unpack_from(self._payload, self._at)
        self._at += 8
        assert isinstance(value, int)
        return value

    def numbers(self, count: int) -> tuple[int, ...]:
        values = struct.unpack_from(f"<{count}Q", self._payload, self._at)
        self._at += 8 * count
        return values

    def real(self) -> float:
        (value,) = _REAL.unpack_from(self._payload, self._at)
        self._at += 8
        assert isinstance(value, float)
        return value

    def text(self) -> str:
        size = self.number()
        begin = self._at
        self._at += size
        if self._at > len(self._payload):
            raise struct.error("text beyond the record")
        return bytes(self._payload[begin : self._at]).decode("utf-8", "replace")


def _signed(value: int) -> int:
    return value - (1 << 64) if value >> 63 else value


def _process(log: ProcessLog, fields: _Fields, thread: int) -> None:
    pass  # the first record; read before


def _process_end(log: ProcessLog, fields: _Fields, thread: int) -> None:
    log.end = fields.number()


def _thread_name(log: ProcessLog, fields: _Fields, thread: int) -> None:
    log.thread_names[thread] = fields.text()


def _agent(log: ProcessLog, fields: _Fields, thread: int) -> None:
    handle, is_gpu, index, type_index = fields.numbers(4)
    name, model, vendor, product, uuid, properties = (fields.text() for _ in range(6))
    values = dict(line.split("=", 1) for line in properties.splitlines())
    log.agents.append(
        LoggedAgent(
            handle,
            bool(is_gpu),
            index,
            type_index,
            name,
            model,
            vendor,
            product,
            uuid,
            {key: int(value) for key, value in values.items()},
        )
    )


def _code_object(log: ProcessLog, fields: _Fields, thread: int) -> None:
    number, agent = fields.numbers(2)
    uri = fields.text()
    base, size, delta, storage = fields.numbers(4)
    log.code_objects.append(LoggedCodeObject(number, agent, uri, base, size, _signed(delta), storage == 2))


def _kernel(log: ProcessLog, fields: _Fields, thread: int) -> None:
    number, code_object = fields.numbers(2)
    name = fields.text()
    object_, size, alignment, group, private, sgprs, arch, accum, entry = fields.numbers(9)
    log.kernels.append(
        KernelSymbol(
            number,
            code_object,
            name,
            object_,
            size,
            alignment,
            group,
            private,
            sgprs,
            arch,
            accum,
            _signed(entry),
        )
    )


def _queue(log: ProcessLog, fields: _Fields, thread: int) -> None:
    number, agent = fields.numbers(2)
    log.queues.append((number, agent))


def _stream(log: ProcessLog, fields: _Fields, thread: int) -> None:
    number = fields.number()
    log.streams.append((number, fields.text()))


def _call(log: ProcessLog, fields: _Fields, thread: int) -> None:
    number, parent, category, begin, end = fields.numbers(5)
    name = fields.text()
    arguments = []
    for _ in range(fields.number()):
        kind, argument = fields.text(), fields.text()
        is_pointer, value = fields.numbers(2)
        arguments.append(LoggedArgument(kind, argument, value if is_pointer else None, fields.text()))
    log.calls.append(Call(number, parent, category, begin, end, thread, name, tuple(arguments)))


def _launch(log: ProcessLog, fields: _Fields, thread: int) -> None:
    dispatch, call, stream, innermost = fields.numbers(4)
    log.launches[dispatch] = LoggedLaunch(call, stream, innermost, thread)


def _dispatch(log: ProcessLog, fields: _Fields, thread: int) -> None:
    number, queue, agent, kernel, begin, end, wx, wy, wz, gx, gy, gz, group, private = fields.numbers(14)
    log.dispatches.append(
        LoggedDispatch(
            number,
            queue,
            agent,
            kernel,
            begin,
            end,
            (wx, wy, wz),
            (gx, gy, gz),
            group,
            private,
            thread,
        )
    )


def _copy(log: ProcessLog, fields: _Fields, thread: int) -> None:
    call, stream, begin, end, from_agent, source, to_agent, target, size = fields.numbers(9)
    log.copies.append(
        LoggedCopy(call, stream, begin, end, from_agent, source, to_agent, target, size, thread)
    )


def _allocation(log: ProcessLog, fields: _Fields, thread: int) -> None:
    call, agent, begin, end, operation, address, size = fields.numbers(7)
    log.allocations.append(LoggedAllocation(call, agent, begin, end, operation, address, size, thread))


def _scratch(log: ProcessLog, fields: _Fields, thread: int) -> None:
    agent, queue, begin, end, operation, size = fields.numbers(6)
    log.scratch.append(LoggedScratch(agent, queue, begin, end, operation, size, thread))


def _mark(log: ProcessLog, fields: _Fields, thread: int) -> None:
    number, parent, begin, end = fields.numbers(4)
    log.marks.append(LoggedMarker(number, parent, begin, end, thread, fields.text(), fields.text()))


def _counters(log: ProcessLog, fields: _Fields, thread: int) -> None:
    dispatch, count = fields.numbers(2)
    values = [LoggedCounterValue(fields.text(), fields.number(), fields.real()) for _ in range(count)]
    log.counters.setdefault(dispatch, []).extend(values)


_READERS = {
    1: _process,
    2: _process_end,
    3: _thread_name,
    4: _agent,
    5: _code_object,
    6: _kernel,
    7: _queue,
    8: _stream,
    9: _call,
    10: _launch,
    11: _dispatch,
    12: _copy,
    13: _allocation,
    14: _scratch,
    15: _mark,
    16: _counters,
}


def _records(data: memoryview) -> Iterator[tuple[int, int, memoryview]]:
    """Kind, thread and payload of every whole record."""
    at = _FILE_HEADER.size
    while at + _RECORD_HEADER.size <= len(data):
        size, kind, whole, thread, _ = _RECORD_HEADER.unpack_from(data, at)
        begin = at + _RECORD_HEADER.size
        if kind == 0 or begin + size > len(data):
            return
        if whole:
            yield kind, thread, data[begin : begin + size]
        at = begin + (size + 7) // 8 * 8


def read_log(path: Path) -> ProcessLog:
    """The log in the file. Raises DamagedLog for one that does not even say which process it is of."""
    data = memoryview(path.read_bytes())
    if len(data) < _FILE_HEADER.size or _FILE_HEADER.unpack_from(data)[0] != MAGIC:
        raise DamagedLog(f"{path} is not a trace log")
    records = _records(data)
    kind, _, payload = next(records, (0, 0, memoryview(b"")))
    if kind != 1:
        raise DamagedLog(f"{path} does not begin with a process")
    fields = _Fields(payload)
    pid, parent, begin = fields.numbers(3)
    command = tuple(part for part in fields.text().split("\0")[:-1])
    log = ProcessLog(LoggedProcess(pid, parent, begin, command), path)
    for kind, thread, payload in records:
        reader = _READERS.get(kind)
        try:
            if reader:
                reader(log, _Fields(payload), thread)
        except struct.error:
            raise DamagedLog(f"{path} was written by another version of the runtimes") from None
    return log
