"""Replays and reservations for the terminal."""

from __future__ import annotations

from collections.abc import Iterator

from rocm_perf_lab.contracts.captures.replay import ReplayDocument, ReserveCheckDocument
from rocm_perf_lab.reporting.terminal.lines import WIDTH, as_text, labelled
from rocm_perf_lab.reporting.words.figures import byte_size, count, cut_middle, duration

COLUMN = 11
MOST_RANGES = 12
MOST_VALUES = 60
MOST_NOTES = 6


def render_reserve_check(document: ReserveCheckDocument) -> str:
    return as_text(_reserve_lines(document))


def _reserve_lines(document: ReserveCheckDocument) -> Iterator[str]:
    words = {
        "exact": "every range of addresses can be had",
        "relocated": "a range came to lie elsewhere: a replay would not be faithful",
        "failed": "not every range of addresses can be had" if document.ranges else "it could not be tried",
    }
    total = (
        f" ({count(len(document.ranges), 'range')}, {byte_size(document.bytes)})" if document.ranges else ""
    )
    yield from labelled(document.outcome.upper(), words[document.outcome] + total, COLUMN)
    yield f"{'capture':<{COLUMN}}{document.capture}"
    if document.reason:
        yield from labelled("reason", document.reason, COLUMN)
    wrong = [one for one in document.ranges if one.outcome != "exact"]
    shown = (wrong or list(document.ranges))[:MOST_RANGES]
    for one in shown:
        got = f" at {one.got}" if one.got and one.got != one.base else ""
        why = f": {one.reason}" if one.reason else ""
        yield from labelled(
            f"  {one.base:<18} {byte_size(one.size):>10}  ", f"{one.outcome}{got}{why}", COLUMN + 22
        )
    if len(document.ranges) > len(shown):
        yield f"  and {len(document.ranges) - len(shown)} more (--json has all of them)"


def render_replay(document: ReplayDocument) -> str:
    return as_text(_replay_lines(document))


def _replay_lines(document: ReplayDocument) -> Iterator[str]:
    virtual = "SIMULATED on a virtual" if document.origin == "simulated" else "measured on"
    product, agent = document.environment.product, document.environment.gpu_agent
    yield f"{virtual} {f'{product} ({agent})' if product else agent}"
    yield f"{'kernel':<{COLUMN}}{cut_middle(document.kernel.demangled, WIDTH - COLUMN)}"
    if document.kernel.variant:
        yield f"{'variant':<{COLUMN}}{document.kernel.hsaco_path}"
    yield f"{'capture':<{COLUMN}}{document.capture}"
    yield ""
    for label, words in _figures(document):
        yield from labelled(label, words, COLUMN)
    for note in document.notes[:MOST_NOTES]:
        yield from labelled("note", note, COLUMN)


def _figures(document: ReplayDocument) -> Iterator[tuple[str, str]]:
    timing, execution, where = document.timing, document.execution, document.addresses
    how = "restored before each" if execution.recopy else "restored once (stateful)"
    how += f", after {execution.warmup} not timed" if execution.warmup else ""
    how += ", cold caches" if execution.cold else ""
    yield "time", f"{_us(timing.median)} median of {count(execution.iterations, 'iteration')}, {how}"
    if execution.iterations > 1:
        yield (
            "",
            f"average {_us(timing.average)}, min {_us(timing.min)}, max {_us(timing.max)}, "
            f"spread {_us(timing.spread)}",
        )
    if timing.values:
        shown = ", ".join(_us(one) for one in timing.values[:MOST_VALUES])
        more = len(timing.values) - MOST_VALUES
        yield "", shown + (f" and {more} more (--json)" if more > 0 else "")
    if document.fidelity:
        word = "faithful" if document.fidelity.faithful else "NOT faithful"
        in_app = document.fidelity.in_app_us
        told = f" ({_us(in_app)} in the program)" if in_app is not None else ""
        yield "fidelity", f"{word}{told}: {document.fidelity.reason}"
    code = "code too" if where.code_exact else "code elsewhere"
    kernarg = "arguments too" if where.kernarg_exact else "ARGUMENTS ELSEWHERE"
    yield "addresses", f"{where.exact} of {count(where.regions, 'region')} exact, {kernarg}, {code}"
    yield "memory", _memory(document)
    if document.canaries:
        damaged = document.canaries.damaged
        checked = byte_size(document.canaries.checked_bytes)
        yield "canaries", "DAMAGED: " + damaged[0] if damaged else f"{checked}, none damaged"
    restore = document.restore
    if restore.full_seconds is not None:
        parts = [f"{duration(restore.full_seconds * 1e3)} in full"]
        if restore.iteration_seconds is not None and restore.dirty_pages is not None:
            pages = count(restore.dirty_pages, "page")
            parts.append(f"{duration(restore.iteration_seconds * 1e3)} before an iteration ({pages})")
        yield "restore", f"{', '.join(parts)}; the process took {duration(document.wall_seconds * 1e3)}"


def _memory(document: ReplayDocument) -> str:
    seen = document.agreement
    if not seen:
        return "was not compared with the capture"
    differing = [one for one in seen if one.differing_bytes]
    looked_at = count(len(seen), "iteration")
    if not differing:
        return f"as after the kernel in the program, byte for byte ({looked_at} compared)"
    worst = max(differing, key=lambda one: one.differing_bytes)
    return (
        f"differs from the program in {len(differing)} of {looked_at}, by up to {worst.differing_bytes} bytes"
        f" in {count(worst.differing_pages, 'page')}; rocm-perf replay validate says where"
    )


def _us(microseconds: float) -> str:
    return duration(microseconds / 1e3)
