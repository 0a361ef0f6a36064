"""Traced code as plain data: instructions and source lines with what they cost, for each traced dispatch."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rocm_perf_lab.contracts.profiling.att import AttAnalysis, AttDocument
from rocm_perf_lab.reporting.words.figures import count, digits, percent
from rocm_perf_lab.reporting.words.kernel_names import short_name

MOST_DISPATCHES = 8
MOST_LINES = 3000
MOST_TEXT = 160
NAME_WIDTH = 48

ABSENT = "no thread trace is in this run"


@dataclass(frozen=True)
class SourceLine:
    place: str
    """path:line."""
    text: str | None
    share: float
    """Of the cost of all instructions; of samples where the program counter was sampled."""


@dataclass(frozen=True)
class ListingLine:
    number: int
    text: str
    kind: str
    source: int
    """Index into the dispatch's sources; -1 where none is known."""
    figures: tuple[float | None, ...]
    """As the dispatch's columns."""
    share: float


@dataclass(frozen=True)
class TracedCode:
    title: str
    kernel: str | None
    facts: tuple[str, ...]
    states: tuple[tuple[str, float], ...]
    """What the waves did: (state, share of their time)."""
    mix: tuple[tuple[str, float, float], ...]
    """(class, share of executions, share of cost)."""
    columns: tuple[str, ...]
    lines: tuple[ListingLine, ...]
    sources: tuple[SourceLine, ...]
    """By place."""
    left_out: str | None
    warnings: tuple[str, ...]


@dataclass(frozen=True)
class CodeView:
    dispatches: tuple[TracedCode, ...]
    missing: str | None
    warnings: tuple[str, ...]


def code_view(att: AttDocument | None) -> CodeView:
    if att is None or not att.dispatches:
        return CodeView((), ABSENT, att.warnings if att else ())
    return CodeView(tuple(_traced(one) for one in att.dispatches[:MOST_DISPATCHES]), None, att.warnings)


def _traced(analysis: AttAnalysis) -> TracedCode:
    sampled = analysis.kind == "pc-sampling"
    sources, number_of = _sources(analysis)
    lines = tuple(_sampled_lines(analysis, number_of) if sampled else _lines(analysis, number_of))
    kept, left_out = _those_that_matter(lines)
    return TracedCode(
        title=_title(analysis),
        kernel=analysis.kernel,
        facts=tuple(_facts(analysis)),
        states=_states(analysis),
        mix=tuple((one.instruction_class, one.share_of_executions, one.cost_share) for one in analysis.mix),
        columns=("issued", "stalled")
        if sampled
        else ("runs", "clocks/run", "of it stall", "idle before", "stall caused"),
        lines=kept,
        sources=sources,
        left_out=left_out,
        warnings=(
            *analysis.warnings,
            *(f"{check.name}: {check.detail}" for check in analysis.checks if not check.passed),
        ),
    )


def _title(analysis: AttAnalysis) -> str:
    name = short_name(analysis.kernel, NAME_WIDTH) if analysis.kernel else "kernel without a name"
    number = "" if analysis.dispatch is None else f", dispatch {analysis.dispatch}"
    shape = f", grid {'×'.join(map(str, analysis.grid))}" if analysis.grid else ""
    return f"{name}{number}{shape}"


def _facts(analysis: AttAnalysis) -> Iterator[str]:
    if analysis.waves:
        yield f"{count(analysis.waves, 'traced wave')}"
    if analysis.occupancy:
        slots = analysis.occupancy.wave_slots_per_simd
        of = f" of {slots}" if slots else ""
        yield f"{digits(analysis.occupancy.waves_per_simd_mean)}{of} waves on a SIMD while it is busy"
    if analysis.issue:
        yield f"{digits(analysis.issue.instructions_per_cycle_of_a_simd)} instructions per clock of a SIMD"
    if analysis.divergence and analysis.divergence.active_lanes_mean is not None:
        yield f"{digits(analysis.divergence.active_lanes_mean)} active lanes of a vector instruction"
    if analysis.cost_share_without_source and analysis.source_lines:
        yield f"{percent(analysis.cost_share_without_source)} of the cost has no source line"
    if analysis.samples:
        yield f"{analysis.samples.issued:,} samples issued, {analysis.samples.stalled:,} stalled"


def _states(analysis: AttAnalysis) -> tuple[tuple[str, float], ...]:
    states = analysis.states
    if states is None:
        return ()
    return (
        ("executing", states.executing_share),
        ("waiting", states.waiting_share),
        ("stalled", states.stalled_share),
        ("idle", states.idle_share),
    )


def _sources(analysis: AttAnalysis) -> tuple[tuple[SourceLine, ...], dict[str, int]]:
    lines = {
        one.source: SourceLine(one.source, _cut(one.text), one.cost_share) for one in analysis.source_lines
    }
    for sampled in analysis.sampled_lines:
        if sampled.source:
            before = lines.get(sampled.source)
            share = sampled.share_of_samples + (before.share if before else 0.0)
            lines[sampled.source] = SourceLine(sampled.source, before.text if before else None, share)
    by_place = sorted(lines.values(), key=lambda line: _place(line.place))
    return tuple(by_place), {line.place: number for number, line in enumerate(by_place)}


def _place(source: str) -> tuple[str, int]:
    path, _, number = source.rpartition(":")
    return path, int(number) if number.isdigit() else 0


def _lines(analysis: AttAnalysis, number_of: dict[str, int]) -> Iterator[ListingLine]:
    for one in analysis.instructions:
        yield ListingLine(
            number=one.line,
            text=_cut(one.text) or "",
            kind=one.instruction_class,
            source=number_of.get(one.source or "", -1),
            figures=(
                one.executions,
                one.latency_cycles_per_execution,
                one.of_which_stall_cycles_per_execution,
                one.idle_before_cycles_per_execution,
                one.stall_cycles_caused_total,
            ),
            share=one.cost_share,
        )


def _sampled_lines(analysis: AttAnalysis, number_of: dict[str, int]) -> Iterator[ListingLine]:
    for one in sorted(analysis.sampled_lines, key=lambda line: line.line):
        yield ListingLine(
            number=one.line,
            text=_cut(one.text) or "",
            kind=one.instruction_class,
            source=number_of.get(one.source or "", -1),
            figures=(one.samples_issued, one.samples_stalled),
            share=one.share_of_samples,
        )


def _those_that_matter(lines: tuple[ListingLine, ...]) -> tuple[tuple[ListingLine, ...], str | None]:
    """All of them while they are few; else those that cost most, in their order."""
    if len(lines) <= MOST_LINES:
        return lines, None
    costly = {id(line) for line in sorted(lines, key=lambda line: -line.share)[:MOST_LINES]}
    told = f"{len(lines) - MOST_LINES:,} of {len(lines):,} instructions are left out: those that cost least"
    share = sum(line.share for line in lines if id(line) not in costly)
    return tuple(line for line in lines if id(line) in costly), f"{told}, {percent(share)} together"


def _cut(text: str | None) -> str | None:
    return text if text is None or len(text) <= MOST_TEXT else text[: MOST_TEXT - 1] + "…"
