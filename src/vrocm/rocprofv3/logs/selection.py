"""Which dispatches are counted (and, with ATT, traced): by kernel name and by how often the kernel ran."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from ..errors import RequestRefused


@dataclass(frozen=True)
class IterationRanges:
    """Runs of a kernel, counted from 1; both ends included. None: to the last."""

    ranges: tuple[tuple[int, int | None], ...] = ()

    def contains(self, iteration: int) -> bool:
        if not self.ranges:
            return True
        return any(low <= iteration and (high is None or iteration <= high) for low, high in self.ranges)


def parse_iteration_ranges(texts: list[str]) -> IterationRanges:
    """Takes what rocprofv3 takes: ``[1-2]``, ``[3,5-7]``, ``1-4`` and several of them."""
    found: list[tuple[int, int | None]] = []
    for text in texts:
        for part in text.strip().strip("[]").split(","):
            item = part.strip().strip("[]")
            if not item:
                continue
            match = re.fullmatch(r"(\d+)(?:\s*-\s*(\d+))?", item)
            if not match:
                raise RequestRefused(
                    f"--kernel-iteration-range: '{text}' is not a range such as [1-3] or [2,4-6]"
                )
            low = int(match[1])
            high = int(match[2]) if match[2] else low
            if low < 1 or high < low:
                raise RequestRefused(
                    f"--kernel-iteration-range: '{item}' holds no run (they are counted from 1)"
                )
            found.append((low, high))
    return IterationRanges(tuple(found))


def _compiled(option: str, pattern: str | None) -> re.Pattern[str] | None:
    if not pattern:
        return None
    try:
        return re.compile(pattern)
    except re.error as problem:
        raise RequestRefused(f"--{option}: '{pattern}' is not a regular expression: {problem}") from None


class KernelSelection:
    """Asked for every dispatch in order of launch."""

    def __init__(self, include: str | None, exclude: str | None, iterations: IterationRanges) -> None:
        self._include = _compiled("kernel-include-regex", include)
        self._exclude = _compiled("kernel-exclude-regex", exclude)
        self._iterations = iterations
        self._runs: Counter[int] = Counter()

    def takes(self, kernel: int, name: str) -> bool:
        if self._include and not self._include.search(name):
            return False
        if self._exclude and self._exclude.search(name):
            return False
        self._runs[kernel] += 1
        return self._iterations.contains(self._runs[kernel])
