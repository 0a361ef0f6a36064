"""Waits and what they wait for: stall goes to its cause, and memory operations get a latency."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from rocm_perf_lab.analysis.att.classes import Counting, counters_waited_for, counting_of
from rocm_perf_lab.thread_trace.rows import Wave

Lines = tuple[int, ...]


@dataclass(frozen=True)
class Need:
    """What a wait is for: an entry of ``waitcnt``."""

    lines: Lines
    counts: tuple[tuple[int, int], ...]  # how often each line is in it
    counting: frozenset[Counting]


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


class WaveWaits:
    """Over all waves. ``issue_cycles``: a wait with no more stall than that was over at once."""

    def __init__(self, issue_cycles: int, texts: Mapping[int, str]) -> None:
        """``texts``: of the instructions, by line."""
        self._issue_cycles, self._texts = issue_cycles, texts
        self._needs: dict[Lines, Need] = {}  # loops have the same entries over and over
        self.operations: dict[int, Operation] = {}  # by line
        self.moved_away: Counter[int] = Counter()  # stall by the line of the wait
        self.entries = self.placed = 0

    def add(self, wave: Wave) -> None:
        if not wave.waits:
            return
        under_way = _UnderWay([(line, self._need(causes)) for line, causes in wave.waits], self._texts)
        concerned = np.isin(wave.line, np.array(under_way.lines(), np.int64))
        issues, ends = wave.time + wave.stall, wave.time + wave.cycles
        columns = (wave.line, issues, ends, wave.stall)
        for line, issue, end, stall in zip(*(column[concerned].tolist() for column in columns), strict=True):
            if line in under_way.waits:
                causes = under_way.done_by(line)
                if causes:
                    self._settle(line, end, stall, causes)
            else:
                under_way.issue(line, issue)
        self.entries += len(wave.waits)
        self.placed += under_way.placed

    def _need(self, causes: Lines) -> Need:
        found = self._needs.get(causes)
        if found is None:
            counting = frozenset(counting_of(self._texts.get(line, "")) for line in causes)
            found = self._needs[causes] = Need(causes, tuple(Counter(causes).items()), counting)
        return found

    def _settle(self, wait: int, end: int, stall: int, causes: list[tuple[int, int]]) -> None:
        """Shares the stall of one wait out among its causes: evenly, the last ones take what is left over."""
        stalled = stall > self._issue_cycles
        share, rest = divmod(stall, len(causes)) if stalled else (0, 0)
        for place, (cause, issue) in enumerate(causes):
            charge = share + (place >= len(causes) - rest)
            operation = self.operations.get(cause)
            if operation is None:
                operation = self.operations[cause] = Operation()
            operation.add(end - issue, stalled, charge)
        if stalled:
            self.moved_away[wait] += stall


class _UnderWay:
    """The operations of one wave that have been issued and not been waited for.

    A trace lists for each wait what it waits for, in order, but not which execution of the wait it means: one
    may have an entry for each counter that it names, one for all of them, or none. An entry belongs to the
    first execution of its line at which everything in it has been issued, and that has not an entry for the
    same counter already.
    """

    def __init__(self, entries: list[tuple[int, Need]], texts: Mapping[int, str]) -> None:
        self.waits: dict[int, deque[Need]] = {}
        for line, need in entries:
            self.waits.setdefault(line, deque()).append(need)
        self._most = {line: counters_waited_for(texts.get(line, "")) for line in self.waits}
        causes = {line for _, need in entries for line in need.lines}
        self._issued: dict[int, deque[int]] = {line: deque() for line in causes}
        # Flat operations are counted twice, and may be named by a wait for each of the counters.
        self._named_once: dict[int, deque[int]] = {
            line: deque() for line in causes if counting_of(texts.get(line, "")) == "flat"
        }
        self.placed = 0

    def lines(self) -> list[int]:
        return [*self.waits, *self._issued]

    def issue(self, line: int, time: int) -> None:
        self._issued[line].append(time)
        if line in self._named_once:
            self._named_once[line].clear()

    def done_by(self, wait: int) -> list[tuple[int, int]]:
        """What an execution of a wait waits for: lines and when they were issued."""
        done: list[tuple[int, int]] = []
        entries = self.waits[wait]
        first_named: list[tuple[int, int]] = []
        counted: frozenset[Counting] = frozenset()
        for _ in range(self._most[wait]):
            if not entries or counted & entries[0].counting or not self._has(entries[0]):
                break
            counted |= entries[0].counting
            done += [(line, self._take(line, first_named)) for line in entries.popleft().lines]
            self.placed += 1
        for line, time in first_named:  # only now: one wait does not name an operation twice
            self._named_once[line].append(time)
        return done

    def _has(self, need: Need) -> bool:
        for line, count in need.counts:
            there = len(self._issued[line])
            if there < count and there + len(self._named_once.get(line, ())) < count:
                return False
        return True

    def _take(self, line: int, first_named: list[tuple[int, int]]) -> int:
        if not self._issued[line]:
            return self._named_once[line].popleft()
        time = self._issued[line].popleft()
        if line in self._named_once:
            first_named.append((line, time))
        return time
