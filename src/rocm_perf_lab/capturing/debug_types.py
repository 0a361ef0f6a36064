"""Names and types of a kernel's parameters from its debug information (DWARF of a program built with -g)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rocm_perf_lab.capturing.element_layout import (
    POINTER_BYTES,
    ElementLayout,
    Field,
    Kind,
    Scalar,
    layout_of,
    of_array,
    of_scalar,
    of_vector,
)
from rocm_perf_lab.codeobj.debug_information import (
    SCOPES,
    functions_of,
    open_debug_information,
    symbol_of,
    text_of,
)

UNNAMED = "unnamed"
_MOST_DEPTH = 16
_MOST_FIELDS = 1024
# DW_ATE_…, https://dwarfstd.org/doc/DWARF5.pdf table 7.11
_FLOAT, _BOOLEAN, _SIGNED, _SIGNED_CHAR = 0x04, 0x02, 0x05, 0x06
_UNSIGNED = (_BOOLEAN, 0x07, 0x08, 0x10)
_QUALIFIERS = {"DW_TAG_const_type": " const", "DW_TAG_volatile_type": " volatile", "DW_TAG_restrict_type": ""}


@dataclass(frozen=True)
class DebugParameter:
    name: str | None
    type_name: str
    layout: ElementLayout | None
    pointed_name: str | None
    """What it points to, if it is a pointer."""
    pointed_layout: ElementLayout | None


@dataclass(frozen=True)
class Variable:
    type_name: str
    element_layout: ElementLayout | None
    """Of the elements of an array; of the variable itself if it is none."""


def parameters_of_kernel(code_object: bytes, symbol: str) -> list[DebugParameter] | None:
    """In their order; None where the code object has no debug information about the kernel."""
    try:
        dwarf = open_debug_information(code_object)
        if dwarf is None:
            return None
        for unit in dwarf.iter_CUs():
            for function in functions_of(unit.get_top_DIE()):
                if symbol_of(function) == symbol:
                    return [_parameter(child) for child in _children(function, "DW_TAG_formal_parameter")]
    except (
        Exception
    ):  # of forms that the reader does not know, it raises many kinds; types are a help, not a need
        return None
    return None


def variables_of_module(code_object: bytes) -> dict[str, Variable]:
    """Variables outside of functions, by their symbols; empty where there is no debug information."""
    found: dict[str, Variable] = {}
    try:
        dwarf = open_debug_information(code_object)
        if dwarf is None:
            return found
        for unit in dwarf.iter_CUs():
            for die in _variables(unit.get_top_DIE(), 0):
                symbol = text_of(die, "DW_AT_linkage_name") or text_of(die, "DW_AT_name")
                type_die = _type_of(die)
                if symbol and type_die is not None:
                    found[symbol] = Variable(_name(type_die, 0), _layout(_innermost(type_die, 0), 0))
    except Exception:  # as above
        return found
    return found


def _variables(scope: Any, depth: int) -> Iterator[Any]:
    for child in scope.iter_children():
        if child.tag == "DW_TAG_variable" and "DW_AT_declaration" not in child.attributes:
            yield child
        elif child.tag in SCOPES and depth < _MOST_DEPTH:
            yield from _variables(child, depth + 1)


def _innermost(die: Any | None, depth: int) -> Any | None:
    """The element of an array, of however many dimensions; other types are their own element."""
    if die is None or depth > _MOST_DEPTH:
        return die
    if die.tag == "DW_TAG_array_type" and "DW_AT_GNU_vector" not in die.attributes:
        return _innermost(_type_of(die), depth + 1)
    if die.tag in _QUALIFIERS:
        return _innermost(_type_of(die), depth + 1)
    return die


def _parameter(parameter: Any) -> DebugParameter:
    die = _type_of(parameter)
    pointed = _pointed(die, 0)
    return DebugParameter(
        name=text_of(parameter, "DW_AT_name"),
        type_name=_name(die, 0),
        layout=_layout(die, 0),
        pointed_name=_name(pointed[0], 0) if pointed else None,
        pointed_layout=_layout(pointed[0], 0) if pointed else None,
    )


def _children(die: Any, tag: str) -> list[Any]:
    return [child for child in die.iter_children() if child.tag == tag]


def _count(die: Any, key: str) -> int | None:
    attribute = die.attributes.get(key)
    return attribute.value if attribute and isinstance(attribute.value, int) else None


def _type_of(die: Any) -> Any | None:
    """The type that an entry refers to; None: void."""
    return die.get_DIE_from_attribute("DW_AT_type") if "DW_AT_type" in die.attributes else None


def _pointed(die: Any | None, depth: int) -> tuple[Any | None] | None:
    """In a tuple, because what a pointer points to may be void; None for what is no pointer."""
    if die is None or depth > _MOST_DEPTH:
        return None
    if die.tag == "DW_TAG_pointer_type":
        return (_type_of(die),)
    if die.tag == "DW_TAG_typedef" or die.tag in _QUALIFIERS:
        return _pointed(_type_of(die), depth + 1)
    return None


def _name(die: Any | None, depth: int) -> str:
    """As C++ writes it."""
    if die is None:
        return "void"
    if depth > _MOST_DEPTH:
        return "…"
    below = _name(_type_of(die), depth + 1) if "DW_AT_type" in die.attributes else "void"
    if die.tag == "DW_TAG_pointer_type":
        return f"{below}*"
    if die.tag in ("DW_TAG_reference_type", "DW_TAG_rvalue_reference_type"):
        return f"{below}&"
    if die.tag in _QUALIFIERS:
        return below + _QUALIFIERS[die.tag]
    if die.tag == "DW_TAG_array_type":
        return below + " " + "".join(f"[{count}]" for count in _dimensions(die))
    if die.tag == "DW_TAG_subroutine_type":
        return f"{below} ()"
    own = text_of(die, "DW_AT_name") or UNNAMED
    scopes = []
    parent = die.get_parent()
    while parent is not None and parent.tag in SCOPES:
        scopes.append(text_of(parent, "DW_AT_name") or "(anonymous namespace)")
        parent = parent.get_parent()
    return "::".join([*reversed(scopes), own])


def _layout(die: Any | None, depth: int) -> ElementLayout | None:
    if die is None or depth > _MOST_DEPTH:
        return None
    name = _name(die, 0)
    if die.tag == "DW_TAG_typedef" or die.tag in _QUALIFIERS:
        return layout_of(name) or _layout(_type_of(die), depth + 1)
    if die.tag in ("DW_TAG_pointer_type", "DW_TAG_reference_type", "DW_TAG_rvalue_reference_type"):
        return of_scalar(Scalar(name, "pointer", POINTER_BYTES))
    if die.tag == "DW_TAG_base_type":
        return layout_of(name) or _of_base_type(die, name)
    if die.tag == "DW_TAG_enumeration_type":
        below = _layout(_type_of(die), depth + 1)
        kind: Kind = below.fields[0].scalar.kind if below and len(below.fields) == 1 else "unsigned"
        size = _count(die, "DW_AT_byte_size")
        return of_scalar(Scalar(name, kind, size)) if size else None
    if die.tag == "DW_TAG_array_type":
        return _of_array_type(die, name, depth)
    if die.tag in ("DW_TAG_structure_type", "DW_TAG_class_type"):
        return layout_of(name) or _of_structure(die, name, depth)
    size = _count(die, "DW_AT_byte_size")
    return ElementLayout(name, size, (Field("", 0, Scalar("bytes", "raw", size)),)) if size else None


def _of_base_type(die: Any, name: str) -> ElementLayout | None:
    size, encoding = _count(die, "DW_AT_byte_size"), _count(die, "DW_AT_encoding")
    if not size:
        return None
    kind: Kind = "raw"
    if encoding == _FLOAT and size in (2, 4, 8):
        kind = "float"
    elif encoding in (_SIGNED, _SIGNED_CHAR):
        kind = "signed"
    elif encoding in _UNSIGNED:
        kind = "unsigned"
    return of_scalar(Scalar(name, kind, size))


def _dimensions(die: Any) -> list[int]:
    counts = []
    for part in _children(die, "DW_TAG_subrange_type"):
        count, upper = _count(part, "DW_AT_count"), _count(part, "DW_AT_upper_bound")
        counts.append(count if count is not None else 0 if upper is None else upper + 1)
    return counts


def _of_array_type(die: Any, name: str, depth: int) -> ElementLayout | None:
    element, counts = _layout(_type_of(die), depth + 1), _dimensions(die)
    if element is None:
        return None
    if "DW_AT_GNU_vector" in die.attributes and len(counts) == 1 and len(element.fields) == 1:
        vector = of_vector(name, element.fields[0].scalar, counts[0])
        size = _count(die, "DW_AT_byte_size") or vector.stride  # of three elements: padded to four
        return ElementLayout(name, size, vector.fields)
    return of_array(name, element, counts)


def _of_structure(die: Any, name: str, depth: int) -> ElementLayout | None:
    size = _count(die, "DW_AT_byte_size")
    if size is None:  # declared, and defined elsewhere
        return None
    fields: list[Field] = []
    for member in die.iter_children():
        if member.tag not in ("DW_TAG_member", "DW_TAG_inheritance") or "DW_AT_external" in member.attributes:
            continue
        at, below = _count(member, "DW_AT_data_member_location") or 0, _layout(_type_of(member), depth + 1)
        if below is None or "DW_AT_bit_size" in member.attributes:
            return ElementLayout(name, size, (Field("", 0, Scalar("bytes", "raw", size)),)) if size else None
        own = text_of(member, "DW_AT_name")
        path = f".{own}" if own and member.tag == "DW_TAG_member" else ""
        fields += [Field(path + field.path, at + field.offset, field.scalar) for field in below.fields]
        if len(fields) > _MOST_FIELDS:
            return None
    return ElementLayout(name, size, tuple(fields))
