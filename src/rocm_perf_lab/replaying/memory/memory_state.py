"""Memory of a capture, before and after the kernel, and what replays left instead: read range by range."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from rocm_perf_lab.capturing.addresses import number
from rocm_perf_lab.capturing.region_file import CHUNK, PAGE, RegionFile
from rocm_perf_lab.replaying.memory.byte_ranges import ByteRanges

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocm_perf_lab.capturing.folder import Capture

_CHUNKS_KEPT = 64


class RegionMemory:
    """One region of a capture that has a file of its own."""

    def __init__(self, before: RegionFile, after: RegionFile | None) -> None:
        self.base, self.size = before.base, before.size
        self.files = (before, after)
        self._chunk_after = functools.lru_cache(_CHUNKS_KEPT)(self._decode_after)

    def before(self, start: int, end: int) -> NDArray[Any]:
        return self._read(start, end, self._decode_before)

    def after(self, start: int, end: int) -> NDArray[Any]:
        """What the kernel left in the program; the copy is the caller's."""
        return self._read(start, end, self._chunk_after)

    @property
    def changed(self) -> ByteRanges:
        """Pages that the kernel changed in the program."""
        return held(self.files[1]) if self.files[1] else ByteRanges()

    def _read(self, start: int, end: int, decode: Callable[[int], NDArray[Any]]) -> NDArray[Any]:
        import numpy as np

        result = np.empty(end - start, np.uint8)
        for chunk in range((start - self.base) // CHUNK, (end - 1 - self.base) // CHUNK + 1):
            place = self.base + chunk * CHUNK
            low, high = max(start, place), min(end, place + CHUNK)
            content = decode(chunk)
            result[low - start : high - start] = content[low - place : high - place]
        return result

    def _decode_before(self, chunk: int) -> NDArray[Any]:
        import numpy as np

        content = np.zeros(CHUNK, np.uint8)
        self.files[0].over(chunk, content)
        return content

    def _decode_after(self, chunk: int) -> NDArray[Any]:
        content = self._decode_before(chunk)
        if self.files[1] is not None:
            self.files[1].over(chunk, content)
        return content


class CapturedMemory:
    """All regions of a capture, open."""

    def __init__(self, capture: Capture) -> None:
        self._open = contextlib.ExitStack()
        self.regions: dict[int, RegionMemory] = {}
        for region in capture.memory.regions:
            before = capture.region_file(region, "before")
            if before is None:  # a second mapping of memory that is stored with its first
                continue
            self._open.enter_context(before)
            after = capture.region_file(region, "after")
            if after is not None:
                self._open.enter_context(after)
            self.regions[number(region.base)] = RegionMemory(before, after)

    def __enter__(self) -> CapturedMemory:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.close()


class Observation:
    """Where memory after one iteration of a replay is not as it was after the kernel in the program."""

    def __init__(self, folder: Path) -> None:
        """``folder``: iteration_<k> of ``rocm-perf-replay --observe``; no folder: nothing differs."""
        self._open = contextlib.ExitStack()
        self.regions: Mapping[int, RegionFile] = {}
        found = sorted(folder.glob("after_*.bin")) if folder.is_dir() else []
        files = [self._open.enter_context(RegionFile(path, "after")) for path in found]
        self.regions = {file.base: file for file in files}

    def pages(self, region: int) -> ByteRanges:
        """The pages of a region that differ anywhere."""
        return held(self.regions[region]) if region in self.regions else ByteRanges()

    def over(self, region: int, start: int, expected: NDArray[Any]) -> NDArray[Any]:
        """What the replay left from ``start`` on, where ``expected`` is what it should have left."""
        got: NDArray[Any] = expected.copy()
        file = self.regions.get(region)
        if file is None:
            return got
        end = start + len(expected)
        for chunk in range((start - file.base) // CHUNK, (end - 1 - file.base) // CHUNK + 1):
            place = file.base + chunk * CHUNK
            pages = file.pages_of(chunk)
            for page, content in zip(pages, file.read_chunk(chunk) if pages else (), strict=True):
                low, high = max(start, place + page * PAGE), min(end, place + (page + 1) * PAGE)
                if low < high:
                    offset = place + page * PAGE
                    got[low - start : high - start] = content[low - offset : high - offset]
        return got

    def __enter__(self) -> Observation:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.close()


def held(file: RegionFile) -> ByteRanges:
    """The pages that a file holds, within its region."""
    return ByteRanges.of(
        (file.base + page * PAGE, min(file.base + (page + 1) * PAGE, file.base + file.size))
        for page in file.held_pages()
    )
