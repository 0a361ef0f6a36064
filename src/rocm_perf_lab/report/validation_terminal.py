"""A validation for the terminal: the verdict, what it stands on, and where outputs differ."""

from __future__ import annotations

from collections.abc import Iterator

from rocm_perf_lab.contracts.validation import (
    BufferReport,
    BuildDocument,
    MinimisationDocument,
    ValidationDocument,
    VariantReport,
)
from rocm_perf_lab.report.figures import byte_size, count, cut, cut_middle, duration
from rocm_perf_lab.report.printable import printable

WIDTH = 100
MOST_BUFFERS = 8
MOST_NOTES = 6


def render_validation(document: ValidationDocument) -> str:
    return _text(_lines(document))


def render_minimisation(document: MinimisationDocument) -> str:
    return _text(_minimisation_lines(document))


def render_build(document: BuildDocument) -> str:
    return _text(_build_lines(document))


def _lines(document: ValidationDocument) -> Iterator[str]:
    yield f"{document.verdict.upper():<8}{document.reason}"
    yield f"kernel  {cut_middle(document.kernel, WIDTH - 8)}"
    yield f"capture {document.capture}" + (f", on {document.gpu}" if document.gpu else "")
    yield ""
    proof = document.self_replay
    yield (
        f"  self-replay       {proof.byte_equal} of {count(proof.runs, 'run')} byte-equal, "
        f"{proof.exact_addresses} at exact addresses"
    )
    yield f"  kind of kernel    {proof.label}: {proof.label_reason}"
    yield from _buffers(proof.buffers)
    poison = document.poison
    held = f"{byte_size(poison.bytes)} in {count(poison.ranges, 'range')}"
    if poison.method == "none":
        yield f"  poison            none: {poison.reason}"
    else:
        yield f"  poison            {held}, found by {poison.method}; {poison.reason}"
    control = document.negative_control
    yield f"  negative control  {'found out' if control.found_out else 'NOT FOUND OUT'}: {control.reason}"
    if document.canaries:
        damaged = document.canaries.damaged
        checked = byte_size(document.canaries.checked_bytes)
        yield f"  canaries          {'DAMAGED: ' + damaged[0] if damaged else f'{checked}, none damaged'}"
    if document.variant:
        yield from _variant(document.variant)
    for note in document.notes[:MOST_NOTES]:
        yield f"  note: {note}"


def _variant(variant: VariantReport) -> Iterator[str]:
    yield f"  variant           {'passed' if variant.passed else 'FAILED'}: {variant.reason}"
    yield from _buffers(variant.buffers)
    time = variant.time
    if time is not None and time.ratio is not None:
        yield (
            f"  time              {duration(time.base_ms)} -> {duration(time.new_ms)} "
            f"({time.ratio - 1:+.1%}): {time.verdict}; {time.reason}"
        )
    elif "time" in variant.missing:
        yield f"  time              {variant.missing['time']}"


def _buffers(buffers: tuple[BufferReport, ...]) -> Iterator[str]:
    for one in buffers[:MOST_BUFFERS]:
        differ = f"{one.differing_elements} of {count(one.elements, 'element')} ({one.type}) differ"
        yield f"      {cut_middle(one.name, 40)}: {differ}{_beyond(one)}"
        errors = [
            f"largest {word} error {value:.3g}"
            for word, value in (("absolute", one.max_abs_error), ("relative", one.max_rel_error))
            if value is not None
        ]
        if one.nan_changes:
            errors.append(f"{one.nan_changes} NaN on one side only")
        if errors:
            yield f"          {', '.join(errors)}"
        if one.first is not None:
            place = f"{one.name}[{one.first.index}]{one.first.field}"
            yield f"          first: {place} should be {one.first.expected}, is {one.first.got}"
    if len(buffers) > MOST_BUFFERS:
        yield f"      and {len(buffers) - MOST_BUFFERS} more buffers (--json has all of them)"


def _beyond(one: BufferReport) -> str:
    allowed = one.tolerance
    if allowed.source == "exact":
        return ""
    limit = f"{allowed.source} tolerance, rtol {allowed.rtol:.3g}, atol {allowed.atol:.3g}"
    return f", {one.beyond_tolerance or 'none'} beyond the {limit}"


def _minimisation_lines(document: MinimisationDocument) -> Iterator[str]:
    before, after = document.before, document.after
    yield f"{'':<10}{'regions':>9}{'memory':>12}{'pages held':>12}{'on disk':>12}  folder"
    for word, one in (("before", before), ("after", after)):
        yield (
            f"{word:<10}{one.regions:>9}{byte_size(one.region_bytes):>12}{one.pages:>12}"
            f"{byte_size(one.bytes_on_disk):>12}  {one.folder}"
        )
    yield f"the kernel reads {byte_size(document.read_bytes)} and writes {byte_size(document.written_bytes)}"
    yield ""
    yield from _lines(document.validation)


def _build_lines(document: BuildDocument) -> Iterator[str]:
    yield f"built   {document.hsaco} ({document.target}) from {document.source}"
    if document.identical:
        yield "        the code object is that of the capture, byte for byte"
    if document.validation is not None:
        yield ""
        yield from _lines(document.validation)
    else:
        yield f"next    rocm-perf replay validate {document.capture} --hsaco {document.hsaco}"


def _text(lines: Iterator[str]) -> str:
    return "".join(cut(printable(line).rstrip(), 4 * WIDTH) + "\n" for line in lines)
