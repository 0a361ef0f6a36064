"""Sets of bytes as ranges of addresses: sorted, disjoint, not touching."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

Range = tuple[int, int]  # first address, and the one after the last


@dataclass(frozen=True)
class ByteRanges:
    ranges: tuple[Range, ...] = ()

    @classmethod
    def of(cls, ranges: Iterable[Range]) -> ByteRanges:
        """From ranges in any order, which may overlap; empty ones are nothing."""
        joined: list[Range] = []
        for start, end in sorted(one for one in ranges if one[0] < one[1]):
            if joined and start <= joined[-1][1]:
                joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
            else:
                joined.append((start, end))
        return cls(tuple(joined))

    def __bool__(self) -> bool:
        return bool(self.ranges)

    def __iter__(self) -> Iterator[Range]:
        return iter(self.ranges)

    def __len__(self) -> int:
        return len(self.ranges)

    @property
    def size(self) -> int:
        """In bytes."""
        return sum(end - start for start, end in self.ranges)

    def union(self, other: ByteRanges) -> ByteRanges:
        return ByteRanges.of((*self.ranges, *other.ranges))

    def intersection(self, other: ByteRanges) -> ByteRanges:
        both: list[Range] = []
        mine, theirs = 0, 0
        while mine < len(self.ranges) and theirs < len(other.ranges):
            (start, end), (other_start, other_end) = self.ranges[mine], other.ranges[theirs]
            if max(start, other_start) < min(end, other_end):
                both.append((max(start, other_start), min(end, other_end)))
            if end <= other_end:
                mine += 1
            else:
                theirs += 1
        return ByteRanges(tuple(both))

    def difference(self, other: ByteRanges) -> ByteRanges:
        left: list[Range] = []
        theirs = 0
        for start, end in self.ranges:
            while theirs < len(other.ranges) and other.ranges[theirs][1] <= start:
                theirs += 1
            at, index = start, theirs
            while index < len(other.ranges) and other.ranges[index][0] < end:
                if at < other.ranges[index][0]:
                    left.append((at, other.ranges[index][0]))
                at = max(at, other.ranges[index][1])
                index += 1
            if at < end:
                left.append((at, end))
        return ByteRanges(tuple(left))

    def pages(self, page_size: int) -> ByteRanges:
        """The whole pages that these bytes lie in."""
        return ByteRanges.of(
            (start // page_size * page_size, -(-end // page_size) * page_size) for start, end in self.ranges
        )


def where(mask: NDArray[Any], base: int) -> ByteRanges:
    """The addresses at which a mask over consecutive bytes is true; ``base`` is that of its first."""
    import numpy as np

    edges = np.flatnonzero(np.diff(mask.astype(np.int8), prepend=0, append=0))
    return ByteRanges(
        tuple(
            (base + int(start), base + int(end)) for start, end in zip(edges[::2], edges[1::2], strict=True)
        )
    )
