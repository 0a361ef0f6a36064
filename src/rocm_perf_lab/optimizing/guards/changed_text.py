"""Only the chosen kernel's body differs, nothing else of the file by a byte.

Two transforms change the head instead, when the user allows them: ``__restrict__`` on parameters and
``__launch_bounds__``. Neither is part of a kernel's type or symbol, and nothing else of the head may differ.
"""

from __future__ import annotations

from typing import Literal

from rocm_perf_lab.optimizing.refused import Refused
from rocm_perf_lab.optimizing.source.kernel import kernel_of, require_visible
from rocm_perf_lab.optimizing.source.model import SourceFunction, SourceKernel, Unit
from rocm_perf_lab.optimizing.source.read import read_unit
from rocm_perf_lab.optimizing.source.tokens import code_tokens

HeadChange = Literal["restrict", "launch-bounds"]


def check_changed_text(
    kernel: SourceKernel, text: bytes, head_change: HeadChange | None = None
) -> SourceKernel:
    """The kernel as it is in the new text of its file. Raises Refused."""
    old, function = kernel.text, kernel.function
    if text == old:
        raise Refused("nothing-changed", function.qualified_name)
    tail = len(old) - function.body.end
    before_same = text[: function.head.start] == old[: function.head.start]
    after_same = text[len(text) - tail :] == old[function.body.end :]
    if not before_same or not after_same or len(text) < function.head.start + tail:
        raise Refused("outside-body-changed", _first_difference(old, text))
    unit = read_unit(kernel.file.path, text=text)
    changed = _at(unit, function, len(text) - tail)
    old_head, new_head = function.head.of(old), changed.head.of(text)
    if old_head != new_head and not _allowed(old_head, new_head, head_change):
        raise Refused("signature-changed", f"line {function.line}")
    _same_surroundings(kernel.unit, unit)
    result = kernel_of(unit, changed)
    require_visible(result)
    return result


def _at(unit: Unit, function: SourceFunction, body_end: int) -> SourceFunction:
    """The function at the old place, whose body ends where the old rest of the file begins."""
    for found in unit.main.functions:
        if found.head.start == function.head.start:
            if found.name != function.name:
                raise Refused("signature-changed", f"{function.name} became {found.name}")
            if found.body.end != body_end:
                line = unit.main.line(min(found.body.end, len(unit.main.text)))
                raise Refused("body-not-closed", f"the body ends in line {line}, before its end or after")
            return found
    raise Refused("signature-changed", f"{function.qualified_name} is no longer a function")


def _same_surroundings(before: Unit, after: Unit) -> None:
    """The same functions and kernels, apart from the one: a body that closes itself early would add some."""
    old = [_identity(each) for each in before.main.functions]
    new = [_identity(each) for each in after.main.functions]
    if len(old) != len(new):
        raise Refused("body-not-closed", f"the file has {len(new)} functions instead of {len(old)}")
    for one, other in zip(old, new, strict=True):
        if one != other:
            raise Refused("outside-body-changed", f"{one[0]} became {other[0]}")


def _identity(function: SourceFunction) -> tuple[str, tuple[str, ...]]:
    types = (parameter.type.split() for parameter in function.parameters)
    return function.qualified_name, tuple(
        " ".join(word for word in words if "restrict" not in word) for words in types
    )


def _allowed(old: bytes, new: bytes, change: HeadChange | None) -> bool:
    if change is None:
        return False
    return _without(old, change) == _without(new, change)


def _without(head: bytes, change: HeadChange) -> list[str]:
    kept: list[str] = []
    code = code_tokens(head)
    place = 0
    while place < len(code):
        text = code[place].text
        if change == "restrict" and text in ("__restrict__", "__restrict"):
            place += 1
            continue
        if change == "launch-bounds" and text == "__launch_bounds__":
            depth = 0
            place += 1
            while place < len(code):
                depth += {"(": 1, ")": -1}.get(code[place].text, 0)
                place += 1
                if depth == 0:
                    break
            continue
        kept.append(text)
        place += 1
    return kept


def _first_difference(old: bytes, new: bytes) -> str:
    at = next(
        (place for place, (one, other) in enumerate(zip(old, new, strict=False)) if one != other),
        min(len(old), len(new)),
    )
    return f"line {old.count(bytes([10]), 0, at) + 1}"
