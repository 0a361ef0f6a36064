"""A capture on one screen of 80 columns and 24 lines: what is in it, the verdict, and what to do next."""

from __future__ import annotations

import shlex
import textwrap
from collections.abc import Sequence

from rocm_perf_lab.contracts.captures.capture import VerdictItem
from rocm_perf_lab.contracts.captures.inspection import CaptureDocument, CaptureSummary, MemoryOfKind
from rocm_perf_lab.reporting.terminal.printable import printable
from rocm_perf_lab.reporting.words.figures import byte_size, cut, duration
from rocm_perf_lab.reporting.words.kernel_names import short_name

WIDTH = 80
LINES = 23  # of 24: the prompt needs one
LABEL = 11
KINDS = {
    "device": "GPU memory",
    "vmem": "virtual mappings",
    "managed": "managed",
    "host": "pinned host",
    "locked": "locked host",
    "globals": "module globals",
}


def render(document: CaptureDocument, width: int = WIDTH) -> str:
    summary = document.capture
    above = head(summary, width, None if document.run.stopped else document.run.matching_dispatches)
    kept = labelled("kept", f"{document.folder} ({byte_size(summary.folder_bytes)})", width)
    below = ["", *memory(summary), "", *kept]
    steps = _next(document)
    warnings = [line for one in document.warnings for line in labelled("warning", one, width)]
    room = LINES - len(above) - len(below) - len(steps) - len(warnings)
    return (
        text([*above, *verdict(summary, width, room), *below], width)
        + "".join(printable(line) + "\n" for line in steps)  # whole, however long: they are to be copied
        + text(warnings, width)
    )


def text(lines: Sequence[str], width: int) -> str:
    return "".join(cut(printable(line), width).rstrip() + "\n" for line in lines)


def labelled(label: str, words: str, width: int) -> list[str]:
    folded = textwrap.wrap(words, width - LABEL, break_on_hyphens=False) or [""]
    return [f"{'' if place else label:<{LABEL}}{part}" for place, part in enumerate(folded)]


def head(summary: CaptureSummary, width: int, matching: int | None = None) -> list[str]:
    """``matching``: dispatches that matched in the whole run, where that is known."""
    where = f"{'a virtual ' if summary.origin == 'simulated' else ''}{summary.gpu}"
    isa = summary.isa.rpartition("--")[2] or summary.isa
    partition = f", {summary.partition}" if summary.partition else ""
    lds = f", {byte_size(summary.dynamic_lds_bytes)} dynamic LDS" if summary.dynamic_lds_bytes else ""
    if summary.in_app_ms is None:
        took = f"not known: {summary.missing['in_app_ms']}"
    else:
        simulated = " (simulated)" if summary.origin == "simulated" else ""
        took = f"{duration(summary.in_app_ms)} in the program{simulated}"
    return [
        f"captured on {where} ({isa}{partition})",
        f"{'kernel':<{LABEL}}{_name(summary.kernel, width - LABEL)}",
        f"{'dispatch':<{LABEL}}number {summary.dispatch_index} of {matching or 'those'} that matched, from 0",
        f"{'geometry':<{LABEL}}grid {_size(summary.grid)}, workgroup {_size(summary.workgroup)}{lds}",
        f"{'GPU time':<{LABEL}}{took}",
    ]


def _name(kernel: str, width: int) -> str:
    """With its parameters, where they fit: overloads differ in them."""
    return kernel if len(kernel) <= width else short_name(kernel, width)


def _size(sizes: tuple[int, int, int]) -> str:
    return "×".join(str(size) for size in sizes)


def verdict(summary: CaptureSummary, width: int, room: int) -> list[str]:
    """In so many lines: what was refused, or else what one should know of what was captured or left out."""
    of = summary.verdict
    counted = ", ".join(f"{number} {outcome}" for outcome, number in of.outcomes.items() if number)
    state = "complete" if of.complete else "NOT COMPLETE, and so not replayable"
    lines = labelled("verdict", f"{state} ({counted})" if counted else state, width)
    items = (*of.notes, *of.left_out) if of.complete else of.refused
    for place, item in enumerate(items):
        words = labelled("", told(item), width)
        left = len(items) - place
        if len(lines) + len(words) + (left > 1) > room:
            return [*lines, *labelled("", f"and {left} more: rocm-perf replay inspect shows them", width)]
        lines += words
    return lines


def told(item: VerdictItem) -> str:
    """What became of it, and why."""
    return f"{item.outcome}: {described(item)}" + (f": {item.reason}" if item.reason else "")


def described(item: VerdictItem) -> str:
    """What it is: ``hidden argument hidden_hostcall_buffer``."""
    repeats = item.name and item.what.split()[-1:] == item.name.split()[:1]  # peer memory, memory of GPU 1
    name = f"{',' if repeats else ''} {item.name}" if item.name and item.name != item.address else ""
    place = f" at {item.address}" if item.address else ""
    size = f" ({byte_size(item.bytes)})" if item.bytes else ""
    return f"{item.what}{name}{place}{size}"


def memory(summary: CaptureSummary) -> list[str]:
    head_line = _row("memory", "regions", "bytes", "stored", "changed")
    rows = [_kind(KINDS[one.kind], one) for one in summary.memory]
    if len(rows) != 1:
        rows.append(
            _row(
                "in all",
                str(summary.regions),
                byte_size(summary.bytes),
                byte_size(summary.stored_bytes),
                byte_size(summary.changed_bytes),
            )
        )
    return [head_line, *rows]


def _kind(name: str, of: MemoryOfKind) -> str:
    sizes = (byte_size(of.bytes), byte_size(of.stored_bytes), byte_size(of.changed_bytes))
    return _row(name, str(of.regions), *sizes)


def _row(name: str, regions: str, size: str, stored: str, changed: str) -> str:
    return f"{name:<18}{regions:>9}{size:>13}{stored:>13}{changed:>13}"


def _next(document: CaptureDocument) -> list[str]:
    folder = shlex.quote(document.folder)
    steps = [f"rocm-perf replay inspect {folder}"]
    if document.capture.verdict.complete:
        steps += [
            f"rocm-perf replay validate {folder}",
            f"rocm-perf replay full-vm {folder} --iterations 20",
        ]
    return [f"{'next' if not place else '':<{LABEL}}{step}" for place, step in enumerate(steps)]
