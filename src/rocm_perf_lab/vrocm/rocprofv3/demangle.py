"""C++ names of kernels for people, by the C++ runtime that the virtual ROCm's libraries need anyway."""

from __future__ import annotations

import ctypes
from functools import cache


@cache
def _library() -> ctypes.CDLL | None:
    try:
        library = ctypes.CDLL("libstdc++.so.6")
    except OSError:
        return None
    library.__cxa_demangle.restype = ctypes.c_void_p
    library.__cxa_demangle.argtypes = [ctypes.c_char_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]
    return library


def demangle(symbol: str) -> str:
    """The name as written in the source, or the symbol itself when it is not a C++ name."""
    library = _library()
    if library is None or not symbol.startswith("_Z"):
        return symbol
    status = ctypes.c_int()
    text = library.__cxa_demangle(symbol.encode(), None, None, ctypes.byref(status))
    if not text:
        return symbol
    try:
        return ctypes.string_at(text).decode()
    finally:
        _free(text)


def _free(pointer: int) -> None:
    free = ctypes.CDLL(None).free
    free.argtypes = [ctypes.c_void_p]
    free(pointer)


def truncated(name: str) -> str:
    """The bare function name: no return type, namespaces, template arguments or parameters."""
    end, depth = len(name), 0
    text = name.replace("(anonymous namespace)", "anonymous_namespace").replace("operator()", "operator_call")
    # Cut the parameter list: the first '(' outside of template arguments.
    for position, character in enumerate(text):
        if character == "<":
            depth += 1
        elif character == ">":
            depth -= 1
        elif character == "(" and depth == 0:
            end = position
            break
    else:
        end = len(text)
    kept, depth = [], 0
    for character in text[:end]:
        if character == "<":
            depth += 1
        elif character == ">":
            depth -= 1
        elif depth == 0:
            kept.append(character)
    bare = "".join(kept).strip().split(" ")[-1]
    return bare.split("::")[-1] or name
