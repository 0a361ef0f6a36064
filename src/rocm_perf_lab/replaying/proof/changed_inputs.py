"""Inputs of a captured kernel, changed: it has something else to compute, and still something sensible.

Floating-point numbers shrink by up to a half and keep their sign; integers of a buffer change places, so that
indices stay indices; sizes among the arguments become smaller by one. Pointers stay. Whether the kernel bears
it, running the original with the same inputs tells.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from rocm_perf_lab.capturing.addresses import number
from rocm_perf_lab.capturing.arguments import TypedArgument, typed_arguments
from rocm_perf_lab.capturing.element_layout import ElementLayout, Field, Scalar, numbers
from rocm_perf_lab.capturing.folder import Capture
from rocm_perf_lab.replaying.memory.buffers import Buffer
from rocm_perf_lab.replaying.memory.byte_ranges import ByteRanges
from rocm_perf_lab.replaying.memory.memory_state import CapturedMemory

Part = Literal["values", "order", "arguments", "fewer groups", "more groups"]
WORDS: dict[Part, str] = {
    "values": "other floating-point values",
    "order": "integers in another order",
    "arguments": "smaller arguments",
    "fewer groups": "one workgroup less",
    "more groups": "one workgroup more",
}
# More than this of a buffer's bytes is not changed: every changed byte is written and read again. Chosen.
MOST_BYTES = 64 << 20
# Regions with more than this are not changed: the whole file of one is written again. Chosen.
MOST_STORED_BYTES = 1 << 30
# Integers from here on may be sizes; below, they are more often flags and choices. Chosen.
LEAST_SIZE = 3
# An argument above this is no size of anything that fits on a GPU; it may be an address. Chosen.
MOST_SIZE = 1 << 40

Bytes = NDArray[np.uint8]


@dataclass
class ChangedInputs:
    parts: frozenset[Part]
    """Those of which something did change."""
    memory: dict[int, list[tuple[int, Bytes]]] = field(default_factory=dict)
    """By the base of a region: addresses, and what is there now."""
    kernarg: bytes | None = None
    grid: tuple[int, int, int] | None = None
    """In work-items."""

    def __str__(self) -> str:
        return ", ".join(words for part, words in WORDS.items() if part in self.parts)


def change_inputs(
    capture: Capture,
    memory: CapturedMemory,
    buffers: Sequence[Buffer],
    read: ByteRanges | None,
    parts: frozenset[Part],
    seed: int,
) -> ChangedInputs:
    """``read``: what the kernel reads; None: all that its arguments point at may be."""
    found = ChangedInputs(frozenset())
    done: set[Part] = set()
    if parts & {"values", "order"}:
        for buffer in _inputs(capture, buffers):
            for start, end in _blocks(buffer, read):
                before = memory.regions[buffer.region].before(start, end)
                after, changed = changed_elements(buffer.layout, before, parts, seed ^ start)
                if changed:
                    found.memory.setdefault(buffer.region, []).append((start, after))
                    done |= changed
    if "arguments" in parts:
        kernarg = smaller_arguments(capture.kernarg(), typed_arguments(capture))
        if kernarg is not None:
            found.kernarg = kernarg
            done.add("arguments")
    for part, more in (("fewer groups", -1), ("more groups", 1)):
        if part in parts:
            grid = other_grid(capture, more)
            if grid is not None:
                found.grid = grid
                found.kernarg = _with_counts(found.kernarg or capture.kernarg(), capture, grid)
                done |= {one for one in parts if one == part}
    found.parts = frozenset(done)
    return found


def _inputs(capture: Capture, buffers: Sequence[Buffer]) -> Iterator[Buffer]:
    """Not variables and constants of the code, which a variant may have folded, and not the arguments."""
    kinds = {number(region.base): region for region in capture.memory.regions}
    for buffer in buffers:
        region = kinds.get(buffer.region)
        if region is None or region.kind == "globals" or region.pool == "kernarg":
            continue
        if buffer.named and region.stored_bytes <= MOST_STORED_BYTES:
            yield buffer


def _blocks(buffer: Buffer, read: ByteRanges | None) -> Iterator[tuple[int, int]]:
    left = MOST_BYTES
    for start, end in buffer.blocks(read if read is not None else ByteRanges(((buffer.start, buffer.end),))):
        if left <= 0:
            return
        left -= end - start
        yield start, end


def changed_elements(
    layout: ElementLayout, before: Bytes, parts: frozenset[Part], seed: int
) -> tuple[Bytes, set[Part]]:
    """Whole elements in a row, and what of them did change."""
    choose = np.random.default_rng(seed)
    rows = before.reshape(-1, layout.stride).copy()
    done: set[Part] = set()
    order = choose.permutation(len(rows))
    for one in layout.fields:
        span = slice(one.offset, one.offset + one.scalar.size)
        old = rows[:, span].copy()
        if one.scalar.floating and "values" in parts:
            rows[:, span] = _shrunk(one.scalar, old, choose)
        elif one.scalar.kind in ("signed", "unsigned") and "order" in parts:
            rows[:, span] = old[order]
        if (rows[:, span] != old).any():
            done.add("values" if one.scalar.floating else "order")
    return rows.reshape(-1), done


def _shrunk(scalar: Scalar, raw: Bytes, choose: np.random.Generator) -> Bytes:
    """Each by a factor from 0.5 to 1; zeros become as large as the others are, or up to 1."""
    values = numbers(scalar, raw)
    factors = 0.5 + 0.5 * choose.random(len(values))
    finite = np.isfinite(values)
    sizes = np.abs(values[finite & (values != 0)])
    typical = float(np.median(sizes)) if len(sizes) else 1.0
    with np.errstate(invalid="ignore", over="ignore"):
        changed = np.where(values == 0, typical * factors, values * factors)
    result: Bytes = raw.copy()
    result[finite] = _raw(scalar, changed[finite])
    return result


def _raw(scalar: Scalar, values: NDArray[np.float64]) -> Bytes:
    with np.errstate(over="ignore"):
        if scalar.kind == "bfloat":
            narrow = values.astype("<f4").view("<u4") >> 16
            return narrow.astype("<u2").view(np.uint8).reshape(-1, 2)
        return values.astype(f"<f{scalar.size}").view(np.uint8).reshape(-1, scalar.size)


def smaller_arguments(kernarg: bytes, arguments: Sequence[TypedArgument]) -> bytes | None:
    """The kernarg segment with all sizes smaller by one; None where there is none."""
    changed = bytearray(kernarg)
    for argument in arguments:
        if argument.hidden or argument.captured.value_kind != "by_value":
            continue
        for one in _fields(argument):
            at, size = argument.captured.offset + one.offset, one.scalar.size
            signed = one.scalar.kind == "signed"
            value = int.from_bytes(kernarg[at : at + size], "little", signed=signed)
            if LEAST_SIZE <= value < MOST_SIZE:
                changed[at : at + size] = (value - 1).to_bytes(size, "little", signed=signed)
    return bytes(changed) if changed != kernarg else None


def _fields(argument: TypedArgument) -> list[Field]:
    """The integers in an argument. What has no known type is one where it cannot be another number."""
    if argument.layout is not None and any(one.scalar.kind != "raw" for one in argument.layout.fields):
        return [
            one
            for one in argument.layout.fields
            if one.scalar.kind in ("signed", "unsigned") and one.scalar.size > 1
        ]
    size = len(argument.raw)
    # Read as a floating-point number, these would be nearly 0.
    if size in (4, 8) and int.from_bytes(argument.raw, "little") < 1 << 20:
        return [Field("", 0, Scalar("integer", "unsigned", size))]
    return []


def other_grid(capture: Capture, more: int) -> tuple[int, int, int] | None:
    """The grid with one workgroup more or less along its longest side; None where none would be left."""
    geometry = capture.dispatch.geometry
    counts = [grid // size for grid, size in zip(geometry.grid, geometry.workgroup, strict=True)]
    axis = counts.index(max(counts))
    if counts[axis] + more < 1:
        return None
    x, y, z = (
        size + (more * geometry.workgroup[at] if at == axis else 0) for at, size in enumerate(geometry.grid)
    )
    return x, y, z


def _with_counts(kernarg: bytes, capture: Capture, grid: tuple[int, int, int]) -> bytes:
    """The hidden arguments that tell a kernel how many workgroups there are."""
    changed = bytearray(kernarg)
    sizes = capture.dispatch.geometry.workgroup
    for argument in capture.dispatch.arguments:
        if argument.value_kind.startswith("hidden_block_count_"):
            axis = "xyz".index(argument.value_kind[-1])
            count = grid[axis] // sizes[axis]
            changed[argument.offset : argument.offset + argument.size] = count.to_bytes(
                argument.size, "little"
            )
    return bytes(changed)
