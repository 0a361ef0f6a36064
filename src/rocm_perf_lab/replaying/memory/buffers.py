"""Cuts memory regions into the buffers that arguments point at, each with the layout of its elements."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rocm_perf_lab.capturing.element_layout import RAW, ElementLayout
from rocm_perf_lab.replaying.memory.byte_ranges import ByteRanges, Range

# Blocks in which buffers are read: memory stays bounded however large they are.
BLOCK = 2 << 20
UNNAMED = "argument "  # and its number, where the code object does not have the name
_REST = " (rest)"


@dataclass(frozen=True)
class Pointer:
    """An argument that points into a region."""

    name: str
    address: int
    layout: ElementLayout | None
    """None: its type does not tell; bytes are compared."""


@dataclass(frozen=True)
class Buffer:
    name: str
    region: int
    """Base address."""
    start: int
    end: int
    origin: int
    """Where element 0 is; not always inside."""
    layout: ElementLayout
    named: bool = True
    """By an argument that points at it; False: by a symbol of the module, or only by where it lies."""

    @property
    def size(self) -> int:
        return self.end - self.start

    def blocks(self, wanted: ByteRanges, most: int = BLOCK) -> Iterator[Range]:
        """Whole elements that have any of the wanted bytes, as ranges of addresses, each element once."""
        stride = self.layout.stride
        step = max(stride, most // stride * stride)
        done = self.start
        for start, end in wanted.intersection(ByteRanges(((self.start, self.end),))):
            first = max(done, self.origin + (start - self.origin) // stride * stride)
            last = self.origin - (self.origin - end) // stride * stride
            for at in range(first, last, step):
                yield at, min(at + step, last)
            done = max(done, last)

    def index(self, address: int) -> int:
        return (address - self.origin) // self.layout.stride


def buffers_of(base: int, size: int, pointers: Sequence[Pointer], name: str) -> list[Buffer]:
    """The buffers of one region. From a pointer to the next (or the end) memory is an array of the former's
    type; what lies before the first pointer belongs to it, too, with negative indices. ``name`` is for a
    region that nothing points into."""
    end = base + size
    inside = _first_of_each([one for one in pointers if base <= one.address < end])
    found: list[Buffer] = []
    for number, pointer in enumerate(inside):
        start = pointer.address if number else base
        stop = inside[number + 1].address if number + 1 < len(inside) else end
        layout = pointer.layout or RAW
        below = start + (pointer.address - start) % layout.stride
        above = stop - (stop - below) % layout.stride if below < stop else below
        if above <= below:  # not one whole element
            below, above, layout = start, stop, RAW
        found += _rest(pointer.name, base, start, below)
        found.append(Buffer(pointer.name, base, below, above, pointer.address, layout))
        found += _rest(pointer.name, base, above, stop)
    return found or [Buffer(name, base, base, end, base, RAW, named=False)]


def names_of(buffer: Buffer) -> list[str]:
    """What users may call it: by the names of its arguments, by a number where there is no name."""
    parts = buffer.name.removesuffix(_REST).split(", ")
    return [part.removeprefix(UNNAMED) for part in parts]


def _rest(name: str, region: int, start: int, end: int) -> Iterable[Buffer]:
    """Bytes at the ends that make no whole element."""
    return [Buffer(f"{name}{_REST}", region, start, end, start, RAW)] if start < end else []


def _first_of_each(pointers: Sequence[Pointer]) -> list[Pointer]:
    """One for each address, in order: the first with a known type, under the names of all."""
    by_address: dict[int, list[Pointer]] = {}
    for pointer in pointers:
        by_address.setdefault(pointer.address, []).append(pointer)
    return [
        Pointer(
            ", ".join(dict.fromkeys(one.name for one in same)),
            address,
            next((one.layout for one in same if one.layout is not None), None),
        )
        for address, same in sorted(by_address.items())
    ]
