"""A suite of captures for the terminal: a line for each, and what is wrong with those that did not pass."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rocm_perf_lab.contracts.captures.suite import SuiteCase, SuiteDocument
from rocm_perf_lab.reporting.terminal.lines import as_text, labelled
from rocm_perf_lab.reporting.words.compare_figures import change, interval
from rocm_perf_lab.reporting.words.figures import count, cut_middle, duration
from rocm_perf_lab.reporting.words.kernel_names import short_name

NAME, KERNEL, INDENT = 30, 24, 4
WORDS = {"passed": "passed", "regression": "REGRESSION", "failed": "FAILED", "error": "ERROR"}


def render(document: SuiteDocument, folder: Path) -> str:
    return as_text(_lines(document, folder))


def _lines(document: SuiteDocument, folder: Path) -> Iterator[str]:
    simulated = "SIMULATED  " if document.origin == "simulated" else ""
    counted = ", ".join(f"{number} {WORDS[status]}" for status, number in document.counts.items())
    yield f"{simulated}{count(len(document.cases), 'capture')}: {counted}, in {document.seconds:.0f} s"
    if document.baseline is not None:
        yield f"baseline {document.baseline}, regressions beyond {document.fail_on_regression:.1%}"
    yield ""
    yield f"{'capture':<{NAME}}{'kernel':<{KERNEL}}{'GPU time':>10}{'change':>9}  {'interval':<18}result"
    for case in document.cases:
        yield _row(case)
    for case in document.cases:
        if case.status != "passed":
            yield ""
            yield from _explained(case)
    if document.machines or document.warnings:
        yield ""
    for machine in document.machines:
        yield f"machine {machine.name}: {'used' if machine.used else 'NOT USED'}, {machine.reason}"
    for warning in document.warnings:
        yield f"warning: {warning}"
    yield ""
    yield f"{folder}/suite.json has all of it, and can be the --baseline of a later run"


def _row(case: SuiteCase) -> str:
    time = case.time
    took = duration(sum(case.samples_ms) / len(case.samples_ms)) if case.samples_ms else "-"
    changed, within = (change(time), interval(time)) if time is not None else ("", "")
    kernel = short_name(case.kernel, KERNEL - 2) if case.kernel is not None else "-"
    ending = WORDS[case.status]
    if time is not None and case.status == "passed":
        ending += f", {time.verdict}"
    name = cut_middle(case.name, NAME - 2)
    return f"{name:<{NAME}}{kernel:<{KERNEL}}{took:>10}{changed:>9}  {within:<18}{ending}"


def _explained(case: SuiteCase) -> Iterator[str]:
    yield f"{WORDS[case.status]} {case.name}"
    indent = " " * INDENT
    yield from labelled(indent, case.reason, INDENT)
    if case.error is not None and case.error.remedy:
        yield from labelled(indent, f"try: {case.error.remedy}", INDENT)
    if case.status == "failed":
        variant = f" --hsaco {case.variant}" if case.variant is not None else ""
        command = f"rocm-perf replay validate {case.capture}{variant}"
        yield from labelled(indent, f"what differs: {command}", INDENT)
