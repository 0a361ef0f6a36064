"""A capture on one screen of 80 columns and 24 lines: what is in it, the verdict, and what to do next."""

from __future__ import annotations

import shlex
import textwrap
from collections.abc import Sequence

from rocm_perf_lab.contracts.capture import VerdictItem
from rocm_perf_lab.contracts.inspection import CaptureDocument, CaptureSummary, MemoryOfKind
from rocm_perf_lab.report.figures import byte_size, cut, duration
from rocm_perf_lab.report.kernel_names import short_name
from rocm_perf_lab.report.printable import printable

WIDTH = 80
LABEL = 11
MOST_REFUSED = 4
MOST_NOTES = 2
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
    lines = [
        *head(summary, width, None if document.run.stopped else document.run.matching_dispatches),
        *verdict(summary, width),
        "",
        *memory(summary),
        "",
        *labelled("kept", f"{document.folder} ({byte_size(summary.folder_bytes)})", width),
        *_next(document, width),
    ]
    for warning in document.warnings:
        lines += labelled("warning", warning, width)
    return text(lines, width)


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


def verdict(summary: CaptureSummary, width: int) -> list[str]:
    of = summary.verdict
    counted = ", ".join(f"{number} {outcome}" for outcome, number in of.outcomes.items() if number)
    if of.complete:
        return [
            *labelled("verdict", f"complete ({counted})", width),
            *_items("", "note", of.notes, MOST_NOTES, width),
            *_items("", "left out", of.left_out, MOST_NOTES, width),
        ]
    return [
        *labelled("verdict", f"NOT COMPLETE, and so not replayable ({counted})", width),
        *_items("refused", "", of.refused, MOST_REFUSED, width),
    ]


def _items(label: str, word: str, items: Sequence[VerdictItem], most: int, width: int) -> list[str]:
    lines: list[str] = []
    for item in items[:most]:
        reason = f": {item.reason}" if item.reason else ""
        words = f"{word + ': ' if word else ''}{described(item)}{reason}"
        lines += labelled(label if not lines else "", words, width)
    if len(items) > most:
        lines += labelled("", f"and {len(items) - most} more", width)
    return lines


def described(item: VerdictItem) -> str:
    """What it is: ``hidden argument hidden_hostcall_buffer``."""
    name = f" {item.name}" if item.name and item.name != item.address else ""
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


def _next(document: CaptureDocument, width: int) -> list[str]:
    folder = shlex.quote(document.folder)
    steps = [f"rocm-perf replay inspect {folder}"]
    if document.capture.verdict.complete:
        steps += [
            f"rocm-perf replay validate {folder}",
            f"rocm-perf replay full-vm --capture-dir {folder} --iterations 20",
        ]
    return [f"{'next' if not place else '':<{LABEL}}{step}" for place, step in enumerate(steps)]
