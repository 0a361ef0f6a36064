"""The defects of a checked run for the terminal: what, where, which thread, which memory, why."""

from __future__ import annotations

from collections.abc import Iterator

from rocm_perf_lab.contracts.check import CheckDocument, Defect, ThreadPlace
from rocm_perf_lab.reporting.terminal.printable import printable
from rocm_perf_lab.reporting.words.figures import count

TITLES = {
    "out-of-bounds": "access out of bounds",
    "use-after-free": "use of freed memory",
    "lds-out-of-bounds": "access out of the bounds of shared memory (LDS)",
    "misaligned": "misaligned access",
    "uninitialised-memory": "read of device memory that nothing has written",
    "uninitialised-lds": "read of shared memory (LDS) that nothing has written",
    "uninitialised-register": "use of a value that was never set",
    "race-global": "data race in global memory",
    "race-lds": "data race in shared memory (LDS)",
    "divergent-barrier": "barrier that not all threads reach",
    "leak": "device memory that is never freed",
}
_LABEL = 12


def render(document: CheckDocument) -> str:
    return "".join(printable(line).rstrip() + "\n" for line in _lines(document))


def _lines(document: CheckDocument) -> Iterator[str]:
    shown = [defect for defect in document.defects if defect.suppressed_by is None]
    for defect in shown:
        yield from _defect(defect)
        yield ""
    for note in document.notes:
        yield f"note: {note}"
    suppressed = len(document.defects) - len(shown)
    known = f" ({count(suppressed, 'known one')} suppressed)" if suppressed else ""
    if shown:
        yield f"{count(len(shown), 'defect')} found{known}"
    else:
        yield f"no defects found{known}: {len(document.classes)} classes were looked for"


def _defect(defect: Defect) -> Iterator[str]:
    times = f", {count(defect.count, 'time')}" if defect.place is not None else ""
    several = f" in {count(defect.dispatches, 'dispatch', 'dispatches')}" if defect.dispatches > 1 else ""
    yield f"{TITLES[defect.defect]} [{defect.defect}]{times}{several}"
    if defect.kernel is not None:
        yield _row("kernel", defect.kernel)
    if defect.place is not None:
        yield from _place(defect.place, _accessed(defect))
    if defect.other is not None:
        yield from _place(defect.other, defect.other_access or "", "with")
    if defect.allocation is not None:
        allocation = defect.allocation
        where = f", from {allocation.where}" if allocation.where else ""
        freed = ", freed" if allocation.freed else ""
        yield _row(
            "memory",
            f"{count(allocation.bytes, 'byte')} of {allocation.kind} at {allocation.base}{freed}{where}",
        )
    yield _row("why", defect.explanation)


def _accessed(defect: Defect) -> str:
    if defect.access is None or not defect.bytes:
        return ""
    where = {"global": "", "lds": " of LDS", "scratch": " of private memory", None: ""}[defect.space]
    return f"{defect.access} of {count(defect.bytes, 'byte')} at {defect.address}{where}"


def _place(place: ThreadPlace, accessed: str, label: str = "source") -> Iterator[str]:
    instruction = f"{place.instruction}  at +0x{place.code_offset:x}" if place.code_offset is not None else ""
    yield _row(label, place.source or "unknown: compile with -g")
    if instruction:
        yield _row("instruction", instruction)
    if accessed:
        yield _row("access", accessed)
    group, thread = (",".join(map(str, triple)) for triple in (place.workgroup, place.thread))
    more = len(place.lanes) - 1
    others = f" and {count(more, 'other lane')} of its wave" if more > 0 else ""
    yield _row("thread", f"({thread}) of workgroup ({group}){others}")


def _row(label: str, text: str) -> str:
    return f"  {label:<{_LABEL}}{text}"
