"""Files that stay open between reads, but not all of them: captures may have more than may be open."""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from pathlib import Path

MOST_OPEN = 64


class OpenFiles:
    """Reads pieces of files; the descriptors of those that were read last are kept."""

    def __init__(self, most: int = MOST_OPEN) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._descriptors: OrderedDict[Path, int] = OrderedDict()

    def read(self, path: Path, offset: int, size: int) -> bytes:
        """As many bytes as there are, up to ``size``; raises OSError."""
        with self._lock:
            descriptor = self._descriptor(path)
            part = os.pread(descriptor, size, offset)
            while len(part) < size and (more := os.pread(descriptor, size - len(part), offset + len(part))):
                part += more
            return part

    def close(self, path: Path) -> None:
        with self._lock:
            descriptor = self._descriptors.pop(path, None)
            if descriptor is not None:
                os.close(descriptor)

    def _descriptor(self, path: Path) -> int:
        if path in self._descriptors:
            self._descriptors.move_to_end(path)
        else:
            if len(self._descriptors) >= self._most:
                os.close(self._descriptors.popitem(last=False)[1])
            self._descriptors[path] = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        return self._descriptors[path]
