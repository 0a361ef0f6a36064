"""What a kernel read and wrote, byte by byte, as the virtual GPU saw it (VROCM_ACCESS_SET)."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from rocm_perf_lab.errors import EnvironmentProblem
from rocm_perf_lab.replaying.memory.byte_ranges import ByteRanges

VARIABLE = "VROCM_ACCESS_SET"


@dataclass(frozen=True)
class AccessSet:
    read: ByteRanges
    written: ByteRanges
    read_before_written: ByteRanges

    @property
    def only_written(self) -> ByteRanges:
        """Bytes whose value before the kernel cannot matter to it."""
        return self.written.difference(self.read_before_written)


def read_access_set(path: Path, kernel: str) -> AccessSet | None:
    """Of the first dispatch of a kernel (by its demangled name) that ended well; None where there is none."""
    try:
        lines = path.read_text().splitlines()
    except OSError:  # a virtual GPU that does not observe
        return None
    try:
        for entry in map(json.loads, lines):
            if entry["kernel"] == kernel and entry["complete"]:
                return AccessSet(
                    _ranges(entry["read"]),
                    _ranges(entry["written"]),
                    _ranges(entry["read_before_written"]),
                )
    except (ValueError, KeyError, TypeError) as error:
        raise EnvironmentProblem(
            f"the virtual GPU wrote an access set that cannot be read: {error}"
        ) from error
    return None


def _ranges(listed: Iterable[tuple[str, int]]) -> ByteRanges:
    return ByteRanges.of((int(base, 16), int(base, 16) + size) for base, size in listed)
