"""Thread traces on one screen: states, mix, and where the time goes, by instruction and by source line."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path

from rocm_perf_lab.contracts.profiling.att import AttAnalysis, AttDocument, AttInstruction, AttOverTime
from rocm_perf_lab.reporting.words.figures import count, cut, cut_middle, digits, percent
from rocm_perf_lab.reporting.words.kernel_names import short_name

WIDTH = 80
LINES = 23  # of 24: the prompt needs one
MOST_HOTSPOTS = 12
MOST_OTHERS = 3
WORTH_SHOWING = 0.05
LABEL = 11
MOST_CLASSES = 8
MOST_WARNINGS = 2
NAME = 48
_BARS = " ▁▂▃▄▅▆▇█"
_PLACE = 22  # of a source line: file and number


def render(document: AttDocument, top: int | None = None, width: int = WIDTH) -> str:
    """The dispatch with most wave time; of the others one line each. ``top``: hotspots, else what fits."""
    dispatches = document.dispatches
    below = _warnings(document.warnings, width)
    if not dispatches:
        return _text(["no dispatch was traced", *below], width)
    chosen = max(dispatches, key=_weight)
    others = [one for one in dispatches if one is not chosen]
    if others:
        below += ["", *_others(others)]
    for hotspots in [top] if top else range(MOST_HOTSPOTS, 0, -1):
        lines = [*_dispatch(chosen, hotspots, width), *below]
        if len(lines) <= LINES:
            break
    return _text(lines, width)


def _text(lines: Sequence[str], width: int) -> str:
    return "".join(cut(_printable(line), width).rstrip() + "\n" for line in lines)


def _weight(analysis: AttAnalysis) -> int:
    if analysis.states:
        return analysis.states.wave_cycles_total
    return sum(line.samples_issued + line.samples_stalled for line in analysis.sampled_lines) or sum(
        line.latency_cycles_total for line in analysis.instructions
    )


def _printable(line: str) -> str:
    """Names and sources come from outside: nothing in them steers the terminal."""
    return "".join(letter if letter.isprintable() else "?" for letter in line)


def _dispatch(analysis: AttAnalysis, top: int, width: int) -> list[str]:
    lines = [_head(analysis), *_labelled("kernel", _kernel(analysis, NAME), width)]
    if analysis.waves:
        lines += [*_states(analysis, width), *_issue(analysis, width)]
    lines += [*_mix(analysis, width), *_memory(analysis, width)]
    if analysis.kind == "pc-sampling" and analysis.samples:
        lines += ["", *_samples(analysis, top, width)]
    elif any(line.cost_cycles_total for line in analysis.instructions):
        lines += ["", *_hotspots(analysis, top, width), *_source_lines(analysis, top, width)]
    return [*lines, *_warnings(analysis.warnings, width)]


def _kernel(analysis: AttAnalysis, width: int) -> str:
    return short_name(analysis.kernel, width) if analysis.kernel else "not named by the trace"


def _warnings(warnings: Sequence[str], width: int) -> list[str]:
    lines = []
    for warning in warnings[:MOST_WARNINGS]:
        lines += _labelled("warning", warning, width)
    if len(warnings) > MOST_WARNINGS:
        lines += _labelled("", f"{len(warnings) - MOST_WARNINGS} more are in att.json", width)
    return lines


def _head(analysis: AttAnalysis) -> str:
    made = "SIMULATED" if analysis.origin == "simulated" else "measured"
    what = {"thread-trace": "thread trace", "pc-sampling": "PC sampling", "statistics": "statistics"}
    dispatch = f" of dispatch {analysis.dispatch}" if analysis.dispatch is not None else ""
    waves = f": {count(analysis.waves, 'wave')}" if analysis.kind == "thread-trace" else ""
    if analysis.waves_cut:
        waves += f" ({analysis.waves_cut} cut)"
    if analysis.occupancy and analysis.begin_cycles is not None and analysis.end_cycles is not None:
        clocks = analysis.end_cycles - analysis.begin_cycles
        waves += f" on {count(analysis.occupancy.simds, 'SIMD')} in {clocks} clocks"
    return f"{made} {what[analysis.kind]}{dispatch}{waves}"


def _labelled(label: str, text: str, width: int) -> list[str]:
    folded = textwrap.wrap(text, width - LABEL) or [""]
    return [f"{'' if place else label:<{LABEL}}{part}" for place, part in enumerate(folded)]


def _states(analysis: AttAnalysis, width: int) -> list[str]:
    states, occupancy = analysis.states, analysis.occupancy
    assert states
    assert occupancy
    shares = (
        f"executing {percent(states.executing_share)}, waiting {percent(states.waiting_share)}, "
        f"stalled {percent(states.stalled_share)}, idle {percent(states.idle_share)}"
    )
    held = f"{digits(occupancy.waves_per_simd_mean)} waves on a SIMD, at most {occupancy.waves_per_simd_peak}"
    if occupancy.share_of_slots is not None:
        held += f" ({percent(occupancy.share_of_slots)} of {occupancy.wave_slots_per_simd} slots)"
    lines = [*_labelled("waves", shares, width), *_labelled("resident", held, width)]
    if analysis.over_time:
        lines += _labelled("over time", _graph(analysis.over_time, width - LABEL), width)
    return lines


def _graph(over_time: AttOverTime, width: int) -> str:
    """Resident waves, one column for each part of the time."""
    waves = over_time.resident_waves
    columns = min(width - 2, len(waves))
    most = max(waves, default=0.0)
    if most <= 0:
        return ""
    picked = [waves[place * len(waves) // columns] for place in range(columns)]
    steps = len(_BARS) - 1
    return "|" + "".join(_BARS[min(steps, -int(-value / most * steps // 1))] for value in picked) + "|"


def _issue(analysis: AttAnalysis, width: int) -> list[str]:
    issue = analysis.issue
    assert issue
    text = (
        f"in {percent(issue.issuing_share)} of the clocks of a SIMD; "
        f"{digits(issue.instructions_per_cycle_of_a_simd)} instructions a clock"
    )
    lanes = analysis.divergence and analysis.divergence.active_lanes_mean
    if lanes:
        text += f"; {digits(lanes)} lanes active"
    return _labelled("issue", text, width)


def _mix(analysis: AttAnalysis, width: int) -> list[str]:
    if not analysis.mix:
        return []
    shown = [f"{one.instruction_class} {percent(one.share_of_executions)}" for one in analysis.mix]
    rest = f" and {len(shown) - MOST_CLASSES} more" if len(shown) > MOST_CLASSES else ""
    return _labelled("executed", ", ".join(shown[:MOST_CLASSES]) + rest, width)


def _memory(analysis: AttAnalysis, width: int) -> list[str]:
    """The operation that is waited for longest."""
    if not analysis.memory or not analysis.memory[0].wait_stall_cycles_total:
        return []
    worst = analysis.memory[0]
    text = (
        f"{cut(worst.text, 40)}: {digits(worst.issue_to_wait_end_cycles_mean)} clocks from issue to the end "
        f"of its wait, {digits(worst.wait_stall_cycles_per_execution)} of them stalled"
    )
    return _labelled("slowest", text, width)


def _hotspots(analysis: AttAnalysis, top: int, width: int) -> list[str]:
    """Cost of instructions, with the stall of waits at what they wait for."""
    costly = sorted(analysis.instructions, key=lambda one: (-one.cost_cycles_total, one.line))
    room = width - 6 - 9 - 11 - 9 - _PLACE
    head = f"{'cost':>6}{'runs':>9}{'clocks/run':>11}{'of stall':>9}  {'instruction':<{room - 2}}source"
    return [head, *(_hotspot(one, room) for one in costly[:top] if one.cost_cycles_total)]


def _hotspot(one: AttInstruction, room: int) -> str:
    """Clocks are per execution: all that it costs, and the stall in it, its own and that of waits for it."""
    runs = max(one.executions, 1)
    each = one.cost_cycles_total / runs
    stalling = one.stall_cycles_caused_total / runs
    return (
        f"{percent(one.cost_share):>6}{one.executions:>9}{digits(each):>11}{digits(stalling):>9}  "
        f"{cut(one.text, room - 3):<{room - 2}}{_place(one.source)}"
    )


def _place(source: str | None) -> str:
    """File and number; the number is never cut."""
    if not source:
        return "-"
    path, _, number = source.rpartition(":")
    file = (path or source).replace("\\", "/").rpartition("/")[2]
    return f"{cut_middle(file, _PLACE - len(number) - 1)}:{number}"


def _source_lines(analysis: AttAnalysis, top: int, width: int) -> list[str]:
    shown = [line for line in analysis.source_lines[: max(top // 2, 1)] if line.cost_cycles_total]
    if not shown:
        return ["", *_labelled("sources", "not known: compile with -g to see source lines", width)]
    lines = ["", f"{'cost':>6}  {'source line':<{_PLACE}}"]
    for line in shown:
        text = line.text if line.text is not None else "(no copy of the file)"
        lines.append(f"{percent(line.cost_share):>6}  {_place(line.source):<{_PLACE}} {text}")
    without = analysis.cost_share_without_source
    if without >= WORTH_SHOWING:
        lines.append(f"{percent(without):>6}  {'-':<{_PLACE}} instructions without a source line")
    return lines


def _samples(analysis: AttAnalysis, top: int, width: int) -> list[str]:
    found = analysis.samples
    assert found
    reasons = sorted(found.stall_reasons.items(), key=lambda item: -item[1])
    text = f"{found.issued} issued, {found.stalled} stalled"
    if reasons:
        text += ": " + ", ".join(f"{name} {number}" for name, number in reasons[:5])
    lines = _labelled("samples", text, width)
    lines.append(f"{'share':>6}{'issued':>9}{'stalled':>9}  instruction")
    for line in analysis.sampled_lines[:top]:
        lines.append(
            f"{percent(line.share_of_samples):>6}{line.samples_issued:>9}{line.samples_stalled:>9}  "
            f"{cut(line.text, 28):<29}{_place(line.source)}"
        )
    return lines


def _others(others: Sequence[AttAnalysis]) -> list[str]:
    lines = ["other traces (give their folder to see one):"]
    shown = sorted(others, key=lambda one: (-_weight(one), one.folder))[:MOST_OTHERS]
    for one in shown:
        states = f"{percent(one.states.executing_share)} executing" if one.states else "no waves"
        name = _kernel(one, 30)
        folder = Path(one.folder).name
        lines.append(f"  {folder}  {name}  {count(one.waves, 'wave')}, {states}")
    if len(others) > len(shown):
        lines.append(f"  and {len(others) - len(shown)} more")
    return lines
