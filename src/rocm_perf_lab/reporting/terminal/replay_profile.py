"""Counters of a replayed kernel for the terminal, pass by pass."""

from __future__ import annotations

from collections.abc import Iterator

from rocm_perf_lab.contracts.captures.replay_profile import ReplayPass, ReplayProfileDocument
from rocm_perf_lab.reporting.terminal.att import render as render_att
from rocm_perf_lab.reporting.terminal.printable import printable
from rocm_perf_lab.reporting.words.figures import count, cut, cut_middle, digits, duration

WIDTH = 100
MOST_COUNTERS = 60
MOST_WARNINGS = 4


def render_profile(document: ReplayProfileDocument) -> str:
    text = "".join(cut(printable(line).rstrip(), 2 * WIDTH) + "\n" for line in _lines(document))
    return text + ("\n" + render_att(document.att) if document.att else "")


def _lines(document: ReplayProfileDocument) -> Iterator[str]:
    virtual = "SIMULATED on a virtual" if document.origin == "simulated" else "measured on"
    yield f"{virtual} {document.gpu or 'GPU'}"
    yield f"kernel   {cut_middle(document.kernel, WIDTH - 9)}"
    yield f"capture  {document.capture}"
    times = [one.time_us for one in document.passes if one.time_us is not None]
    same = sum(one.same_state is True for one in document.passes)
    if times:
        took = duration(times[0] / 1e3) + " without counters"
        yield f"passes   {len(document.passes)}, {same} of them left the captured memory; {took}"
    if document.counters:
        yield ""
        yield f"  {'counter':<40}{'value':>20}  pass"
        for one in document.counters[:MOST_COUNTERS]:
            which = _pass(document.passes, one.pass_number)
            yield f"  {cut(one.name, 39):<40}{_value(one.value):>20}  {which}"
        if len(document.counters) > MOST_COUNTERS:
            yield f"  and {len(document.counters) - MOST_COUNTERS} more (--json has all of them)"
    for name, reason in document.dropped.items():
        yield f"  {cut(name, 39):<40}{'-':>20}  {reason}"
    for warning in document.warnings[:MOST_WARNINGS]:
        yield f"warning: {warning}"
    if len(document.warnings) > MOST_WARNINGS:
        yield f"and {count(len(document.warnings) - MOST_WARNINGS, 'warning')} more (--json)"
    if document.folder:
        yield f"kept     {document.folder}"


def _value(value: float) -> str:
    return f"{value:,.0f}" if value == int(value) and abs(value) < 1e15 else digits(value)


def _pass(passes: tuple[ReplayPass, ...], number: int) -> str:
    one = passes[number - 1]
    took = f" ({duration(one.time_us / 1e3)})" if one.time_us is not None else ""
    return f"{number}{took}" + ("" if one.same_state else "  memory differs")
