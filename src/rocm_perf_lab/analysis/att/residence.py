"""How many waves a SIMD holds, and how much of its time it issues."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from rocm_perf_lab.analysis.att.spans import Union, highest_overlap
from rocm_perf_lab.contracts.profiling.att import AttIssue, AttOccupancy
from rocm_perf_lab.contracts.section import Origin
from rocm_perf_lab.thread_trace.rows import Lives, State, Wave

# A SIMD of gfx9 has its turn to issue every fourth clock, one of gfx10 and later every clock (AMD, "RDNA
# Architecture" white paper, 2019).
ISSUE_CYCLES_GFX9, ISSUE_CYCLES_LATER = 4, 1


class Residence:
    """Of the traced SIMDs. Each engine has one traced unit."""

    def __init__(self) -> None:
        self._lives: dict[tuple[int, int], list[tuple[int, int]]] = {}  # by engine and SIMD
        self._executing: dict[tuple[int, int], Union] = {}
        self._instructions = 0

    def add(self, wave: Wave) -> None:
        simd = (wave.file.engine, wave.file.simd)
        self._lives.setdefault(simd, []).append((wave.begin, wave.end))
        reached = wave.begin + np.cumsum(wave.timeline[:, 1])
        executing = wave.timeline[:, 0] == State.EXEC
        self._executing.setdefault(simd, Union()).add(
            reached[executing] - wave.timeline[executing, 1], reached[executing]
        )
        self._instructions += len(wave.time)

    @property
    def simds(self) -> int:
        return len(self._lives)

    def busy_cycles(self) -> int:
        return sum(_busy(lives) for lives in self._lives.values())

    def _unit_cycles(self) -> int:
        by_engine: dict[int, list[tuple[int, int]]] = {}
        for (engine, _), lives in self._lives.items():
            by_engine.setdefault(engine, []).extend(lives)
        return sum(_busy(lives) for lives in by_engine.values())

    def _wave_cycles(self) -> int:
        return sum(end - begin for lives in self._lives.values() for begin, end in lives)

    def occupancy(
        self,
        origin: Origin,
        lives: Sequence[Lives],
        kernels: Mapping[int, str],
        symbol: str | None,
        slots: int | None,
    ) -> AttOccupancy:
        busy = self.busy_cycles()
        mean = self._wave_cycles() / busy if busy else 0.0
        missing: dict[str, str] = {}
        if slots is None:
            reason = "a trace folder does not say how many wave slots a SIMD has"
            missing |= {"wave_slots_per_simd": reason, "share_of_slots": reason}
        arrivals = arrivals_of(lives, kernels, symbol)
        if isinstance(arrivals, str):
            names = ("waves_on_engines", "waves_of_other_kernels", "units_with_waves")
            missing |= dict.fromkeys(names, arrivals)
            own = other = units = None
        else:
            own, other, units = arrivals
        peaks = [highest_overlap(*np.array(spans, np.int64).T) for spans in self._lives.values()]
        return AttOccupancy(
            origin=origin,
            missing=missing,
            simds=self.simds,
            busy_cycles_total=busy,
            waves_per_simd_mean=mean,
            waves_per_simd_peak=max(peaks, default=0),
            wave_slots_per_simd=slots,
            share_of_slots=None if slots is None else mean / slots,
            waves_on_engines=own,
            waves_of_other_kernels=other,
            units_with_waves=units,
        )

    def issue(self, executions: Mapping[str, int], issue_cycles: int) -> AttIssue:
        busy, unit, wave = self.busy_cycles(), self._unit_cycles(), self._wave_cycles()
        executing = sum(union.cycles() for union in self._executing.values())
        return AttIssue(
            instructions_issued=self._instructions,
            issuing_share=_ratio(executing, busy),
            instructions_per_cycle_of_a_simd=_ratio(self._instructions, busy),
            instructions_per_cycle_of_a_unit=_ratio(self._instructions, unit),
            instructions_per_wave_cycle=_ratio(self._instructions, wave),
            issue_slots_used={
                name: _ratio(count * issue_cycles, busy) for name, count in executions.items() if count
            },
            cycles_between_issues=issue_cycles,
        )


def arrivals_of(
    lives: Sequence[Lives], kernels: Mapping[int, str], symbol: str | None
) -> tuple[int, int, tuple[int, ...]] | str:
    """Waves of the kernel and of others on the traced engines, and the kernel's units; or why not."""
    if not lives:
        return "the folder has no occupancy.json"
    own = [number for number, name in kernels.items() if symbol and _same_kernel(name, symbol)]
    if not own:
        return "occupancy.json does not name the kernel of this trace"
    arrived = other = 0
    units: set[int] = set()
    for engine in lives:
        starting = engine.starts != 0
        of_kernel = starting & np.isin(engine.kernel, own)
        arrived += int(of_kernel.sum())
        other += int((starting & ~of_kernel).sum())
        units.update(engine.cu[of_kernel].tolist())
    return arrived, other, tuple(sorted(units))


def _same_kernel(name: str, symbol: str) -> bool:
    return name.removesuffix(".kd") == symbol.removesuffix(".kd")


def _busy(lives: Sequence[tuple[int, int]]) -> int:
    union = Union()
    union.add(*np.array(lives, np.int64).T)
    return union.cycles()


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else 0.0
