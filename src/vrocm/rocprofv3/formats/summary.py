"""The tables of --summary."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from ..errors import RequestRefused
from ..logs.trace import ProcessTrace
from ..options import UNITS, Options
from .statistics import Durations, percentage, statistics

_HEADINGS = ("NAME", "DOMAIN", "CALLS", "DURATION", "AVERAGE", "PERCENT (INC)", "MIN", "MAX", "STDDEV")
_WIDEST_NAME = 60


def _shorten(name: str) -> str:
    return name if len(name) <= _WIDEST_NAME else name[: _WIDEST_NAME - 3] + "..."


def _table(title: str, rows: list[tuple[str, Durations]], unit: str) -> str:
    factor = UNITS[unit]
    whole = sum(item.total for _, item in rows)
    headings = [
        f"{text} ({unit})" if text in ("DURATION", "AVERAGE", "MIN", "MAX") else text for text in _HEADINGS
    ]

    def time(value: float) -> str:
        return f"{value / factor:.0f}" if unit == "nsec" else f"{value / factor:.6f}"

    cells = [headings]
    for domain, item in sorted(rows, key=lambda row: (-row[1].total, row[1].name)):
        cells.append(
            [
                _shorten(item.name),
                domain,
                str(item.calls),
                time(item.total),
                time(item.mean),
                f"{percentage(item.total, whole):.2f}",
                time(min(item.values)),
                time(max(item.values)),
                time(item.deviation),
            ]
        )
    widths = [max(len(row[column]) for row in cells) for column in range(len(headings))]
    lines = [title, ""]
    for number, row in enumerate(cells):
        texts = [
            text.ljust(width) if column < 2 else text.rjust(width)
            for column, (text, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("| " + " | ".join(texts) + " |")
        if number == 0:
            lines.append("|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join([*lines, ""])


def _tables(trace: ProcessTrace, options: Options) -> list[str]:
    found = statistics(trace)
    rows = [(domain, item) for domain, items in found.items() for item in items]
    tables = []
    if options.summary_per_domain:
        for domain, items in found.items():
            tables.append(
                _table(f"ROCPROFV3 {domain} SUMMARY:", [(domain, i) for i in items], options.summary_unit)
            )
    for pattern in options.summary_groups:
        try:
            chosen = [row for row in rows if re.fullmatch(pattern, row[0])]
        except re.error as problem:
            raise RequestRefused(
                f"--summary-groups: '{pattern}' is not a regular expression: {problem}"
            ) from None
        if chosen:
            tables.append(_table(f"ROCPROFV3 {pattern} SUMMARY:", chosen, options.summary_unit))
    if options.summary and rows:
        tables.append(_table("ROCPROFV3 SUMMARY:", rows, options.summary_unit))
    return tables


def print_summary(trace: ProcessTrace, options: Options, base: Path) -> None:
    tables = _tables(trace, options)
    if not tables:
        return
    text = "\n" + "\n".join(tables) + "\n"
    target = options.summary_output
    if target.lower() in ("stderr", "stdout"):
        (sys.stderr if target.lower() == "stderr" else sys.stdout).write(text)
        return
    path = base.parent / f"{target}.txt" if not Path(target).suffix else base.parent / target
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
