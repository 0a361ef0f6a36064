"""What C++ names of kernels say: the types of their parameters."""

from __future__ import annotations

import re

from vrocm.cxx_names import demangle as demangle


def parameter_types(name: str) -> list[str] | None:
    """The types of a function's parameters, from its demangled name; None where that has none."""
    text = re.sub(r"(\s*\[clone [^\]]*\]|\.kd)+$", "", name.strip()).removesuffix(" const")
    if not text.endswith(")"):
        return None
    opening = _opening_bracket(text)
    if opening <= 0:
        return None
    inside = text[opening + 1 : -1].strip()
    return [] if inside in ("", "void") else _split_at_commas(inside)


def pointed_type(type_name: str) -> str | None:
    """What a pointer type points to: ``float const`` of ``float const*``; None for other types."""
    text = re.sub(r"(\s*\b(const|volatile|__restrict|restrict|__restrict__))+$", "", type_name.strip())
    if text.endswith("*"):
        return text[:-1].strip() or None
    array = re.fullmatch(r"(.+?)\s*\(\*\)\s*((?:\[\d*\])+)", text)  # a pointer to an array
    return f"{array[1]} {array[2]}" if array else None


def _opening_bracket(text: str) -> int:
    """Where the last bracket of the text is opened; -1: nowhere."""
    depth = 0
    for index in range(len(text) - 1, -1, -1):
        depth += {")": 1, "(": -1}.get(text[index], 0)
        if depth == 0:
            return index
    return -1


def _split_at_commas(text: str) -> list[str]:
    parts, depth, start = [], 0, 0
    for index, letter in enumerate(text):
        if letter in "(<[{":
            depth += 1
        elif letter in ")]}" or (letter == ">" and text[index - 1] != "-"):
            depth -= 1
        elif letter == "," and depth == 0:
            parts.append(text[start:index].strip())
            start = index + 1
    return [*parts, text[start:].strip()]
