"""C++ names of kernels for people, by the C++ runtime that every Linux with g++ has."""

from __future__ import annotations

import ctypes
import re
from functools import cache

# Half-precision types that demanglers before GCC 13 do not know. They are passed as built-in types that these
# know and no GPU code has (so that numbers of substitutions stay right), and named afterwards.
_NEWER_TYPES = {"DF16_": ("Dd", "decimal64", "_Float16"), "DF16b": ("Df", "decimal32", "__bf16")}


def demangle(symbol: str) -> str:
    """The name as written in the source, or the symbol itself when it is not a C++ name."""
    if not symbol.startswith("_Z"):
        return symbol
    older, names = symbol, []
    for newer, (known, shown, name) in _NEWER_TYPES.items():
        if newer in older and known not in symbol:
            older = older.replace(newer, known)
            names.append((shown, name))
    text = _demangle(older)
    if text is None:
        return symbol
    for shown, name in names:
        text = re.sub(rf"\b{shown}\b", name, text)
    return text


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


def _demangle(symbol: str) -> str | None:
    library = _library()
    if library is None:
        return None
    text = library.__cxa_demangle(symbol.encode(), None, None, None)
    if not text:
        return None
    try:
        return ctypes.string_at(text).decode(errors="replace")
    finally:
        library.free(text)


@cache
def _library() -> ctypes.CDLL | None:
    try:
        library = ctypes.CDLL("libstdc++.so.6")
    except OSError:
        return None
    library.__cxa_demangle.restype = ctypes.c_void_p
    library.__cxa_demangle.argtypes = [ctypes.c_char_p, *[ctypes.c_void_p] * 3]
    library.free.restype = None
    library.free.argtypes = [ctypes.c_void_p]
    return library
