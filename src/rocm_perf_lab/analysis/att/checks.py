"""Whether the files of a trace folder agree with each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocm_perf_lab.analysis.att.classes import CATEGORIES, class_of
from rocm_perf_lab.analysis.att.line_totals import LineTotals
from rocm_perf_lab.analysis.att.states import States
from rocm_perf_lab.analysis.att.waits import WaveWaits
from rocm_perf_lab.contracts.profiling.att import AttCheck
from rocm_perf_lab.thread_trace.rows import CodeLine, Lives, StateCounts, ThreadTrace, Wave

# Clocks by which the timeline of a wave may differ from its duration: what traces of hardware show.
TIMELINE_SLACK = 4
_HIGHEST_CATEGORY = 64


@dataclass
class Tally:
    """One rule: how often it was looked at and broken, and where first."""

    name: str
    rule: str
    looked: int = 0
    broken: int = 0
    first: str = ""

    def see(self, good: bool, where: str, times: int = 1) -> None:
        self.looked += 1
        if not good:
            self.first = self.first or where
            self.broken += times

    def result(self) -> AttCheck | None:
        """None where there was nothing to look at."""
        if not self.looked:
            return None
        detail = self.rule if not self.broken else f"not so {self.broken} times, first: {self.first}"
        return AttCheck(name=self.name, passed=not self.broken, detail=detail)


class WaveChecks:
    """Rules that each wave keeps."""

    def __init__(self, trace: ThreadTrace) -> None:
        self._duration = Tally("durations", "waves last as long, and have as many instructions, as said")
        self._timeline = Tally("timelines", f"timelines sum to the durations within {TIMELINE_SLACK} clocks")
        self._order = Tally("instructions", "instructions are in order and within their waves")
        self._class = Tally("classes", "hardware classes instructions as their names say")
        self._life = Tally("lives", "occupancy.json has every traced wave")
        self._allowed = _allowed_categories(trace.code)
        self._starts = {place for engine in trace.lives for place in _starts(engine)}

    def add(self, wave: Wave, places: NDArray[np.int64], known: NDArray[np.bool_]) -> None:
        name, length = wave.file.name, wave.end - wave.begin
        listed = (wave.file.begin, wave.file.end) == (wave.begin, wave.end)
        self._duration.see(listed and wave.duration == length and wave.count == len(wave.time), name)
        if len(wave.timeline):
            total = int(wave.timeline[:, 1].sum())
            self._timeline.see(abs(total - length) <= TIMELINE_SLACK, f"{name}: {total} of {length} clocks")
        if len(wave.time):
            in_order = bool((np.diff(wave.time) >= 0).all()) and bool((wave.stall <= wave.cycles).all())
            within = (
                wave.time[0] >= wave.begin and (wave.time + wave.stall).max() <= wave.end + TIMELINE_SLACK
            )
            self._order.see(in_order and bool(within), name)
            self._see_classes(wave, places, known)
        if self._starts:
            place = (wave.file.engine, wave.cu, wave.file.simd, wave.file.slot, wave.begin)
            self._life.see(place in self._starts, name)

    def _see_classes(self, wave: Wave, places: NDArray[np.int64], known: NDArray[np.bool_]) -> None:
        if not len(self._allowed):
            return
        category = np.clip(wave.category, 0, _HIGHEST_CATEGORY - 1)
        odd = known & ~self._allowed[places, category]
        first = f"{wave.file.name}: line {wave.line[odd.argmax()]} is of category {category[odd.argmax()]}"
        self._class.see(not odd.any(), first, int(odd.sum()))

    def results(self) -> list[AttCheck]:
        made = (self._duration, self._timeline, self._order, self._class, self._life)
        return [check for tally in made if (check := tally.result())]


def _starts(engine: Lives) -> Iterator[tuple[int, int, int, int, int]]:
    """Engine, unit, SIMD, slot and time of each wave that came."""
    columns = (engine.cu, engine.simd, engine.slot, engine.time, engine.starts)
    for cu, simd, slot, time, starts in zip(*(column.tolist() for column in columns), strict=True):
        if starts:
            yield engine.engine, cu, simd, slot, time


def _allowed_categories(code: Sequence[CodeLine]) -> NDArray[np.bool_]:
    """By place in the listing and category."""
    allowed = np.zeros((len(code), _HIGHEST_CATEGORY), bool)
    for place, line in enumerate(code):
        allowed[place, [int(category) for category in CATEGORIES[class_of(line.text)]]] = True
    allowed[:, 13:] = True  # categories of later hardware: nothing is known of them
    return allowed


@dataclass(frozen=True)
class FolderChecks:
    """Rules between files."""

    trace: ThreadTrace
    totals: LineTotals
    states: States
    waits: WaveWaits

    def results(self) -> list[AttCheck]:
        made = [self._totals(), self._lines(), self._statistics(), self._wait_entries()]
        made += [self._counted(counts) for counts in self.trace.states]
        return [check for tally in made if (check := tally.result())]

    def _totals(self) -> Tally:
        tally = Tally("totals", "the totals of code.json are the sums over the waves")
        found = self.totals
        columns = (found.executions, found.latency, found.stall, found.idle)
        for place, line in enumerate(self.trace.code):
            sums = tuple(int(column[place]) for column in columns)
            said = (line.hits, line.latency, line.stall, line.idle)
            tally.see(said == sums, f"line {line.number} has {said}, its waves {sums}")
        return tally

    def _lines(self) -> Tally:
        tally = Tally("lines", "every instruction of the waves is in code.json")
        unlisted = self.totals.unlisted
        tally.see(not unlisted, f"{unlisted} instructions are not in code.json", max(unlisted, 1))
        return tally

    def _statistics(self) -> Tally:
        tally = Tally("statistics", "stats_*.csv has the totals of code.json")
        if self.trace.statistics is not None:
            listed = _by_address(self.trace.code)
            tabled = _by_address(self.trace.statistics)
            for key in sorted(listed.keys() | tabled.keys()):
                tally.see(listed.get(key) == tabled.get(key), f"code object {key[0]}, address {key[1]}")
        return tally

    def _wait_entries(self) -> Tally:
        tally = Tally("waits", "what waits wait for was issued before them")
        if self.waits.entries:
            lost = self.waits.entries - self.waits.placed
            tally.see(not lost, f"{lost} of {self.waits.entries} entries have no such wait", max(lost, 1))
        return tally

    def _counted(self, counts: StateCounts) -> Tally:
        name = f"wstates{int(counts.state)}.json"
        tally = Tally(name, f"{name} has the clocks of the timelines")
        area = int((np.diff(counts.time) * counts.waves[:-1]).sum()) if len(counts.time) else 0
        expected = self.states.cycles[counts.state]
        tally.see(area == expected, f"{area} and {expected} clocks")
        return tally


def _by_address(code: Sequence[CodeLine]) -> dict[tuple[int, int], tuple[str, int, int, int, int]]:
    return {
        (line.code_object, line.address): (line.text, line.hits, line.latency, line.stall, line.idle)
        for line in code
        if not line.is_label
    }
