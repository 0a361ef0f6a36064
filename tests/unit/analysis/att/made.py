"""Waves and traces made in memory, with totals and timelines computed by plain loops."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from rocm_perf_lab.analysis.att.analyze import TraceContext, analyze
from rocm_perf_lab.contracts.profiling.att import AttAnalysis, AttInstruction
from rocm_perf_lab.thread_trace.rows import CodeLine, Manifest, State, ThreadTrace, Wave, WaveFile

Row = tuple[int, int, int, int, int]  # time, category, stall, duration, line
IMMED = 9


def timeline_of(rows: Sequence[Row], begin: int, end: int) -> list[tuple[int, int]]:
    made: list[tuple[int, int]] = []
    reached = begin
    for time, category, stall, duration, _ in rows:
        made.append((State.IDLE, max(0, time - reached)))
        issue = max(reached, time + stall)
        made.append((State.WAIT if category == IMMED else State.STALL, issue - max(reached, time)))
        reached = max(reached, time)
        made.append((State.EXEC, max(0, time + duration - issue)))
        reached = max(reached, issue, time + duration)
    made.append((State.IDLE, end - reached))
    return [(int(state), cycles) for state, cycles in made if cycles > 0]


def wave_of(
    rows: Sequence[Row],
    begin: int,
    end: int,
    waits: Sequence[tuple[int, Sequence[int]]] = (),
    simd: int = 0,
    slot: int = 0,
    engine: int = 0,
    timeline: Sequence[tuple[int, int]] | None = None,
) -> Wave:
    table = np.array(rows, np.int64).reshape(-1, 5)
    states = timeline_of(rows, begin, end) if timeline is None else timeline
    return Wave(
        file=WaveFile(f"se{engine}_sm{simd}_sl{slot}_wv0.json", engine, simd, slot, 0, begin, end),
        cu=1,
        begin=begin,
        end=end,
        duration=end - begin,
        count=len(rows),
        time=table[:, 0],
        category=table[:, 1],
        stall=table[:, 2],
        cycles=table[:, 3],
        line=table[:, 4],
        timeline=np.array(states, np.int64).reshape(-1, 2),
        waits=tuple((line, tuple(causes)) for line, causes in waits),
    )


def code_of(texts: Sequence[str], waves: Sequence[Wave]) -> tuple[CodeLine, ...]:
    """A listing; line 0 is the label of the kernel, and line n comes from k.hip:n, but line 6 from none."""
    totals = [[0, 0, 0, 0] for _ in range(len(texts) + 1)]
    for wave in waves:
        reached = wave.begin
        for time, stall, duration, line in zip(
            *(column.tolist() for column in (wave.time, wave.stall, wave.cycles, wave.line)), strict=True
        ):
            idle = max(0, time - reached)
            for place, value in enumerate((1, duration, stall, idle)):
                totals[line][place] += value
            reached = max(reached, time + duration)
    label = CodeLine(0, "; _Z1kPf", "k(float*)", 1, 256, 0, 0, 0, 0)
    return (
        label,
        *(
            CodeLine(
                number, text, f"/src/k.hip:{number}" * (number != 6), 1, 256 + 4 * number, *totals[number]
            )
            for number, text in enumerate(texts, 1)
        ),
    )


def trace_of(texts: Sequence[str], waves: Sequence[Wave], gfxip: int = 9, **others: Any) -> ThreadTrace:
    return ThreadTrace(
        path=Path("ui_output_agent_2_dispatch_1"),
        kind="thread-trace",
        manifest=Manifest(
            version="3.0.0",
            gfxip=gfxip,
            family="vega" if gfxip == 9 else "navi",
            counters=(),
            waves=tuple(wave.file for wave in waves),
            thread_trace=True,
            pc_sampling=False,
        ),
        code=code_of(texts, waves),
        simulated=False,
        agent=2,
        dispatch=1,
        **others,
    )


def analyzed(
    texts: Sequence[str],
    waves: Sequence[Wave],
    gfxip: int = 9,
    known: TraceContext | None = None,
    **others: Any,
) -> AttAnalysis:
    return analyze(trace_of(texts, waves, gfxip, **others), waves, known or TraceContext())


def line(analysis: AttAnalysis, number: int) -> AttInstruction:
    (found,) = [one for one in analysis.instructions if one.line == number]
    return found
