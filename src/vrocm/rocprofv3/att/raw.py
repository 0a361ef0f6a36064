"""Reads the raw thread trace of one shader engine (native/sim/thread_trace.h says what is in it)."""

from __future__ import annotations

import struct
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

MAGIC = b"VROCMATT"
_HEADER = struct.Struct("<8sII7Q4I")
_RECORD = struct.Struct("<4I")
_CODE = struct.Struct("<2Q")
_LIFE, _START, _TAKEN = 1 << 31, 1 << 30, 1 << 28
_CODE_MASK = (1 << 22) - 1


class DamagedTrace(Exception):
    """A file that is not a raw thread trace."""


@dataclass(frozen=True)
class CodeAddress:
    """An instruction that waves issued."""

    address: int
    cycles: int  # for which it takes the unit that executes it


@dataclass(frozen=True)
class Life:
    """A wave comes or goes."""

    time: int
    cu: int
    simd: int
    slot: int
    starts: bool


@dataclass
class RawWave:
    """A wave on the target compute unit and the instructions it issued."""

    cu: int
    simd: int
    slot: int
    begin: int
    workgroup: int
    wave_in_group: int
    end: int | None = None  # None: the trace ended before the wave
    records: array[int] = field(default_factory=lambda: array("I"))  # as in the file: there may be millions

    def instructions(self) -> Iterator[tuple[int, int, int, int, bool]]:
        """Number in RawTrace.codes, first attempt, issue, when the next may be tried, whether it is taken."""
        words = self.records
        for first, attempt, issue, following in zip(
            words[::4], words[1::4], words[2::4], words[3::4], strict=True
        ):
            yield first & _CODE_MASK, attempt, issue, following, bool(first & _TAKEN)

    def last(self) -> int:
        """When it ended, or did what is last known of it."""
        if self.end is not None:
            return self.end
        return self.records[-1] if self.records else self.begin


@dataclass
class RawTrace:
    engine: int
    dispatch: int
    agent: int  # index among all agents
    kernel: int  # id of the symbol
    target_cu: int
    clock_mhz: int
    lost: int  # records for which the buffer had no room
    last: int  # latest clock
    codes: list[CodeAddress]
    lives: list[Life]
    waves: list[RawWave]


def read_raw(path: Path) -> RawTrace:
    data = path.read_bytes()
    if len(data) < _HEADER.size or data[: len(MAGIC)] != MAGIC:
        raise DamagedTrace(f"{path} is not a thread trace")
    (_, version, size, dispatch, agent, kernel, records, codes, lost, last, engine, cu, simds, mhz) = (
        _HEADER.unpack_from(data)
    )
    if (
        version != 1
        or size != _HEADER.size
        or len(data) != size + records * _RECORD.size + codes * _CODE.size
    ):
        raise DamagedTrace(f"{path} is cut short or was written by another version of the runtimes")
    body = memoryview(data)[size : size + records * _RECORD.size]
    known = [CodeAddress(*code) for code in _CODE.iter_unpack(memoryview(data)[size + len(body) :])]
    lives, waves = _waves(body, cu, simds)
    return RawTrace(engine, dispatch, agent, kernel, cu, mhz, lost, last, known, lives, waves)


def _waves(body: memoryview, target: int, simds: int) -> tuple[list[Life], list[RawWave]]:
    lives: list[Life] = []
    waves: list[RawWave] = []
    running: dict[int, RawWave] = {}  # by SIMD and slot of the target unit
    for first, a, b, c in _RECORD.iter_unpack(body):
        place = first >> 22 & 63
        if not first & _LIFE:
            running[place].records.extend((first, a, b, c))
            continue
        cu, simd, slot = first & 255, place & 3, place >> 2
        starts = bool(first & _START)
        lives.append(Life(a, cu, simd, slot, starts))
        if cu != target or not simds >> simd & 1:
            continue
        if starts:
            running[place] = RawWave(cu, simd, slot, a, c, b)
            waves.append(running[place])
        else:
            running.pop(place).end = a
    lives.sort(key=lambda life: (life.time, life.starts, life.cu, life.simd, life.slot))
    return lives, waves
