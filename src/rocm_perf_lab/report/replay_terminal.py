"""Replays and reservations for the terminal."""

from __future__ import annotations

from collections.abc import Iterator

from rocm_perf_lab.contracts.replay import ReplayDocument, ReserveCheckDocument
from rocm_perf_lab.report.figures import byte_size, count, cut, cut_middle, duration
from rocm_perf_lab.report.printable import printable

WIDTH = 100
MOST_RANGES = 12
MOST_VALUES = 60
MOST_NOTES = 6


def render_reserve_check(document: ReserveCheckDocument) -> str:
    return _text(_reserve_lines(document))


def _reserve_lines(document: ReserveCheckDocument) -> Iterator[str]:
    total = f"{count(len(document.ranges), 'range')}, {byte_size(document.bytes)}"
    words = {
        "exact": "EXACT      every range of addresses can be had",
        "relocated": "RELOCATED  a range came to lie elsewhere: replay would not be faithful",
        "failed": "FAILED     not every range of addresses can be had",
    }
    yield f"{words[document.outcome]} ({total})"
    yield f"capture    {document.capture}"
    if document.reason:
        yield f"reason     {document.reason}"
    wrong = [one for one in document.ranges if one.outcome != "exact"]
    shown = (wrong or list(document.ranges))[:MOST_RANGES]
    for one in shown:
        got = f" at {one.got}" if one.got and one.got != one.base else ""
        why = f": {one.reason}" if one.reason else ""
        yield f"  {one.base:<18} {byte_size(one.size):>10}  {one.outcome}{got}{why}"
    if len(document.ranges) > len(shown):
        yield f"  and {len(document.ranges) - len(shown)} more (--json has all of them)"


def render_replay(document: ReplayDocument) -> str:
    return _text(_replay_lines(document))


def _replay_lines(document: ReplayDocument) -> Iterator[str]:
    timing, execution, where = document.timing, document.execution, document.addresses
    virtual = "SIMULATED on a virtual" if document.origin == "simulated" else "measured on"
    yield f"{virtual} {document.environment.gpu_agent}"
    variant = f"   with {cut_middle(document.kernel.hsaco_path, 50)}" if document.kernel.variant else ""
    yield f"kernel     {cut_middle(document.kernel.demangled, WIDTH - 12)}{variant}"
    yield f"capture    {document.capture}"
    yield ""
    how = "restored before each" if execution.recopy else "restored once (stateful)"
    extra = (f", after {execution.warmup} not timed" if execution.warmup else "") + (
        ", cold caches" if execution.cold else ""
    )
    times = count(execution.iterations, "iteration")
    yield f"time       {_us(timing.median)} median of {times}, {how}{extra}"
    if execution.iterations > 1:
        yield (
            f"           average {_us(timing.average)}, min {_us(timing.min)}, max {_us(timing.max)}, "
            f"spread {_us(timing.spread)}"
        )
    if timing.values:
        shown = ", ".join(_us(one) for one in timing.values[:MOST_VALUES])
        more = len(timing.values) - MOST_VALUES
        yield f"           {shown}" + (f" and {more} more (--json)" if more > 0 else "")
    if document.fidelity:
        word = "faithful" if document.fidelity.faithful else "NOT faithful"
        in_app = document.fidelity.in_app_us
        told = f" ({_us(in_app)} in the program)" if in_app is not None else ""
        yield f"fidelity   {word}{told}: {document.fidelity.reason}"
    code = "code too" if where.code_exact else "code elsewhere"
    kernarg = "arguments too" if where.kernarg_exact else "ARGUMENTS ELSEWHERE"
    yield f"addresses  {where.exact} of {count(where.regions, 'region')} exact, {kernarg}, {code}"
    yield f"memory     {_memory(document)}"
    if document.canaries:
        damaged = document.canaries.damaged
        checked = byte_size(document.canaries.checked_bytes)
        yield f"canaries   {'DAMAGED: ' + damaged[0] if damaged else f'{checked}, none damaged'}"
    restore = document.restore
    if restore.full_seconds is not None:
        parts = [f"{duration(restore.full_seconds * 1e3)} in full"]
        if restore.iteration_seconds is not None and restore.dirty_pages is not None:
            pages = count(restore.dirty_pages, "page")
            parts.append(f"{duration(restore.iteration_seconds * 1e3)} before an iteration ({pages})")
        yield f"restore    {', '.join(parts)}; {duration(document.wall_seconds * 1e3)} in all"
    for note in document.notes[:MOST_NOTES]:
        yield f"note: {note}"


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


def _text(lines: Iterator[str]) -> str:
    return "".join(cut(printable(line).rstrip(), 4 * WIDTH) + "\n" for line in lines)
