"""A suite of captures as JUnit XML: a test case for each capture."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator

from rocm_perf_lab.contracts.captures.suite import SuiteCase, SuiteDocument
from rocm_perf_lab.contracts.captures.validation import BufferReport
from rocm_perf_lab.reporting.formats.junit_file import clean, to_text
from rocm_perf_lab.reporting.words.compare_figures import change, interval

SUITE = "rocm-perf suite"
MOST_BUFFERS = 6


def render(document: SuiteDocument) -> str:
    suite = ElementTree.Element("testsuite", name=SUITE, time=f"{document.seconds:.3f}")
    for case in document.cases:
        _case(suite, case)
    return to_text(suite)


def _case(suite: ElementTree.Element, case: SuiteCase) -> None:
    element = ElementTree.SubElement(
        suite, "testcase", classname=SUITE, name=clean(case.name), time=f"{case.seconds:.3f}"
    )
    lines = "\n".join(clean(line) for line in _lines(case))
    if case.status in ("failed", "regression"):
        kind = "validation" if case.status == "failed" else "regression"
        found = ElementTree.SubElement(element, "failure", message=clean(case.reason), type=kind)
        found.text = lines
    elif case.error is not None:
        found = ElementTree.SubElement(element, "error", message=clean(case.reason), type=case.error.kind)
        found.text = lines
    else:
        ElementTree.SubElement(element, "system-out").text = lines


def _lines(case: SuiteCase) -> Iterator[str]:
    if case.kernel is not None:
        yield f"kernel: {case.kernel}"
    yield f"capture: {case.capture}"
    if case.status == "passed":
        yield case.reason  # of the others it is the message
    if case.error is not None and case.error.remedy:
        yield f"try: {case.error.remedy}"
    if case.time is not None:
        summary = f"{case.time.verdict} {change(case.time)} ({interval(case.time)})"
        yield f"time: {summary}, against the {case.against}: {case.time.reason}"
    elif case.samples_ms:
        yield f"time: not compared: {case.missing['time']}"
    if case.validation is not None:
        differing = case.validation.self_replay.buffers
        if case.validation.variant is not None:
            differing += case.validation.variant.buffers
        yield from map(_buffer, differing[:MOST_BUFFERS])


def _buffer(one: BufferReport) -> str:
    words = f"{one.name}: {one.differing_elements} of {one.elements} elements differ"
    if one.first is None:
        return words
    place = f"element {one.first.index}{one.first.field}"
    return f"{words}; first: {place} should be {one.first.expected}, is {one.first.got}"
