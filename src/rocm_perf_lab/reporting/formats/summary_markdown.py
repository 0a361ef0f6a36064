"""The summary of a run as Markdown: for pull requests, issues and notes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rocm_perf_lab.reporting.html.doubts_view import doubts_view
from rocm_perf_lab.reporting.html.kernel_table_view import kernel_table_view
from rocm_perf_lab.reporting.html.reproduce_view import reproduce_view
from rocm_perf_lab.reporting.run_documents import RunDocuments
from rocm_perf_lab.reporting.terminal.printable import printable
from rocm_perf_lab.reporting.words.summary import summary

MOST_KERNELS = 20
# Letters with a meaning in Markdown, and those of HTML, which Markdown lets through.
_MARKUP = re.compile(r"([\\`*_\[\]#!|~^$]|^[-+=])")
_HTML = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "@": "&#64;"}  # @ would call somebody, on some sites


def render(run: RunDocuments) -> str:
    return "".join(f"{line}\n" for line in _lines(run))


def _lines(run: RunDocuments) -> Iterator[str]:
    found = summary(run)
    yield f"# {code(found.command or 'traces')}"
    yield ""
    if found.unfinished:
        yield f"**{escaped(found.unfinished)}**"
        yield ""
    yield f"**{escaped(found.origin)}**"
    yield ""
    yield from _table(
        ("figure", "", ""),
        [(figure.label, f"**{figure.value}**", figure.note) for figure in found.figures],
        (0, 2),
    )
    if found.verdicts:
        yield from ("", "## Verdicts", "")
        for verdict in found.verdicts:
            share = f"{100 * verdict.share:.1f}% of GPU time"
            yield f"- {code(verdict.short)} ({share}): **{escaped(verdict.label)}**. {escaped(verdict.words)}"
        if found.rest:
            yield f"- {escaped(found.rest)}"
    yield from _kernels(run)
    yield from _list("Next", found.next_steps)
    doubts = doubts_view(run)
    suspects = [f"{one.kernel}: {one.figure} = {one.value} is suspect: {one.why}" for one in doubts.suspects]
    yield from _list("Doubts", [*suspects, *doubts.warnings])
    commands = reproduce_view(run).commands
    if commands:
        yield from ("", "## Reproduce", "")
        yield from (f"    {printable(command)}" for command in commands)


def _kernels(run: RunDocuments) -> Iterator[str]:
    table = kernel_table_view(run)
    if not table.rows:
        return
    yield from ("", "## Kernels", "")
    rows = [
        (code(row.short), *(row.cells[column.key].text for column in table.columns))
        for row in table.rows[:MOST_KERNELS]
    ]
    numeric = [column.numeric for column in table.columns]
    yield from _table(
        ("kernel", *(column.title for column in table.columns)),
        rows,
        range(1, len(numeric) + 1),
        (False, *numeric),
    )
    if len(run.profile.kernels) > MOST_KERNELS:
        yield ""
        yield f"and {len(run.profile.kernels) - MOST_KERNELS} more"


def _table(
    head: Sequence[str],
    rows: Sequence[Sequence[str]],
    foreign: Sequence[int] | range,
    numeric: Sequence[bool] | None = None,
) -> Iterator[str]:
    """``foreign``: the columns whose text is not Markdown yet."""
    yield "| " + " | ".join(escaped(cell) for cell in head) + " |"
    yield "|" + "|".join("---:" if numeric and numeric[index] else "---" for index in range(len(head))) + "|"
    for row in rows:
        cells = [escaped(cell) if index in foreign else cell for index, cell in enumerate(row)]
        yield "| " + " | ".join(cells) + " |"


def _list(title: str, texts: Sequence[str]) -> Iterator[str]:
    if texts:
        yield from ("", f"## {title}", "")
        yield from (f"- {escaped(text)}" for text in texts)


def escaped(text: str) -> str:
    """Text that Markdown shows as it is."""
    plain = _MARKUP.sub(r"\\\1", printable(text))
    return "".join(_HTML.get(letter, letter) for letter in plain)


def code(text: str) -> str:
    """Text as code, also inside a table: as HTML, because Markdown's cannot escape backticks and bars."""
    entities = "".join(
        letter if letter.isalnum() or letter in " ,._:;/" else f"&#{ord(letter)};"
        for letter in printable(text)
    )
    return f"<code>{entities}</code>"
