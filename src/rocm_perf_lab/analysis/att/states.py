"""What waves do while they live: in total, and over time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rocm_perf_lab.analysis.att.spans import Parts
from rocm_perf_lab.contracts.profiling.att import AttOverTime, AttStates
from rocm_perf_lab.thread_trace.rows import State, Wave, WaveFile

# Of the traced time: fine enough for a graph, few enough for a document.
PARTS = 100


class States:
    def __init__(self, files: Sequence[WaveFile]) -> None:
        begin = min((file.begin for file in files), default=0)
        end = max((file.end for file in files), default=0)
        self._resident = Parts(begin, end, PARTS)
        self._parts = {state: Parts(begin, end, PARTS) for state in State}
        self.cycles: dict[State, int] = dict.fromkeys(State, 0)

    def add(self, wave: Wave) -> None:
        self._resident.add(np.array([wave.begin]), np.array([wave.end]))
        reached = wave.begin + np.cumsum(wave.timeline[:, 1])
        for state in State:
            there = wave.timeline[:, 0] == state
            cycles = wave.timeline[there, 1]
            self.cycles[state] += int(cycles.sum())
            self._parts[state].add(reached[there] - cycles, reached[there])

    def totals(self) -> AttStates:
        total = sum(self.cycles.values())

        def share(state: State) -> float:
            return self.cycles[state] / total if total else 0.0

        return AttStates(
            wave_cycles_total=total,
            idle_cycles_total=self.cycles[State.IDLE],
            executing_cycles_total=self.cycles[State.EXEC],
            waiting_cycles_total=self.cycles[State.WAIT],
            stalled_cycles_total=self.cycles[State.STALL],
            empty_cycles_total=self.cycles[State.EMPTY],
            idle_share=share(State.IDLE),
            executing_share=share(State.EXEC),
            waiting_share=share(State.WAIT),
            stalled_share=share(State.STALL),
            empty_share=share(State.EMPTY),
        )

    def over_time(self) -> AttOverTime:
        return AttOverTime(
            begin_cycles=self._resident.begin,
            part_cycles=self._resident.width,
            resident_waves=self._resident.means(),
            executing_waves=self._parts[State.EXEC].means(),
            waiting_waves=self._parts[State.WAIT].means(),
            stalled_waves=self._parts[State.STALL].means(),
            idle_waves=self._parts[State.IDLE].means(),
        )
