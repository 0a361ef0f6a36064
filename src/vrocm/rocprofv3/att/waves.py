"""What a thread trace says about each wave: instructions, timeline, waits and what they wait for."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import accumulate

from .code import Code, InstructionCategory, Line
from .raw import RawTrace, RawWave


class WaveState(IntEnum):
    EMPTY = 0
    IDLE = 1
    EXEC = 2
    WAIT = 3
    STALL = 4


@dataclass
class DecodedWave:
    engine: int
    cu: int
    simd: int
    slot: int
    number: int  # of the waves that were on this slot
    begin: int
    end: int
    complete: bool
    # [first attempt, category, stall, duration, line]
    instructions: list[tuple[int, int, int, int, int]] = field(default_factory=list)
    timeline: list[tuple[int, int]] = field(default_factory=list)  # [state, clocks]
    waitcnt: list[tuple[int, list[int]]] = field(default_factory=list)  # line of the wait, lines waited for


def lines_of(raw: RawTrace, code: Code) -> list[Line]:
    """The lines of ``raw.codes``; none when no wave was traced, so that the code of others is not listed."""
    return [code.line_at(item.address) for item in raw.codes] if raw.waves else []


def decode_waves(raw: RawTrace, lines: list[Line]) -> Iterator[DecodedWave]:
    """The waves of one shader engine, one at a time. Adds what they did to the totals of the lines."""
    numbers: dict[tuple[int, int], int] = {}
    for wave in raw.waves:
        if not wave.records and wave.end is None:
            continue  # it had not begun when the trace ended
        slot = (wave.simd, wave.slot)
        number = numbers[slot] = numbers.get(slot, -1) + 1
        yield _Decoder(wave, lines).decode(raw.engine, number)


class _Decoder:
    def __init__(self, wave: RawWave, lines: list[Line]) -> None:
        self._wave, self._lines = wave, lines
        # Memory operations that vmcnt counts, oldest first, and that lgkmcnt counts: place in the wave, line.
        self._vector: deque[tuple[int, int]] = deque()
        self._local: deque[tuple[int, int]] = deque()

    def decode(self, engine: int, number: int) -> DecodedWave:
        raw = self._wave
        end, count = raw.last(), len(raw.records) // 4
        made = DecodedWave(
            engine, raw.cu, raw.simd, raw.slot, number, raw.begin, end, complete=raw.end is not None
        )
        previous_end = raw.begin
        for place, (code, attempt, issue, following, taken) in enumerate(raw.instructions(), 1):
            line = self._lines[code]
            if line.is_barrier and place < count:
                following = max(following, raw.records[4 * place + 1])  # the next: it opened just before
            duration = following - attempt
            stall = duration if line.waits else issue - attempt
            category = line.category
            if category is InstructionCategory.JUMP and not taken:
                category = InstructionCategory.NEXT
            made.instructions.append((attempt, int(category), stall, duration, line.number))
            line.hit += 1
            line.latency += duration
            line.stall += stall
            line.idle += max(0, attempt - previous_end)
            self._advance(made, line, attempt - previous_end, stall, duration)
            previous_end = max(previous_end, attempt + duration)
            self._follow_memory(made, line, place)
        _extend(made.timeline, WaveState.IDLE, end - previous_end)
        return made

    @staticmethod
    def _advance(made: DecodedWave, line: Line, gap: int, stall: int, duration: int) -> None:
        _extend(made.timeline, WaveState.IDLE, gap)
        _extend(made.timeline, WaveState.WAIT if line.waits else WaveState.STALL, stall)
        _extend(made.timeline, WaveState.EXEC, duration - stall)

    def _follow_memory(self, made: DecodedWave, line: Line, place: int) -> None:
        if line.in_vmcnt:
            self._vector.append((place, line.number))
        if line.in_lgkmcnt:
            self._local.append((place, line.number))
        if line.vmcnt is None and line.lgkmcnt is None:
            return
        causes: dict[int, int] = {}  # a flat operation is counted by both and named once
        for outstanding, allowed in ((self._local, line.lgkmcnt), (self._vector, line.vmcnt)):
            while allowed is not None and len(outstanding) > allowed:
                causes.update([outstanding.popleft()])
        if causes:
            made.waitcnt.append((line.number, list(causes.values())))


def _extend(timeline: list[tuple[int, int]], state: WaveState, clocks: int) -> None:
    if clocks <= 0:
        return
    if timeline and timeline[-1][0] == state:
        timeline[-1] = (int(state), timeline[-1][1] + clocks)
    else:
        timeline.append((int(state), clocks))


class WaveStateCounts:
    """How many waves are in each state over time."""

    def __init__(self) -> None:
        self._changes: dict[WaveState, dict[int, int]] = {state: {} for state in WaveState}

    def add(self, wave: DecodedWave) -> None:
        time = wave.begin
        for state, clocks in wave.timeline:
            changes = self._changes[WaveState(state)]
            changes[time] = changes.get(time, 0) + 1
            time += clocks
            changes[time] = changes.get(time, 0) - 1

    def steps(self, state: WaveState) -> tuple[list[int], list[int]]:
        """Times at which the number may change, and the number from then on."""
        changes = self._changes[state]
        times = sorted(changes)
        return times, list(accumulate(changes[time] for time in times))
