"""A validation for the terminal: the verdict, what it stands on, and where outputs differ."""

from __future__ import annotations

from collections.abc import Iterator

from rocm_perf_lab.contracts.captures.validation import (
    BufferReport,
    BuildDocument,
    MinimisationDocument,
    ValidationDocument,
    VariantReport,
)
from rocm_perf_lab.reporting.terminal.lines import WIDTH, as_text, labelled
from rocm_perf_lab.reporting.words.figures import byte_size, count, cut_middle, duration

COLUMN = 20
MOST_BUFFERS = 6
MOST_NOTES = 4


def render_validation(document: ValidationDocument) -> str:
    return as_text(_lines(document))


def render_minimisation(document: MinimisationDocument) -> str:
    return as_text(_minimisation_lines(document))


def render_build(document: BuildDocument) -> str:
    return as_text(_build_lines(document))


def _lines(document: ValidationDocument) -> Iterator[str]:
    yield from labelled(document.verdict.upper(), document.reason, 9)
    yield f"{'kernel':<9}{cut_middle(document.kernel, WIDTH - 9)}"
    yield f"{'capture':<9}{document.capture}" + (f", on {document.gpu}" if document.gpu else "")
    yield ""
    proof = document.self_replay
    yield from labelled(
        "  self-replay",
        f"{proof.byte_equal} of {count(proof.runs, 'run')} byte-equal, "
        f"{proof.exact_addresses} at exact addresses",
        COLUMN,
    )
    yield from labelled("  kind of kernel", f"{proof.label}: {proof.label_reason}", COLUMN)
    yield from _buffers(proof.buffers)
    yield from labelled("  poison", _poison(document), COLUMN)
    control = document.negative_control
    found = "found out" if control.found_out else "NOT FOUND OUT"
    yield from labelled("  negative control", f"{found}: {control.reason}", COLUMN)
    if document.canaries:
        damaged = document.canaries.damaged
        checked = byte_size(document.canaries.checked_bytes)
        words = "DAMAGED: " + damaged[0] if damaged else f"{checked}, none damaged"
        yield from labelled("  canaries", words, COLUMN)
    if document.variant:
        yield from _variant(document.variant)
    for note in document.notes[:MOST_NOTES]:
        yield from labelled("  note", note, COLUMN)


def _poison(document: ValidationDocument) -> str:
    poison = document.poison
    if poison.method == "none":
        return f"none: {poison.reason}"
    held = f"{byte_size(poison.bytes)} in {count(poison.ranges, 'range')}"
    return f"{held}, found by {poison.method}: {poison.reason}"


def _variant(variant: VariantReport) -> Iterator[str]:
    word = "passed" if variant.passed else "FAILED"
    yield from labelled("  variant", f"{word}: {variant.reason}", COLUMN)
    yield from _buffers(variant.buffers)
    time = variant.time
    if time is not None and time.ratio is not None:
        condition = f", {variant.fidelity.condition}" if variant.fidelity else ""
        words = f"{duration(time.base_ms)} -> {duration(time.new_ms)} ({time.ratio - 1:+.1%}){condition}"
        yield from labelled("  time", f"{words}: {time.verdict}; {time.reason}", COLUMN)
    elif "time" in variant.missing:
        yield from labelled("  time", variant.missing["time"], COLUMN)


def _buffers(buffers: tuple[BufferReport, ...]) -> Iterator[str]:
    indent = " " * COLUMN
    for one in buffers[:MOST_BUFFERS]:
        differ = f"{one.differing_elements} of {count(one.elements, 'element')} ({one.type}) differ"
        yield from labelled(indent, f"{cut_middle(one.name, 40)}: {differ}{_beyond(one)}", COLUMN)
        errors = [
            f"largest {word} error {value:.3g}"
            for word, value in (("absolute", one.max_abs_error), ("relative", one.max_rel_error))
            if value is not None
        ]
        if one.nan_changes:
            errors.append(f"{one.nan_changes} NaN on one side only")
        if errors:
            yield from labelled(indent, f"  {', '.join(errors)}", COLUMN)
        if one.first is not None:
            place = f"{one.name}[{one.first.index}]{one.first.field}"
            if " " in one.name:
                place = f"element {one.first.index}{one.first.field} of {one.name}"
            words = f"  first: {place} should be {one.first.expected}, is {one.first.got}"
            yield from labelled(indent, words, COLUMN)
    if len(buffers) > MOST_BUFFERS:
        yield f"{indent}and {len(buffers) - MOST_BUFFERS} more buffers (--json has all of them)"


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
    yield f"{'built':<9}{document.hsaco} ({document.target}) from {document.source}"
    if document.identical:
        yield f"{'':<9}the code object is that of the capture, byte for byte"
    if document.validation is not None:
        yield ""
        yield from _lines(document.validation)
    else:
        yield f"{'next':<9}rocm-perf replay validate {document.capture} --hsaco {document.hsaco}"
