"""All that is found in one thread trace."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from rocm_perf_lab.analysis.att.checks import FolderChecks, WaveChecks
from rocm_perf_lab.analysis.att.classes import is_exec_branch
from rocm_perf_lab.analysis.att.divergence import Branches, divergence
from rocm_perf_lab.analysis.att.hotspots import Totals, instructions_of, memory_of, mix_of, source_lines_of
from rocm_perf_lab.analysis.att.line_totals import LineTotals
from rocm_perf_lab.analysis.att.residence import (
    ISSUE_CYCLES_GFX9,
    ISSUE_CYCLES_LATER,
    Residence,
)
from rocm_perf_lab.analysis.att.samples import sampled_lines_of, samples_of
from rocm_perf_lab.analysis.att.states import States
from rocm_perf_lab.analysis.att.waits import WaveWaits
from rocm_perf_lab.contracts.profiling.att import AttAnalysis, AttCheck, AttOccupancy
from rocm_perf_lab.contracts.section import Origin
from rocm_perf_lab.thread_trace.rows import CodeLine, ThreadTrace, Wave

UNKNOWN_ORIGIN = (
    "the raw trace is not beside the folder, so that it cannot be told whether a GPU or the simulator made it"
)
END_OF_WAVE = "s_endpgm"
_NOT_TRACED = {
    "pc-sampling": "PC sampling tells where waves were found, not what each of them did",
    "statistics": "a table of statistics has totals of instructions only",
}
_FROM_WAVES = ("states", "over_time", "occupancy", "issue", "divergence", "begin_cycles", "end_cycles")


@dataclass(frozen=True)
class TraceContext:
    """What the one who asks knows beside the folder."""

    wave_slots_per_simd: int | None = None
    grid: tuple[int, int, int] | None = None
    block: tuple[int, int, int] | None = None
    source_files: Mapping[str, Sequence[str]] = field(default_factory=dict)


def analyze(trace: ThreadTrace, waves: Iterable[Wave], known: TraceContext) -> AttAnalysis:
    """Looks at the waves one after the other and keeps none of them."""
    return _Analysis(trace, known).run(waves)


class _Analysis:
    def __init__(self, trace: ThreadTrace, known: TraceContext) -> None:
        self.trace, self.known = trace, known
        self.origin: Origin = "simulated" if trace.simulated else "measured"
        self.issue_cycles = ISSUE_CYCLES_GFX9 if trace.is_gfx9 else ISSUE_CYCLES_LATER
        self.totals = LineTotals(trace.code)
        self.states = States(trace.manifest.waves)
        self.residence = Residence()
        self.waits = WaveWaits(self.issue_cycles, {line.number: line.text for line in trace.code})
        self.branches = Branches(np.array([is_exec_branch(line.text) for line in trace.code], bool))
        self.checks = WaveChecks(trace)
        self.label = next((line for line in trace.code if line.is_label), None)

    def run(self, waves: Iterable[Wave]) -> AttAnalysis:
        count, cut, begin, end = 0, 0, None, None
        ends = [line.number for line in self.trace.code if line.text.startswith(END_OF_WAVE)]
        for wave in waves:
            places, known = self.totals.add(wave)
            for part in (self.states, self.residence, self.waits):
                part.add(wave)
            self.branches.add(wave, places, known)
            self.checks.add(wave, places, known)
            begin = wave.begin if begin is None else min(begin, wave.begin)
            end = wave.end if end is None else max(end, wave.end)
            count += 1
            cut += not len(wave.line) or wave.line[-1] not in ends
        code, missing = self.trace.code, self._missing(count)
        instructions = instructions_of(code, self._line_totals(count))
        mix = mix_of(instructions)
        executions = {instruction.line: instruction.executions for instruction in instructions}
        by_class = {str(item.instruction_class): item.executions for item in mix}
        checks = self._checks(count)
        sampled = self._is_sampled()
        return AttAnalysis(
            origin=self.origin,
            missing=missing,
            folder=str(self.trace.path),
            kind=self.trace.kind,
            agent=self.trace.agent,
            dispatch=self.trace.dispatch,
            kernel=self._kernel(),
            grid=self.known.grid,
            block=self.known.block,
            format_version=self.trace.manifest.version,
            gfx_generation=self.trace.manifest.gfxip,
            waves=count,
            waves_cut=int(cut),
            begin_cycles=begin,
            end_cycles=end,
            states=self.states.totals() if count else None,
            over_time=self.states.over_time() if count else None,
            occupancy=self._occupancy() if count else None,
            issue=self.residence.issue(by_class, self.issue_cycles) if count else None,
            divergence=divergence(self.origin, self.branches, self.trace.counter_sums) if count else None,
            mix=mix,
            instructions=instructions,
            source_lines=source_lines_of(instructions, self.known.source_files),
            cost_share_without_source=sum(one.cost_share for one in instructions if one.source is None),
            memory=memory_of(code, executions, self.waits.operations),
            samples=samples_of(code) if sampled else None,
            sampled_lines=sampled_lines_of(code) if sampled else (),
            checks=checks,
            warnings=self._warnings(count, checks),
        )

    def _line_totals(self, waves: int) -> list[Totals]:
        """From the waves, where there are any: code.json says the same, or a check tells."""
        if not waves:
            return [Totals(line.hits, line.latency, line.stall, line.idle) for line in self.trace.code]
        operations, moved = self.waits.operations, self.waits.moved_away
        return [
            Totals(
                executions=int(self.totals.executions[place]),
                latency=int(self.totals.latency[place]),
                stall=int(self.totals.stall[place]),
                idle=int(self.totals.idle[place]),
                moved_away=moved[line.number],
                charged=operations[line.number].charged if line.number in operations else 0,
            )
            for place, line in enumerate(self.trace.code)
        ]

    def _is_sampled(self) -> bool:
        return any(line.samples for line in self.trace.code)

    def _kernel(self) -> str | None:
        if self.label:
            return self.label.source or self._symbol(self.label)
        names = [name for number, name in self.trace.kernels.items() if number]
        return names[0] if len(names) == 1 else None

    @staticmethod
    def _symbol(label: CodeLine) -> str:
        return label.text.removeprefix("; ")

    def _occupancy(self) -> AttOccupancy:
        symbol = self._symbol(self.label) if self.label else None
        return self.residence.occupancy(
            self.origin, self.trace.lives, self.trace.kernels, symbol, self.known.wave_slots_per_simd
        )

    def _missing(self, waves: int) -> dict[str, str]:
        trace, known = self.trace, self.known
        reasons: dict[str, tuple[object, str]] = {
            "agent": (trace.agent, "the folder's name does not say"),
            "dispatch": (trace.dispatch, "the folder's name does not say"),
            "kernel": (self._kernel(), "the trace does not name it"),
            "grid": (known.grid, "a trace folder does not say how the kernel was launched"),
            "block": (known.block, "a trace folder does not say how the kernel was launched"),
            "format_version": (trace.manifest.version, "the folder does not say"),
            "gfx_generation": (trace.manifest.gfxip, "the folder does not say"),
        }
        missing = {name: reason for name, (value, reason) in reasons.items() if value is None}
        if not waves:
            missing |= dict.fromkeys(_FROM_WAVES, _NOT_TRACED.get(trace.kind) or self.no_waves())
        if not self._is_sampled():
            missing["samples"] = "the folder has no samples of program counters"
        return missing

    def no_waves(self) -> str:
        """Why a thread trace can be empty, as far as its folder tells."""
        where = sorted({int(cu) for engine in self.trace.lives for cu in engine.cu[engine.starts != 0]})
        if where:
            units = ", ".join(map(str, where))
            return f"no wave came to the traced compute unit; waves were on units {units} (--att-target-cu)"
        return "no wave came to the traced compute unit (--att-target-cu, --att-shader-engine-mask)"

    def _checks(self, waves: int) -> tuple[AttCheck, ...]:
        if not waves:
            return ()
        between = FolderChecks(self.trace, self.totals, self.states, self.waits)
        return (*between.results(), *self.checks.results())

    def _warnings(self, waves: int, checks: Sequence[AttCheck]) -> tuple[str, ...]:
        warnings = [] if self.trace.simulated is not None else [UNKNOWN_ORIGIN]
        if not waves and self.trace.kind == "thread-trace":
            warnings.append(self.no_waves())
        warnings += [
            f"the files of the folder disagree: {check.name}: {check.detail}"
            for check in checks
            if not check.passed
        ]
        return tuple(warnings)
