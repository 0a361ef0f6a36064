"""A comparison as JUnit XML, as CI systems show it: a test case for the total and for each kernel."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree

from rocm_perf_lab.contracts.comparison import ComparisonDocument, TimeComparison
from rocm_perf_lab.report.compare_figures import change, interval, resource_changes

SUITE = "rocm-perf compare"
# Characters that XML 1.0 has no way to write.
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(document: ComparisonDocument) -> str:
    suite = ElementTree.Element("testsuite", name=SUITE)
    _case(suite, "total", document.total, "total" in document.regressions, [])
    for kernel in document.kernels:
        if kernel.time is not None:
            _case(suite, kernel.name, kernel.time, kernel.regression, resource_changes(kernel))
        else:
            case = ElementTree.SubElement(suite, "testcase", classname=SUITE, name=_clean(kernel.name))
            ElementTree.SubElement(
                case, "skipped", message=f"{kernel.status} kernel: nothing to compare with"
            )
    for kind in ("failure", "skipped"):
        number = len(suite.findall(f"testcase/{kind}"))
        suite.set("failures" if kind == "failure" else kind, str(number))
    suite.set("tests", str(len(suite)))
    suite.set("errors", "0")
    whole = ElementTree.Element("testsuites")
    whole.append(suite)
    ElementTree.indent(whole)
    return ElementTree.tostring(whole, encoding="unicode", xml_declaration=False) + "\n"


def _case(
    suite: ElementTree.Element, name: str, time: TimeComparison, regression: bool, resources: list[str]
) -> None:
    case = ElementTree.SubElement(
        suite, "testcase", classname=SUITE, name=_clean(name), time=f"{time.new_ms / 1e3:.9f}"
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


def _clean(text: str) -> str:
    return _NOT_XML.sub("\ufffd", text)
