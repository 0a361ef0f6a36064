"""Integer constants of a source, and expressions made of them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from tree_sitter import Node

from rocm_perf_lab.optimizing.source.macros import Macro
from rocm_perf_lab.optimizing.source.parse import Parsed, of_type, parse

_SIZES = {"char": 1, "short": 2, "int": 4, "unsigned": 4, "float": 4, "long": 8, "double": 8, "size_t": 8}
_MOST_PASSES = 4  # constants that are made of others, that are made of others …


def constants_of(
    parsed: Parsed, macros: Mapping[str, Macro], known: Mapping[str, int] | None = None
) -> dict[str, int]:
    """``constexpr int k = 16``, ``#define K 16`` and enumerators outside of functions.

    What is defined twice with different values (in two scopes, or under conditions) is left out.
    """
    found = dict(known or {})
    several: set[str] = set()
    for _ in range(_MOST_PASSES):
        before = len(found)
        values = [*_macro_values(macros, found), *_declared(parsed.root, found)]
        for name, value in values:
            if found.setdefault(name, value) != value:
                several.add(name)
        if len(found) == before:
            break
    return {name: value for name, value in found.items() if name not in several}


def constants_within(body: Node, known: Mapping[str, int]) -> dict[str, int]:
    """Those of a function, with those around it. A name that the function declares otherwise hides them."""
    inner: dict[str, int] = {}
    hidden: set[str] = set()
    for declaration in of_type(body, "declaration"):
        constant = _is_constant(declaration)
        for name, value_node in _declarators(declaration):
            value = evaluate(value_node, {**known, **inner}) if constant and value_node is not None else None
            if value is None or inner.get(name, value) != value:
                hidden.add(name)
            else:
                inner[name] = value
    return {name: value for name, value in {**known, **inner}.items() if name not in hidden}


def _macro_values(macros: Mapping[str, Macro], known: Mapping[str, int]) -> list[tuple[str, int]]:
    values = []
    for macro in macros.values():
        if macro.takes_arguments or macro.conditional or not macro.replacement.strip():
            continue
        tree = parse(b"auto x = " + macro.replacement.strip() + b";").root
        declared = next(iter(of_type(tree, "init_declarator")), None)
        node = declared.child_by_field_name("value") if declared is not None else None
        value = evaluate(node, known) if node is not None and not tree.has_error else None
        if value is not None:
            values.append((macro.name, value))
    return values


def _declared(root: Node, known: Mapping[str, int]) -> list[tuple[str, int]]:
    values: list[tuple[str, int]] = []
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.type == "function_definition":
            continue
        if node.type == "declaration" and _is_constant(node):
            for name, value_node in _declarators(node):
                value = evaluate(value_node, known) if value_node is not None else None
                if value is not None:
                    values.append((name, value))
        elif node.type == "enumerator_list":
            values.extend(_enumerators(node, known))
        waiting.extend(node.children)
    return values


def _enumerators(node: Node, known: Mapping[str, int]) -> list[tuple[str, int]]:
    values: list[tuple[str, int]] = []
    upcoming: int | None = 0
    for enumerator in of_type(node, "enumerator"):
        name, value_node = enumerator.child_by_field_name("name"), enumerator.child_by_field_name("value")
        if value_node is not None:
            upcoming = evaluate(value_node, {**known, **dict(values)})
        if upcoming is None or name is None or name.text is None:
            upcoming = None
            continue
        values.append((name.text.decode(), upcoming))
        upcoming += 1
    return values


def _is_constant(declaration: Node) -> bool:
    qualifiers = {child.text for child in declaration.children if child.type == "type_qualifier"}
    whole = {child.text for child in declaration.children if child.type == "storage_class_specifier"}
    return bool(qualifiers & {b"constexpr", b"const"}) or b"constexpr" in whole


def _declarators(declaration: Node) -> list[tuple[str, Node | None]]:
    """Names and values; a declarator with more than a name (pointer, array) has no value here."""
    found: list[tuple[str, Node | None]] = []
    for child in declaration.children_by_field_name("declarator"):
        if child.type == "identifier" and child.text:
            found.append((child.text.decode(), None))
            continue
        inner = child.child_by_field_name("declarator")
        if (
            child.type == "init_declarator"
            and inner is not None
            and inner.type == "identifier"
            and inner.text
        ):
            found.append((inner.text.decode(), child.child_by_field_name("value")))
            continue
        name = next(of_type(child, "identifier"), None)
        if name is not None and name.text:
            found.append((name.text.decode(), None))
    return found


def evaluate(node: Node, known: Mapping[str, int]) -> int | None:
    """The value of an integer expression; None where it has none that is known."""
    text = (node.text or b"").decode(errors="replace")
    if node.type == "number_literal":
        return _literal(text)
    if node.type in ("identifier", "qualified_identifier"):
        return known.get(text.rpartition("::")[2])
    if node.type in ("parenthesized_expression", "condition_clause"):
        inner = [child for child in node.named_children if child.type != "comment"]
        return evaluate(inner[0], known) if len(inner) == 1 else None
    if node.type == "unary_expression":
        operand = node.child_by_field_name("argument")
        value = evaluate(operand, known) if operand is not None else None
        operator = text[:1]
        if value is None or operator not in "+-~":
            return None
        return {"+": value, "-": -value, "~": ~value}[operator]
    if node.type == "binary_expression":
        return _binary(node, known)
    if node.type == "sizeof_expression":
        words = re.findall(r"\w+", text)[1:]
        sizes = [_SIZES[word] for word in words if word in _SIZES]
        return max(sizes) if sizes and all(word in (*_SIZES, "signed") for word in words) else None
    if node.type == "call_expression":  # int(x), size_t(x)
        function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        cast = function is not None and (function.text or b"").decode() in _SIZES
        if cast and arguments is not None and arguments.named_child_count == 1:
            return evaluate(arguments.named_children[0], known)
    return None


def _binary(node: Node, known: Mapping[str, int]) -> int | None:
    left_node, right_node = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator_node = node.child_by_field_name("operator")
    if left_node is None or right_node is None or operator_node is None:
        return None
    left, right = evaluate(left_node, known), evaluate(right_node, known)
    operator = (operator_node.text or b"").decode()
    if left is None or right is None:
        return None
    if operator in ("/", "%"):
        if right == 0:
            return None
        quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
        return quotient if operator == "/" else left - quotient * right
    if operator in ("<<", ">>"):
        if not 0 <= right < 64:
            return None
        return left << right if operator == "<<" else left >> right
    simple = {"+": left + right, "-": left - right, "*": left * right, "&": left & right, "|": left | right}
    return simple.get(operator)


def _literal(text: str) -> int | None:
    plain = text.replace("'", "").rstrip("uUlLzZ")
    try:
        if re.fullmatch(r"0[0-7]+", plain):
            return int(plain, 8)
        return int(plain, 0)
    except ValueError:
        return None
