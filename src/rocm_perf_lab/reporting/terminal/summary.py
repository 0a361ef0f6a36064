"""The summary of a run for the terminal: as many lines as it takes, 80 columns wide."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from rocm_perf_lab.reporting.run_documents import RunDocuments
from rocm_perf_lab.reporting.terminal.printable import printable
from rocm_perf_lab.reporting.words.figures import cut, percent
from rocm_perf_lab.reporting.words.summary import Summary, summary

WIDTH = 80
LABEL = 20
INDENT = 4


def render(run: RunDocuments) -> str:
    return "".join(f"{line}\n" for line in _lines(summary(run), run))


def _lines(found: Summary, run: RunDocuments) -> Iterator[str]:
    yield from textwrap.wrap(printable(found.unfinished or ""), WIDTH)
    yield from textwrap.wrap(printable(found.origin), WIDTH)
    yield cut(printable(found.command), WIDTH)
    yield ""
    for figure in found.figures:
        yield cut(f"{figure.label:<{LABEL}}{figure.value:<12}{printable(figure.note)}", WIDTH)
    for verdict in found.verdicts:
        yield ""
        yield cut(f"{printable(verdict.short)}   {percent(verdict.share)} of GPU time", WIDTH)
        yield from _wrapped(f"{verdict.label}. {printable(verdict.words)}")
    if found.rest:
        yield ""
        yield found.rest
    for title, texts in (("next", found.next_steps), ("warnings", run.profile.warnings + run.problems)):
        if texts:
            yield ""
            yield title
            for text in texts:
                yield from _wrapped(printable(text), "- ")


def _wrapped(text: str, bullet: str = "") -> list[str]:
    start = " " * (INDENT - len(bullet)) + bullet
    return textwrap.wrap(text, WIDTH, initial_indent=start, subsequent_indent=" " * INDENT)
