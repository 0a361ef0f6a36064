"""A comparison as JUnit XML, as CI systems show it: a test case for the total and for each kernel."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

from rocm_perf_lab.contracts.profiling.comparison import ComparisonDocument, TimeComparison
from rocm_perf_lab.reporting.formats.junit_file import clean, to_text
from rocm_perf_lab.reporting.words.compare_figures import change, interval, resource_changes

SUITE = "rocm-perf compare"


def render(document: ComparisonDocument) -> str:
    suite = ElementTree.Element("testsuite", name=SUITE)
    _case(suite, "total", document.total, "total" in document.regressions, [])
    for kernel in document.kernels:
        if kernel.time is not None:
            _case(suite, kernel.name, kernel.time, kernel.regression, resource_changes(kernel))
        else:
            case = ElementTree.SubElement(suite, "testcase", classname=SUITE, name=clean(kernel.name))
            ElementTree.SubElement(
                case, "skipped", message=f"{kernel.status} kernel: nothing to compare with"
            )
    return to_text(suite)


def _case(
    suite: ElementTree.Element, name: str, time: TimeComparison, regression: bool, resources: list[str]
) -> None:
    case = ElementTree.SubElement(
        suite, "testcase", classname=SUITE, name=clean(name), time=f"{time.new_ms / 1e3:.9f}"
    )
    summary = f"{time.verdict} {change(time)} ({interval(time)})"
    if regression:
        failure = ElementTree.SubElement(case, "failure", message=summary, type="regression")
        failure.text = "\n".join((time.reason, *resources))
        return
    if time.verdict == "undecided":
        ElementTree.SubElement(case, "skipped", message=f"undecided: {time.reason}")
    output = ElementTree.SubElement(case, "system-out")
    output.text = "\n".join((summary, time.reason, *resources))
