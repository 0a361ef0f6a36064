"""The integer types of expressions in loop heads, as C++ computes with them on this target."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from tree_sitter import Node

from rocm_perf_lab.optimizing.transforms.names import text_of


@dataclass(frozen=True)
class Integer:
    bits: int
    signed: bool

    @property
    def unsigned_name(self) -> str:
        return "unsigned" if self.bits == 32 else "unsigned long long"


INT, UNSIGNED = Integer(32, True), Integer(32, False)
LONG, UNSIGNED_LONG = Integer(64, True), Integer(64, False)
_TYPES = {
    "int": INT,
    "signed": INT,
    "signed int": INT,
    "int32_t": INT,
    "unsigned": UNSIGNED,
    "unsigned int": UNSIGNED,
    "uint": UNSIGNED,
    "uint32_t": UNSIGNED,
    "long": LONG,
    "long int": LONG,
    "long long": LONG,
    "long long int": LONG,
    "int64_t": LONG,
    "ptrdiff_t": LONG,
    "unsigned long": UNSIGNED_LONG,
    "unsigned long long": UNSIGNED_LONG,
    "size_t": UNSIGNED_LONG,
    "uint64_t": UNSIGNED_LONG,
    # Smaller ones become int before anything is computed with them.
    "bool": INT,
    "char": INT,
    "signed char": INT,
    "unsigned char": INT,
    "short": INT,
    "unsigned short": INT,
    "int8_t": INT,
    "uint8_t": INT,
    "int16_t": INT,
    "uint16_t": INT,
}
_SMALL = frozenset(name for name in _TYPES if re.search(r"char|short|bool|8_t|16_t", name))
_BUILTIN = re.compile(r"(threadIdx|blockIdx|blockDim|gridDim)\.[xyz]")


def named_type(text: str) -> Integer | None:
    plain = " ".join(word for word in text.replace("std::", "").split() if word not in ("const", "constexpr"))
    return _TYPES.get(plain)


def is_small(text: str) -> bool:
    """A type that is computed with as int but stored in fewer bits."""
    return " ".join(word for word in text.split() if word != "const") in _SMALL


def common(one: Integer, other: Integer) -> Integer:
    """What both become before they are compared or added."""
    if one.bits != other.bits:
        return one if one.bits > other.bits else other
    return Integer(one.bits, one.signed and other.signed)


def expression_type(
    node: Node, declared: Mapping[str, str | None], constants: Mapping[str, int]
) -> Integer | None:
    """The type of a side-effect free expression of literals, variables and arithmetic; None where unknown."""
    text = text_of(node)
    if node.type == "number_literal":
        return _literal(text)
    if node.type == "identifier":
        if declared.get(text) is not None:
            return named_type(declared[text] or "")
        if text == "warpSize":
            return INT
        # A constant of the file. Whatever its type is, its value is what counts, and that fits an int.
        return INT if text not in declared and abs(constants.get(text, 1 << 31)) < 1 << 31 else None
    if node.type == "field_expression":
        return UNSIGNED if _BUILTIN.fullmatch(text) else None
    if node.type == "parenthesized_expression" and node.named_child_count == 1:
        return expression_type(node.named_children[0], declared, constants)
    if node.type == "sizeof_expression":
        return UNSIGNED_LONG
    if node.type == "unary_expression":
        operand = node.child_by_field_name("argument")
        if operand is not None and text[:1] in "+-~":
            return expression_type(operand, declared, constants)
        return None
    if node.type == "binary_expression":
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        operator = node.child_by_field_name("operator")
        if left is None or right is None or operator is None:
            return None
        one, other = (expression_type(side, declared, constants) for side in (left, right))
        if one is None or other is None:
            return None
        if text_of(operator) in ("<<", ">>"):
            return one
        return common(one, other) if text_of(operator) in ("+", "-", "*", "/", "%", "&", "|", "^") else None
    return _cast(node, declared, constants)


def _cast(node: Node, declared: Mapping[str, str | None], constants: Mapping[str, int]) -> Integer | None:
    """``int(x)``, ``(int)x``, ``static_cast<int>(x)`` of an expression that is known itself."""
    if node.type == "cast_expression":
        kind, value = node.child_by_field_name("type"), node.child_by_field_name("value")
        if kind is not None and value is not None and expression_type(value, declared, constants):
            return named_type(text_of(kind))
    if node.type == "call_expression":
        function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if function is None or arguments is None or arguments.named_child_count != 1:
            return None
        name = text_of(function)
        static = re.fullmatch(r"static_cast\s*<(.*)>", name, re.DOTALL)
        if expression_type(arguments.named_children[0], declared, constants):
            return named_type(static[1] if static else name)
    return None


def _literal(text: str) -> Integer | None:
    match = re.fullmatch(r"(0[xX][0-9a-fA-F']+|0[bB][01']+|[0-9][0-9']*)([uUlL]*)", text)
    if match is None:
        return None
    suffix = match[2].lower()
    digits = match[1].replace("'", "")
    value = int(digits, 8) if re.fullmatch(r"0[0-7]+", digits) else int(digits, 0)
    wide = "l" in suffix or value >= (1 << 32)
    if (1 << 31) <= value < (1 << 32):  # decimal ones become long, others unsigned
        wide = wide or digits[:2].lower() not in ("0x", "0b")
        return Integer(64 if wide else 32, "u" not in suffix and wide)
    unsigned = "u" in suffix
    return Integer(64 if wide else 32, not unsigned)
