"""Reads the files that hold the memory of a capture: chunks of sixteen pages, sparse and compressed.

::

    header 64 bytes | payloads, in any order | index: 24 bytes for each chunk, in the order of addresses

docs/reference/capture-format.md has the bytes. Memory stays bounded: the index and one chunk are held at a
time. Every number in a file is a claim; each is checked before it is used.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Literal

import lz4.block  # type: ignore[import-untyped]
import numpy as np
import xxhash
from numpy.typing import NDArray

from rocm_perf_lab.capturing.open_files import OpenFiles
from rocm_perf_lab.errors import BadInput

PAGE = 4096
PAGES_PER_CHUNK = 16
CHUNK = PAGE * PAGES_PER_CHUNK
State = Literal["before", "after"]
MAGIC: dict[State, bytes] = {"before": b"RPLREG01", "after": b"RPLAFT01"}
AS_IS, LZ4_BLOCK = 0, 1

_HEADER = struct.Struct("<8sII6Q")
INDEX_ENTRY = np.dtype(
    [
        ("offset", "<u8"),
        ("stored", "<u4"),
        ("pages", "<u2"),
        ("codec", "u1"),
        ("zero", "u1"),
        ("checksum", "<u8"),
    ]
)
_AGAIN = "capture it again, or copy it again from where it came from"
_BITS = np.array([value.bit_count() for value in range(1 << 16)], dtype=np.uint8)  # pages that a mask holds

Pages = NDArray[np.uint8]


class RegionFile:
    """One ``region_`` or ``after_`` file; BadInput, with its name, where it is not as it should be."""

    _files = OpenFiles()  # of all of them

    def __init__(self, path: Path, state: State) -> None:
        self.path = path
        self.state: State = state
        try:
            self.file_bytes = path.stat().st_size
        except OSError as error:
            raise BadInput(f"{path}: {error.strerror}", _AGAIN) from error
        try:
            self._read_header()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        self._files.close(self.path)

    def __enter__(self) -> RegionFile:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _read_header(self) -> None:
        header = self._bytes_at(0, _HEADER.size)
        magic, header_size, chunk_size, base, size, chunks, index_at, index_sum, zero = _HEADER.unpack(header)
        if magic != MAGIC[self.state]:
            what = next((state for state, known in MAGIC.items() if known == magic), None)
            said = f"it has the memory {what} the kernel" if what else "it does not begin as one"
            raise self._bad(f"is not a file of memory {self.state} the kernel: {said}")
        if (header_size, chunk_size, zero) != (_HEADER.size, CHUNK, 0):
            raise self._bad("has a header of an unknown form")
        if chunks != -(-size // CHUNK) or base + size > 1 << 64:
            raise self._bad(f"says {size} bytes at {base:#x} in {chunks} chunks, which cannot be")
        if index_at < _HEADER.size or index_at + chunks * INDEX_ENTRY.itemsize != self.file_bytes:
            raise self._bad("is truncated, or has been written to: its index is not at its end")
        index = self._bytes_at(index_at, chunks * INDEX_ENTRY.itemsize)
        if xxhash.xxh64_intdigest(index) != index_sum:
            raise self._bad("is damaged: the checksum of its index is wrong")
        self.base: int = base
        self.size: int = size
        self.checksum: int = xxhash.xxh64_intdigest(header + index)
        """What manifest.json has: of header and index."""
        self.index = np.frombuffer(index, dtype=INDEX_ENTRY)
        self._check_index(index_at)

    def _check_index(self, index_at: int) -> None:
        index = self.index
        end = index["offset"] + index["stored"]
        held = index["stored"] > 0
        payload = _BITS[index["pages"]].astype(np.uint32) * PAGE
        impossible = (
            (held != (index["pages"] != 0))
            | (held & ((index["offset"] < _HEADER.size) | (end < index["offset"]) | (end > index_at)))
            | (held & (index["codec"] == AS_IS) & (index["stored"] != payload))
            | (held & (index["stored"] > payload))
            | (index["codec"] > LZ4_BLOCK)
        )
        if self.size % CHUNK and len(index):
            pages_of_last = -(-(self.size % CHUNK) // PAGE)
            impossible[-1] |= int(index["pages"][-1]) >> pages_of_last != 0
        if impossible.any():
            raise self._bad(f"is damaged: chunk {int(impossible.argmax())} of its index cannot be")

    @property
    def chunk_count(self) -> int:
        return len(self.index)

    @property
    def pages_held(self) -> int:
        return int(_BITS[self.index["pages"]].sum(dtype=np.uint64))

    @property
    def payload_bytes(self) -> int:
        return int(self.index["stored"].sum(dtype=np.uint64))

    def held_pages(self) -> Iterator[int]:
        """Numbers of the pages that are held, in the order of addresses."""
        for chunk in np.flatnonzero(self.index["pages"]).tolist():
            yield from (chunk * PAGES_PER_CHUNK + page for page in self.pages_of(chunk))

    def pages_of(self, chunk: int) -> list[int]:
        """Which of its sixteen pages a chunk holds."""
        mask = int(self.index["pages"][chunk])
        return [page for page in range(PAGES_PER_CHUNK) if mask >> page & 1]

    def held_chunks(self) -> list[int]:
        found: list[int] = np.flatnonzero(self.index["pages"]).tolist()
        return found

    def read_chunk(self, chunk: int) -> Pages:
        """The pages that a chunk holds, as rows; their checksum is checked."""
        entry = self.index[chunk]
        pages = len(self.pages_of(chunk))
        if not pages:
            return np.zeros((0, PAGE), dtype=np.uint8)
        stored = self._bytes_at(int(entry["offset"]), int(entry["stored"]))
        payload = self._decompressed(chunk, stored, pages * PAGE) if entry["codec"] == LZ4_BLOCK else stored
        if len(payload) != pages * PAGE or xxhash.xxh64_intdigest(payload) != int(entry["checksum"]):
            raise self._bad(f"is damaged: the checksum of chunk {chunk} ({self._place(chunk)}) is wrong")
        return np.frombuffer(payload, dtype=np.uint8).reshape(pages, PAGE)

    def over(self, chunk: int, memory: NDArray[np.uint8]) -> None:
        """Writes the pages that a chunk holds over ``memory``, the 64 KiB of that chunk."""
        pages = self.pages_of(chunk)
        if pages:
            memory.reshape(PAGES_PER_CHUNK, PAGE)[pages] = self.read_chunk(chunk)

    def page(self, number: int) -> Pages | None:
        """One page, or None where it is not held (zero before; as before in an after file)."""
        chunk, place = divmod(number, PAGES_PER_CHUNK)
        held = self.pages_of(chunk)
        if place not in held:
            return None
        row: Pages = self.read_chunk(chunk)[held.index(place)]
        return row

    def verify(self, tick: Callable[[int], None] | None = None) -> None:
        """Reads all that is stored; ``tick`` is told how many bytes that were, as it goes."""
        for chunk in self.held_chunks():
            self.read_chunk(chunk)
            if tick:
                tick(int(self.index["stored"][chunk]))

    def _decompressed(self, chunk: int, stored: bytes, size: int) -> bytes:
        try:
            payload: bytes = lz4.block.decompress(stored, uncompressed_size=size)
        except lz4.block.LZ4BlockError as error:
            raise self._bad(f"is damaged: chunk {chunk} ({self._place(chunk)}) cannot be unpacked") from error
        return payload

    def _place(self, chunk: int) -> str:
        return f"memory from {self.base + chunk * CHUNK:#x}"

    def _bytes_at(self, offset: int, size: int) -> bytes:
        try:
            part = self._files.read(self.path, offset, size)
        except OSError as error:
            raise BadInput(f"{self.path}: {error.strerror}", _AGAIN) from error
        if len(part) < size:
            raise self._bad("is truncated")
        return part

    def _bad(self, what: str) -> BadInput:
        return BadInput(f"{self.path} {what}", _AGAIN)
