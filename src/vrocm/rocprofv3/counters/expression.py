"""Expressions of the counter table: arithmetic, reductions over instances, and names."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

REDUCTIONS: dict[str, Callable[[Sequence[float]], float]] = {
    "sum": sum,
    "avr": lambda values: sum(values) / len(values),
    "max": max,
    "min": min,
}
_OPERATORS: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: lambda a, b: a / b if b else 0.0,  # nothing happened: as rocprofiler answers
}


class BadExpression(ValueError):
    """A row of the table that cannot be understood."""


@dataclass(frozen=True)
class Reference:
    """A name in an expression, and the reduction over instances asked of it."""

    name: str
    reduction: str = "sum"


@cache
def _parsed(text: str) -> ast.expr:
    try:
        return ast.parse(text, mode="eval").body
    except SyntaxError as problem:
        raise BadExpression(f"{text}: {problem.msg}") from None


def _call(node: ast.Call) -> Reference:
    """``reduce(X,max)``, or ``accumulate(X,HIGH_RES)`` of a level, which the model sums itself."""
    names = [argument.id for argument in node.args if isinstance(argument, ast.Name)]
    if isinstance(node.func, ast.Name) and len(names) == len(node.args) == 2:
        if node.func.id == "reduce" and names[1] in REDUCTIONS:
            return Reference(names[0], names[1])
        if node.func.id == "accumulate":
            return Reference(names[0])
    raise BadExpression(
        f"{ast.unparse(node)} is neither reduce(COUNTER,how) nor accumulate(COUNTER,HIGH_RES)"
    )


def references(text: str) -> Iterator[Reference]:
    """Every name of an expression."""
    yield from _references(_parsed(text))


def _references(node: ast.expr) -> Iterator[Reference]:
    if isinstance(node, ast.Name):
        yield Reference(node.id)
    elif isinstance(node, ast.Call):
        yield _call(node)
    elif isinstance(node, ast.BinOp):
        yield from _references(node.left)
        yield from _references(node.right)


def evaluate(text: str, value_of: Callable[[Reference], float]) -> float:
    return _evaluate(_parsed(text), value_of)


def _evaluate(node: ast.expr, value_of: Callable[[Reference], float]) -> float:
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
        return float(node.value)
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        return _OPERATORS[type(node.op)](_evaluate(node.left, value_of), _evaluate(node.right, value_of))
    if isinstance(node, ast.Name):
        return value_of(Reference(node.id))
    if isinstance(node, ast.Call):
        return value_of(_call(node))
    raise BadExpression(f"{ast.unparse(node)} is not arithmetic over counters")
