"""A comparison as Markdown, for comments on changes; kernel names are foreign text and stay in code spans."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rocm_perf_lab.contracts.profiling.comparison import ComparisonDocument, TimeComparison
from rocm_perf_lab.reporting.words.compare_figures import change, interval, resource_changes, verdict
from rocm_perf_lab.reporting.words.figures import duration

_SIGNS = {"faster": "**faster**", "slower": "**slower**", "same": "same", "undecided": "undecided"}


def render(document: ComparisonDocument) -> str:
    return "\n".join(_lines(document)) + "\n"


def _lines(document: ComparisonDocument) -> Iterator[str]:
    what = "GPU time" if document.figure == "gpu-time" else "wall time"
    simulated = ", simulated" if document.origin == "simulated" else ""
    yield f"### rocm-perf: {what} {_SIGNS[document.total.verdict]} {change(document.total)}{simulated}"
    yield ""
    yield "| | base | new | change | interval | verdict |"
    yield "|---|---:|---:|---:|---|---|"
    yield _time(f"**{what}**", document.total, _SIGNS[document.total.verdict])
    for kernel in document.kernels:
        name = code(kernel.name)
        if kernel.time is not None:
            yield _time(
                name, kernel.time, _SIGNS[kernel.time.verdict] + (" **regression**" * kernel.regression)
            )
        else:
            before = duration(kernel.base_ms) if kernel.base_ms is not None else ""
            after = duration(kernel.new_ms) if kernel.new_ms is not None else ""
            yield f"| {name} | {before} | {after} | | | {verdict(kernel)} |"
    changed = [(kernel, found) for kernel in document.kernels if (found := resource_changes(kernel))]
    if changed:
        yield ""
        yield from (f"- {code(kernel.name)}: {', '.join(found)}" for kernel, found in changed)
    remarks = [f"allowed: {one.what}: {one.base} and {one.new}" for one in document.differences]
    remarks += document.notes
    if document.regressions:
        names = ", ".join(code(name) for name in document.regressions)
        remarks.append(f"slower by more than {document.fail_on_regression:.2%}: {names}")
    if remarks:
        yield ""
        yield from (f"- {remark if remark.startswith('slower') else escaped(remark)}" for remark in remarks)


def _time(name: str, time: TimeComparison, ending: str) -> str:
    cells = (name, duration(time.base_ms), duration(time.new_ms), change(time), interval(time), ending)
    return f"| {' | '.join(cells)} |"


def code(text: str) -> str:
    """A code span that is one cell of a table, whatever the text is."""
    plain = re.sub(r"[\s\x00-\x1f\x7f]+", " ", text).strip() or " "
    fence = "`" * (max((len(run) for run in re.findall("`+", plain)), default=0) + 1)
    padding = " " if "`" in plain else ""
    return f"{fence}{padding}{plain}{padding}{fence}".replace("|", "\\|")


def escaped(text: str) -> str:
    plain = re.sub(r"[\s\x00-\x1f\x7f]+", " ", text)
    return re.sub(r"([\\`*_{}\[\]<>#|!&@])", r"\\\1", plain)
