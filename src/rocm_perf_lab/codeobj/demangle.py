"""C++ names of kernels, by the C++ runtime that is on the machine."""

from __future__ import annotations

import ctypes
from functools import cache

_RUNTIMES = ("libstdc++.so.6", "libc++abi.so.1")


@cache
def _runtime() -> ctypes.CDLL | None:
    for name in _RUNTIMES:
        try:
            library = ctypes.CDLL(name)
            library.__cxa_demangle.restype = ctypes.c_void_p
            library.__cxa_demangle.argtypes = [ctypes.c_char_p, *[ctypes.c_void_p] * 3]
            library.free.argtypes = [ctypes.c_void_p]
        except (OSError, AttributeError):
            continue
        return library
    return None


def demangle(symbol: str) -> str:
    """As written in the source; the symbol itself where it is no C++ name or there is no C++ runtime."""
    library = _runtime()
    if library is None or not symbol.startswith("_Z"):
        return symbol
    text = library.__cxa_demangle(symbol.encode(), None, None, None)
    if not text:
        return symbol
    try:
        return ctypes.string_at(text).decode(errors="replace")
    finally:
        library.free(text)
