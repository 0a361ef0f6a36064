"""Damages files, from a seed: cut, overwritten anywhere, and with lies in the numbers of their headers."""

from __future__ import annotations

import random
import struct
from collections.abc import Iterator

ELF, BUNDLE, COMPRESSED = b"\x7fELF", b"__CLANG_OFFLOAD_BUNDLE__", b"CCOB"

Field = tuple[int, int]
"""Offset and size of a number."""


def fields(content: bytes) -> list[Field]:
    """The numbers in the headers of an image, and in those of the first code object in it."""
    if content.startswith(COMPRESSED):
        return [(4, 2), (6, 2), *((at, 4) for at in range(8, 32, 4)), (8, 8), (16, 8)]
    found = list(_of_bundle(content)) if content.startswith(BUNDLE) else []
    start = content.find(ELF)
    if start < 0:  # something else: its first words
        return found or [(at, 4) for at in range(0, 64, 4)]
    return found + [(start + at, size) for at, size in _of_elf(content[start:])]


def _of_bundle(content: bytes) -> Iterator[Field]:
    yield len(BUNDLE), 8
    at = len(BUNDLE) + 8
    for _ in range(struct.unpack_from("<Q", content, len(BUNDLE))[0]):
        yield from ((at, 8), (at + 8, 8), (at + 16, 8))
        at += 24 + struct.unpack_from("<Q", content, at + 16)[0]


def _of_elf(content: bytes) -> Iterator[Field]:
    yield from ((4, 1), (5, 1), (7, 1), (8, 1), (16, 2), (18, 2), (24, 8), (32, 8), (40, 8), (48, 4))
    yield from ((at, 2) for at in range(52, 64, 2))
    segments, sections = struct.unpack_from("<QQ", content, 32)
    segment_count, section_count = (struct.unpack_from("<H", content, at)[0] for at in (56, 60))
    for index in range(segment_count):
        at = segments + 56 * index
        yield from ((at, 4), (at + 4, 4), *((at + offset, 8) for offset in range(8, 56, 8)))
    for index in range(section_count):
        at = sections + 64 * index
        yield from ((at, 4), (at + 4, 4), (at + 40, 4), *((at + offset, 8) for offset in (8, 16, 24, 32, 56)))
        kind, offset, size = (
            *struct.unpack_from("<I", content, at + 4),
            *struct.unpack_from("<QQ", content, at + 24),
        )
        entry = {4: (24, 8), 6: (16, 8), 7: (4, 4), 11: (24, 4), 5: (4, 4)}.get(kind)  # RELA DYNAMIC NOTE …
        if entry:
            step, width = entry
            for place in range(offset, min(offset + size, offset + 1024), step):
                yield from ((place + part, width) for part in range(0, step, width))


def _lie(dice: random.Random, honest: int, size: int, length: int) -> int:
    largest = (1 << 8 * size) - 1
    lies = [
        *(0, 1, 7, largest, largest - 7, largest >> 1, (largest >> 1) + 1, dice.randrange(largest + 1)),
        *(length, length - 1, length + 1, max(length - honest, 0), honest + 1, honest - 1, honest << 1),
        *(honest ^ 1 << dice.randrange(8 * size), dice.randrange(2 * length + 1), 0x1000, 0x7FFFF000),
        *(0xFFFFFFFF, 0x100000000, 1 << 40, dice.randrange(64)),
    ]
    return dice.choice(lies) & largest


def damaged(content: bytes, dice: random.Random, known: list[Field] | None = None) -> bytes:
    """One variant; ``known`` are its fields, where many are made."""
    made = bytearray(content)
    places = fields(content) if known is None else known
    for _ in range(dice.choice((0, 1, 1, 1, 2, 3, 8))):
        at, size = dice.choice(places)
        if at + size <= len(made):
            honest = int.from_bytes(made[at : at + size], "little")
            made[at : at + size] = _lie(dice, honest, size, len(made)).to_bytes(size, "little")
    for _ in range(dice.choice((0, 0, 0, 1, 4, 40))):
        made[dice.randrange(len(made))] = dice.randrange(256)
    if dice.random() < 0.15:
        del made[dice.randrange(len(made)) :]
    if dice.random() < 0.05:
        made += dice.randbytes(dice.randrange(64))
    return bytes(made)


def variants(contents: dict[str, bytes], seed: int, count: int) -> Iterator[tuple[str, bytes]]:
    """That many, of all contents in turn, each named so that it can be made again."""
    known = {name: fields(content) for name, content in contents.items()}
    names = list(contents)
    for index in range(count):
        name = names[index % len(names)]
        dice = random.Random(f"{seed} {index}")
        yield f"{name}, seed {seed}, case {index}", damaged(contents[name], dice, known[name])
