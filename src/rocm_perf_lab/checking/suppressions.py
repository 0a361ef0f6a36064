"""Suppression files: which defects are known and not to be counted.

One pattern a line: a class of defects (or ``*``), then optional ``kernel=PATTERN`` and ``source=PATTERN``
with the wildcards of a shell. Empty lines and lines that begin with ``#`` say nothing.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path

from rocm_perf_lab.checking.request import CLASSES
from rocm_perf_lab.contracts.check import Defect
from rocm_perf_lab.errors import BadInput, UsageProblem


@dataclass(frozen=True)
class Suppression:
    text: str
    defect: str
    kernel: str | None
    source: str | None

    def covers(self, defect: Defect) -> bool:
        if self.defect not in ("*", defect.defect):
            return False
        if self.kernel is not None and not fnmatchcase(defect.kernel or "", self.kernel):
            return False
        return self.source is None or any(fnmatchcase(place, self.source) for place in _sources(defect))


def _sources(defect: Defect) -> list[str]:
    """Of a race both sides; of a leak the call that asked for the memory."""
    places = [place.source for place in (defect.place, defect.other) if place is not None]
    if defect.place is None and defect.allocation is not None:
        places.append(defect.allocation.where)
    return [place for place in places if place is not None]


def read_suppressions(path: Path) -> tuple[Suppression, ...]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageProblem(
            f"{path} cannot be read: {error}", "name a text file with --suppressions"
        ) from None
    return tuple(
        _suppression(line.strip(), f"{path}:{number}")
        for number, line in enumerate(lines, 1)
        if line.strip() and not line.strip().startswith("#")
    )


def _suppression(line: str, place: str) -> Suppression:
    try:
        first, *rest = shlex.split(line)
    except ValueError as error:
        raise BadInput(f"{place}: {error}", "close every quote that is opened") from None
    if first != "*" and first not in CLASSES:
        raise BadInput(f"{place}: there is no class {first!r}", f"one of {', '.join(CLASSES)}, or *")
    given: dict[str, str] = {}
    for word in rest:
        name, equals, pattern = word.partition("=")
        if not equals or name not in ("kernel", "source") or name in given:
            raise BadInput(f"{place}: {word!r} is no pattern", "kernel=PATTERN or source=PATTERN")
        given[name] = pattern
    return Suppression(line, first, given.get("kernel"), given.get("source"))


def apply(suppressions: Iterable[Suppression], defects: Iterable[Defect]) -> tuple[Defect, ...]:
    known = tuple(suppressions)
    return tuple(
        replace(defect, suppressed_by=next((one.text for one in known if one.covers(defect)), None))
        for defect in defects
    )
