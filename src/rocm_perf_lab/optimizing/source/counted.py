"""Loops that count a variable to a bound in fixed steps: what they count, and how often they run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tree_sitter import Node

from rocm_perf_lab.optimizing.refused import Refused
from rocm_perf_lab.optimizing.source.constants import evaluate

_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


@dataclass(frozen=True)
class CountedLoop:
    variable: str
    type: str
    """As declared in the loop's head."""
    start: Node
    bound: Node
    comparison: str
    """<, <=, > or >=, the variable on its left."""
    step: Node | None
    """None for ++ and --."""
    up: bool


def counted(loop: Node) -> CountedLoop:
    """The parts of ``for (T i = start; i < bound; i += step)``. Raises Refused where it is no such loop."""
    if loop.type != "for_statement":
        raise Refused("loop-not-counted", f"a {loop.type.replace('_', ' ')}")
    declaration = loop.child_by_field_name("initializer")
    condition, update = loop.child_by_field_name("condition"), loop.child_by_field_name("update")
    if declaration is None or declaration.type != "declaration" or condition is None or update is None:
        raise Refused("loop-not-counted", "its head does not declare, test and step one variable")
    declarators = declaration.children_by_field_name("declarator")
    if len(declarators) != 1 or declarators[0].type != "init_declarator":
        raise Refused("loop-not-counted", "its head does not declare one variable")
    name, start = (
        declarators[0].child_by_field_name("declarator"),
        declarators[0].child_by_field_name("value"),
    )
    type_node = declaration.child_by_field_name("type")
    if name is None or name.type != "identifier" or start is None or type_node is None:
        raise Refused("loop-not-counted", "its variable is no plain one")
    variable = _text(name)
    comparison, bound = _condition(condition, variable)
    up, step = _update(update, variable)
    if (comparison in ("<", "<=")) != up:
        raise Refused("loop-not-counted", "it steps away from its bound")
    return CountedLoop(variable, " ".join(_text(type_node).split()), start, bound, comparison, step, up)


def trips(loop: Node, constants: Mapping[str, int]) -> int | None:
    """How often the loop runs, if it runs to its end; None where that is no constant."""
    try:
        parts = counted(loop)
    except Refused:
        return None
    start, bound = evaluate(parts.start, constants), evaluate(parts.bound, constants)
    step = 1 if parts.step is None else evaluate(parts.step, constants)
    if start is None or bound is None or step is None or step <= 0:
        return None
    distance = bound - start if parts.up else start - bound
    if parts.comparison in ("<=", ">="):
        distance += 1
    return max(0, -(-distance // step))


def _condition(node: Node, variable: str) -> tuple[str, Node]:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = node.child_by_field_name("operator")
    if node.type != "binary_expression" or left is None or right is None or operator is None:
        raise Refused("loop-not-counted", "its condition is no comparison")
    comparison = _text(operator)
    if comparison not in _MIRRORED:
        raise Refused("loop-not-counted", f"its condition compares with {comparison}")
    if left.type == "identifier" and _text(left) == variable:
        return comparison, right
    if right.type == "identifier" and _text(right) == variable:
        return _MIRRORED[comparison], left
    raise Refused("loop-not-counted", "its condition is not of its variable alone")


def _update(node: Node, variable: str) -> tuple[bool, Node | None]:
    """Whether it goes up, and by what."""
    if node.type == "update_expression":
        operand, operator = node.child_by_field_name("argument"), node.child_by_field_name("operator")
        if operand is not None and operator is not None and _text(operand) == variable:
            return _text(operator) == "++", None
    if node.type == "assignment_expression":
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        operator = node.child_by_field_name("operator")
        if left is not None and right is not None and operator is not None and _text(left) == variable:
            if _text(operator) in ("+=", "-="):
                return _text(operator) == "+=", right
            if _text(operator) == "=" and right.type == "binary_expression":
                return _own_sum(right, variable)
    raise Refused("loop-not-counted", "its step is not a sum or difference of its variable")


def _own_sum(node: Node, variable: str) -> tuple[bool, Node]:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = node.child_by_field_name("operator")
    if left is not None and right is not None and operator is not None:
        if _text(operator) in ("+", "-") and _text(left) == variable:
            return _text(operator) == "+", right
        if _text(operator) == "+" and _text(right) == variable:
            return True, left
    raise Refused("loop-not-counted", "its step is not a sum or difference of its variable")


def _text(node: Node) -> str:
    return (node.text or b"").decode(errors="replace")
