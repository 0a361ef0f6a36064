"""Memory that ends where a page begins that nobody may touch: reading one byte too far is a signal."""

from __future__ import annotations

import ctypes
import mmap

_libc = ctypes.CDLL(None, use_errno=True)
_libc.mmap.restype = ctypes.c_void_p
_libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
_libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
_libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]


class Guarded:
    """Room for contents up to a size, used again for each."""

    def __init__(self, largest: int) -> None:
        self._size = -(-largest // mmap.PAGESIZE) * mmap.PAGESIZE
        readable = mmap.PROT_READ | mmap.PROT_WRITE
        private = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
        self._begin = _libc.mmap(None, self._size + mmap.PAGESIZE, readable, private, -1, 0)
        assert _libc.mprotect(self._begin + self._size, mmap.PAGESIZE, 0) == 0

    def put(self, content: bytes) -> int:
        """The address at which it lies until the next one comes."""
        address = self._begin + self._size - len(content)
        ctypes.memmove(address, content, len(content))
        return int(address)

    def close(self) -> None:
        _libc.munmap(self._begin, self._size + mmap.PAGESIZE)
