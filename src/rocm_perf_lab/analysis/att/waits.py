"""Waits and what they wait for: stall goes to its cause, and memory operations get a latency."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from rocm_perf_lab.analysis.att.classes import Counting, counters_waited_for, counting_of
from rocm_perf_lab.thread_trace.rows import Wave


@dataclass
class Operation:
    """All executions of a line that were waited for."""

    waited_for: int = 0
    stalled_for: int = 0
    cycles: int = 0  # from issue to the end of the wait, summed
    least: int = 0
    most: int = 0
    stalled_cycles: int = 0  # the same for those that were stalled for
    charged: int = 0  # stall of waits

    def add(self, cycles: int, stalled: bool, charge: int) -> None:
        self.least = cycles if not self.waited_for else min(self.least, cycles)
        self.most = max(self.most, cycles)
        self.waited_for += 1
        self.cycles += cycles
        self.charged += charge
        if stalled:
            self.stalled_for += 1
            self.stalled_cycles += cycles


class Waits:
    """Over all waves. ``issue_cycles``: a wait with no more stall than that was over at once."""

    def __init__(self, issue_cycles: int, texts: Mapping[int, str]) -> None:
        """``texts``: of the instructions, by line."""
        self._issue_cycles, self._texts = issue_cycles, texts
        self.operations: dict[int, Operation] = {}  # by line
        self.moved_away: Counter[int] = Counter()  # stall by the line of the wait
        self.entries = self.placed = 0

    def add(self, wave: Wave) -> None:
        if not wave.waits:
            return
        outstanding = _Outstanding(wave, self._texts)
        for at in outstanding.events:
            line = int(wave.line[at])
            if line not in outstanding.waits:
                outstanding.issue(line, int(wave.time[at] + wave.stall[at]))
                continue
            self._settle(wave, at, line, outstanding.done_by(line))
        self.entries += len(wave.waits)
        self.placed += outstanding.placed

    def _settle(self, wave: Wave, at: int, line: int, causes: list[tuple[int, int]]) -> None:
        """Shares the stall of one wait out among its causes: evenly, the last ones take what is left over."""
        if not causes:
            return
        stall, end = int(wave.stall[at]), int(wave.time[at] + wave.cycles[at])
        stalled = stall > self._issue_cycles
        share, rest = divmod(stall, len(causes)) if stalled else (0, 0)
        for place, (cause, issue) in enumerate(causes):
            charge = share + (place >= len(causes) - rest)
            self.operations.setdefault(cause, Operation()).add(end - issue, stalled, charge)
        if stalled:
            self.moved_away[line] += stall


class _Outstanding:
    """The operations of one wave that have been issued and not been waited for.

    A trace lists for each wait what it waits for, in order, but not which execution of the wait it means: one
    may have an entry for each counter that it names, one for all of them, or none. An entry belongs to the
    first execution of its line at which everything in it has been issued, and that has not an entry for the
    same counter already.
    """

    def __init__(self, wave: Wave, texts: Mapping[int, str]) -> None:
        self.waits: dict[int, deque[tuple[int, ...]]] = {}
        causes: set[int] = set()
        for line, lines in wave.waits:
            self.waits.setdefault(line, deque()).append(lines)
            causes.update(lines)
        self.events: list[int] = np.flatnonzero(
            np.isin(wave.line, np.array([*self.waits, *causes], np.int64))
        ).tolist()
        self._texts = texts
        self._issued: dict[int, deque[int]] = {}
        # Flat operations are counted twice, and may be named by a wait for each of the counters.
        self._named_once: dict[int, deque[int]] = {}
        self.placed = 0

    def issue(self, line: int, time: int) -> None:
        self._issued.setdefault(line, deque()).append(time)
        self._named_once.pop(line, None)

    def done_by(self, wait: int) -> list[tuple[int, int]]:
        """What an execution of a wait waits for: lines and when they were issued."""
        done: list[tuple[int, int]] = []
        entries = self.waits[wait]
        first_named: list[tuple[int, int]] = []
        counted: set[Counting] = set()
        for _ in range(counters_waited_for(self._text(wait))):
            if not entries or not self._has(entries[0]) or counted & self._counting(entries[0]):
                break
            counted |= self._counting(entries[0])
            done += [(line, self._take(line, first_named)) for line in entries.popleft()]
            self.placed += 1
        for line, time in first_named:  # only now: one wait does not name an operation twice
            self._named_once.setdefault(line, deque()).append(time)
        return done

    def _text(self, line: int) -> str:
        return self._texts.get(line, "")

    def _counting(self, lines: tuple[int, ...]) -> set[Counting]:
        return {counting_of(self._text(line)) for line in lines}

    def _has(self, lines: tuple[int, ...]) -> bool:
        return all(
            len(self._issued.get(line, ())) + len(self._named_once.get(line, ())) >= count
            for line, count in Counter(lines).items()
        )

    def _take(self, line: int, first_named: list[tuple[int, int]]) -> int:
        issued = self._issued.get(line)
        if not issued:
            return self._named_once[line].popleft()
        time = issued.popleft()
        if counting_of(self._text(line)) == "flat":
            first_named.append((line, time))
        return time
