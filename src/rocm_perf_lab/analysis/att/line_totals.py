"""Executions, latency, stall and idle time of every line, summed over waves."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rocm_perf_lab.thread_trace.rows import CodeLine, Wave

Integers = NDArray[np.int64]


class LineTotals:
    """By place in the listing. What a wave ran that the listing does not have is counted apart."""

    def __init__(self, code: Sequence[CodeLine]) -> None:
        numbers = np.array([line.number for line in code], np.int64)
        self._order = np.argsort(numbers, kind="stable")
        self._numbers = numbers[self._order]
        self._is_instruction = np.array([not line.is_label for line in code], bool)
        self.executions = np.zeros(len(code), np.int64)
        self.latency = np.zeros(len(code), np.int64)
        self.stall = np.zeros(len(code), np.int64)
        self.idle = np.zeros(len(code), np.int64)
        self.unlisted = 0

    def places(self, numbers: Integers) -> tuple[Integers, NDArray[np.bool_]]:
        """Where lines stand in the listing, and whether they are instructions of it."""
        if not len(self._numbers):
            return np.zeros(len(numbers), np.int64), np.zeros(len(numbers), bool)
        found = np.minimum(np.searchsorted(self._numbers, numbers), len(self._numbers) - 1)
        known = self._numbers[found] == numbers
        places = self._order[found]
        return places, known & self._is_instruction[places]

    def add(self, wave: Wave) -> tuple[Integers, NDArray[np.bool_]]:
        """Adds a wave; gives the places of its instructions."""
        places, known = self.places(wave.line)
        self.unlisted += int((~known).sum())
        at = places[known]
        self._sum(self.executions, at, np.ones(len(at), np.int64))
        self._sum(self.latency, at, wave.cycles[known])
        self._sum(self.stall, at, wave.stall[known])
        self._sum(self.idle, at, idle_before(wave)[known])
        return places, known

    @staticmethod
    def _sum(totals: Integers, places: Integers, values: Integers) -> None:
        totals += np.bincount(places, weights=values, minlength=len(totals)).astype(np.int64)


def idle_before(wave: Wave) -> Integers:
    """Clocks between the end of what came before, which may not be the last to end, and each instruction."""
    reached = np.maximum.accumulate(np.concatenate(([wave.begin], wave.time + wave.cycles)))[:-1]
    return np.maximum(0, wave.time - reached)
