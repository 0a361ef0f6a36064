"""Writes region files (docs/reference/capture-format.md): chunks of sixteen pages, sparse and compressed."""

from __future__ import annotations

import struct
from pathlib import Path
from types import TracebackType
from typing import Any

import lz4.block  # type: ignore[import-untyped]
import numpy as np
import xxhash
from numpy.typing import NDArray

from rocm_perf_lab.capturing.region_file import (
    AS_IS,
    CHUNK,
    INDEX_ENTRY,
    LZ4_BLOCK,
    MAGIC,
    PAGE,
    PAGES_PER_CHUNK,
    State,
)

_HEADER = struct.Struct("<8sII6Q")


class RegionWriter:
    """Chunks come in any order, each at most once; leaving the block without an error completes the file."""

    def __init__(self, path: Path, state: State, base: int, size: int) -> None:
        self.path, self.state, self.base, self.size = path, state, base, size
        self.index = np.zeros(-(-size // CHUNK), INDEX_ENTRY)
        self.pages = 0
        self.payload_bytes = 0
        self.checksum = 0
        """Of header and index, for the manifest; known at the end."""
        self._file = path.open("xb")
        self._file.write(bytes(_HEADER.size))

    def add(self, chunk: int, pages: list[int], content: NDArray[Any]) -> None:
        """``content``: rows of the pages (0 to 15) of this chunk that are held."""
        if not pages:
            return
        payload = np.ascontiguousarray(content).tobytes()
        assert len(payload) == len(pages) * PAGE
        assert max(pages) < PAGES_PER_CHUNK
        packed: bytes = lz4.block.compress(payload, store_size=False)
        smaller = len(packed) < len(payload)
        stored = packed if smaller else payload
        self.index[chunk] = (
            self._file.tell(),
            len(stored),
            sum(1 << page for page in pages),
            LZ4_BLOCK if smaller else AS_IS,
            0,
            xxhash.xxh64_intdigest(payload),
        )
        self._file.write(stored)
        self.pages += len(pages)
        self.payload_bytes += len(stored)

    def __enter__(self) -> RegionWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._file:
            if kind is not None:
                return
            index = self.index.tobytes()
            header = _HEADER.pack(
                MAGIC[self.state],
                _HEADER.size,
                CHUNK,
                self.base,
                self.size,
                len(self.index),
                self._file.tell(),
                xxhash.xxh64_intdigest(index),
                0,
            )
            self._file.write(index)
            self._file.seek(0)
            self._file.write(header)
            self.checksum = xxhash.xxh64_intdigest(header + index)
