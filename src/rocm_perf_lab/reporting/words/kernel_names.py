"""Kernel names that fit a table: parameters, then namespaces, then template arguments are left out."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rocm_perf_lab.reporting.words.figures import cut_middle

_CLONE = re.compile(r"(\s*\[clone [^\]]*\]|\.kd)+$")
_NAMESPACES = re.compile(r"(?:[A-Za-z_]\w*::)+(?=[A-Za-z_~{])")
_ANONYMOUS = "(anonymous namespace)::"
_OPENING, _CLOSING = "(<[{", ")>]}"


def short_names(names: Sequence[str], width: int) -> list[str]:
    """One name each, no two alike."""
    shortened = [short_name(name, width) for name in names]
    for index, name in enumerate(shortened):
        if shortened.count(name) > 1:
            shortened[index] = cut_middle(_without_namespaces(_without_parameters(names[index])), width)
    seen: dict[str, int] = {}
    for index, name in enumerate(shortened):
        seen[name] = seen.get(name, 0) + 1
        if seen[name] > 1:
            ending = f" #{seen[name]}"
            shortened[index] = cut_middle(name, width - len(ending)) + ending
    return shortened


def short_name(name: str, width: int) -> str:
    """The first of ever shorter forms that fits."""
    form = name
    for shorten in (_without_parameters, _without_namespaces, _without_template_arguments):
        form = shorten(form)
        if len(form) <= width:
            return form
    return cut_middle(form, width)


def _without_parameters(name: str) -> str:
    text = _CLONE.sub("", name.strip()).replace(_ANONYMOUS, "")
    text = text.removesuffix(" const")
    if text.endswith(")"):
        opening = _matching(text)
        if opening > 0:
            text = text[:opening]
    return _without_return_type(text)


def _matching(text: str) -> int:
    """Where the last bracket of the text is opened; -1: nowhere."""
    depth = 0
    for index in range(len(text) - 1, -1, -1):
        if text[index] == ")":
            depth += 1
        elif text[index] == "(":
            depth -= 1
            if depth == 0:
                return index
    return -1


def _without_return_type(text: str) -> str:
    depth = 0
    last = 0
    for index, letter in enumerate(text):
        if letter in _OPENING:
            depth += 1
        elif letter in _CLOSING:
            depth -= 1
        elif letter == " " and depth == 0 and not text[:index].endswith("operator"):
            last = index + 1
    return text[last:] or text


def _without_namespaces(text: str) -> str:
    return _NAMESPACES.sub("", text)


def _without_template_arguments(text: str) -> str:
    kept, depth = [], 0
    for letter in text:
        if letter == "<":
            if depth == 0:
                kept.append("<…>")
            depth += 1
        elif letter == ">" and depth > 0:
            depth -= 1
        elif depth == 0:
            kept.append(letter)
    return "".join(kept)
