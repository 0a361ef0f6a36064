"""code.json: the instructions that traced waves ran, with their totals or samples."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rocm_perf_lab.thread_trace.json_file import integer, load, mapping, printable, sequence, unexpected
from rocm_perf_lab.thread_trace.rows import SAMPLE_REASONS, CodeLine, Samples

# [ISA, 0, LineNumber, Source, Codeobj, Vaddr, Hit, Latency, Stall, Idle]
WIDTH = 10
# … and PC_Issued, PC_Stalled, Stall_Reasons of a folder made by PC sampling.
WIDTH_WITH_SAMPLES = 13
_TOTALS = ("Hit", "Latency", "Stall", "Idle")


def read_code(path: Path) -> tuple[CodeLine, ...]:
    content = mapping(load(path), path)
    if "code" not in content:
        raise unexpected(path, "there is no 'code' in it")
    lines = [_line(row, path) for row in sequence(content["code"], path, "code")]
    numbers: set[int] = set()
    for line in lines:
        if line.number in numbers:
            raise unexpected(path, f"two lines have the number {line.number}")
        numbers.add(line.number)
    return tuple(lines)


def _line(row: Any, path: Path) -> CodeLine:
    if not isinstance(row, list) or len(row) < WIDTH:
        raise unexpected(path, f"a line of code is {str(row)[:80]!r}, not {WIDTH} values")
    text, source = row[0], row[3]
    if not isinstance(text, str) or not isinstance(source, (str, type(None))):
        raise unexpected(path, f"a line of code is {str(row)[:80]!r}, without instruction and source")
    number, code_object, address = (integer(row[at], path, f"a number of {text!r}") for at in (2, 4, 5))
    totals = [
        integer(row[6 + at], path, f"{name} of line {number}, {text!r},") for at, name in enumerate(_TOTALS)
    ]
    if min(totals) < 0:
        raise unexpected(path, f"line {number}, {text!r}, has a negative total")
    samples = _samples(row, number, path) if len(row) >= WIDTH_WITH_SAMPLES else None
    hits, latency, stall, idle = totals
    text, source = printable(text), printable(source or "")
    return CodeLine(number, text, source, code_object, address, hits, latency, stall, idle, samples)


def _samples(row: list[Any], number: int, path: Path) -> Samples:
    what = f"the samples of line {number}"
    issued, stalled = integer(row[10], path, what), integer(row[11], path, what)
    reasons = [integer(value, path, what) for value in sequence(row[12], path, what)]
    if len(reasons) > len(SAMPLE_REASONS):
        raise unexpected(path, f"{what} have {len(reasons)} reasons; {len(SAMPLE_REASONS)} are known")
    reasons += [0] * (len(SAMPLE_REASONS) - len(reasons))
    return Samples(issued, stalled, tuple(reasons))
