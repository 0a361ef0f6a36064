"""Arithmetic and conditions over parameters, written as in Python and evaluated for many configurations at
once.

The text is parsed, checked against the few forms that are allowed, and walked; it is never given to ``eval``.
Numbers are 64-bit floats: exact for integers up to 2**53, and no expression can grow beyond them. A division
by zero gives no number, and a comparison with that is not met.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np
import numpy.typing as npt

from rocm_perf_lab.errors import BadInput

Column = npt.NDArray[Any]
Columns = Mapping[str, Column]

LONGEST = 10_000  # characters
DEEPEST = 60  # levels of brackets and operators


def _whole(act: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Bit operations, on the integers that the numbers are."""
    return lambda left, right: (
        act(np.asarray(left).astype(np.int64), np.asarray(right).astype(np.int64)) * 1.0
    )


def _divided(act: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def divide(left: Any, right: Any) -> Any:
        divisor = np.where(np.asarray(right, dtype=float) == 0, np.nan, right)
        return act(left, divisor)

    return divide


_ARITHMETIC: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: _divided(operator.truediv),
    ast.FloorDiv: _divided(operator.floordiv),
    ast.Mod: _divided(operator.mod),
    ast.Pow: operator.pow,
    ast.BitAnd: _whole(operator.and_),
    ast.BitOr: _whole(operator.or_),
    ast.BitXor: _whole(operator.xor),
    ast.LShift: _whole(operator.lshift),
    ast.RShift: _whole(operator.rshift),
}
_ORDER: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "min": lambda *values: reduce(np.minimum, values),
    "max": lambda *values: reduce(np.maximum, values),
    "abs": np.abs,
    "ceil": np.ceil,
    "floor": np.floor,
    "round": np.round,
    "int": np.trunc,
    "float": lambda value: value,
    "log2": np.log2,
    "sqrt": np.sqrt,
}


_LISTS = (ast.Tuple, ast.List, ast.Set)


@dataclass(frozen=True)
class Expression:
    text: str
    names: frozenset[str]
    tree: ast.expr

    def of(self, columns: Columns) -> Column:
        """The value for each row of the columns that it names."""
        with np.errstate(all="ignore"):
            value = _value(self.tree, columns)
        rows = max((len(column) for column in columns.values()), default=1)
        return np.broadcast_to(np.asarray(value), (rows,))

    def holds(self, columns: Columns) -> npt.NDArray[np.bool_]:
        """Which rows meet it; one whose value is not a number does not."""
        value = self.of(columns)
        met: npt.NDArray[np.bool_] = _truth(value) & ~_undefined(value)
        return met

    def sides(self) -> list[Expression]:
        """What is compared in it, where that combines several parameters: figures the author finds
        telling."""
        found: dict[str, Expression] = {}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Compare):
                for side in (node.left, *node.comparators):
                    names = _names(side)
                    if len(names) > 1:
                        text = ast.unparse(side)
                        found[text] = Expression(text, names, side)
        return list(found.values())


def parse(text: str) -> Expression:
    """The expression in ``text``; anything but arithmetic and conditions is refused with its place."""
    if len(text) > LONGEST:
        raise BadInput(f"a constraint of {len(text)} characters is too long", f"at most {LONGEST} are read")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as problem:
        reason = getattr(problem, "msg", None) or "it is too deep"
        raise BadInput(f"the constraint {text!r} cannot be read: {reason}") from None
    _check(tree, text, 0)
    return Expression(text, _names(tree), tree)


def _names(tree: ast.AST) -> frozenset[str]:
    functions = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and id(node) not in functions]
    return frozenset(node.id for node in names)


def _check(node: ast.AST, text: str, depth: int) -> None:
    if depth > DEEPEST:
        raise BadInput(f"the constraint {text!r} is nested too deeply")
    children: list[ast.AST] = []
    match node:
        case ast.Constant(value=bool() | int() | float() | str()) | ast.Name():
            pass
        case ast.BinOp(left, op, right) if type(op) in _ARITHMETIC:
            children = [left, right]
        case ast.UnaryOp(op, operand) if isinstance(op, (ast.Not, ast.USub, ast.UAdd)):
            children = [operand]
        case ast.BoolOp(_, values):
            children = list(values)
        case ast.Compare(left, ops, comparators) if all(
            type(order) in _ORDER or isinstance(order, (ast.In, ast.NotIn)) for order in ops
        ):
            for order, listed in zip(ops, comparators, strict=True):
                if isinstance(order, (ast.In, ast.NotIn)) and not isinstance(listed, _LISTS):
                    raise BadInput(f"in {text!r}: 'in' needs a list of values behind it")
            children = [left, *comparators]
        case ast.IfExp(test, body, orelse):
            children = [test, body, orelse]
        case ast.Tuple(elements) | ast.List(elements) | ast.Set(elements):
            children = list(elements)
        case ast.Call(ast.Name(name), arguments, []) if name in _FUNCTIONS and arguments:
            children = list(arguments)
        case _:
            raise BadInput(
                f"in the constraint {text!r}: {ast.unparse(node)!r} is not allowed",
                "constraints have numbers, text, parameters, arithmetic, comparisons, and/or/not, "
                + ", ".join(_FUNCTIONS),
            )
    for child in children:
        _check(child, text, depth + 1)


def _value(node: ast.AST, columns: Columns) -> Any:
    match node:
        case ast.Constant(value=str() as value):
            return value
        case ast.Constant(value):
            return np.float64(float(value))  # type: ignore[arg-type]
        case ast.Name(name):
            return columns[name]
        case ast.BinOp(left, op, right):
            return _ARITHMETIC[type(op)](_value(left, columns), _value(right, columns))
        case ast.UnaryOp(ast.Not(), operand):
            return ~_truth(_value(operand, columns))
        case ast.UnaryOp(ast.USub(), operand):
            return -_value(operand, columns)
        case ast.UnaryOp(_, operand):
            return _value(operand, columns)
        case ast.BoolOp(op, values):
            act = np.logical_and if isinstance(op, ast.And) else np.logical_or
            return reduce(act, [_truth(_value(value, columns)) for value in values])
        case ast.Compare(left, ops, comparators):
            return _compared(left, ops, comparators, columns)
        case ast.IfExp(test, body, orelse):
            return np.where(_truth(_value(test, columns)), _value(body, columns), _value(orelse, columns))
        case ast.Call(ast.Name(name), arguments):
            return _FUNCTIONS[name](*(_value(argument, columns) for argument in arguments))
    raise AssertionError(ast.dump(node))


def _compared(left: ast.expr, ops: list[ast.cmpop], comparators: list[ast.expr], columns: Columns) -> Any:
    met: Any = True
    before = _value(left, columns)
    for op, right in zip(ops, comparators, strict=True):
        if isinstance(op, (ast.In, ast.NotIn)):
            assert isinstance(right, (ast.Tuple, ast.List, ast.Set))
            among: Any = False
            for element in right.elts:
                among = np.logical_or(among, _pair(operator.eq, before, _value(element, columns)))
            met = np.logical_and(met, among if isinstance(op, ast.In) else np.logical_not(among))
        else:
            after = _value(right, columns)
            met = np.logical_and(met, _pair(_ORDER[type(op)], before, after))
            before = after
    return met


def _pair(act: Callable[[Any, Any], Any], left: Any, right: Any) -> Any:
    """A comparison; text and numbers are never equal and have no order, as in Python."""
    if _is_text(left) != _is_text(right):
        if act in (operator.eq, operator.ne):
            return np.broadcast_to(np.asarray(act is operator.ne), np.broadcast(left, right).shape)
        raise BadInput("a constraint compares text with a number")
    return np.asarray(act(left, right)) & ~_undefined(left) & ~_undefined(right)


def _is_text(value: Any) -> bool:
    return np.asarray(value).dtype.kind in "OU"


def _truth(value: Any) -> Any:
    return np.asarray(value) != ("" if _is_text(value) else 0)


def _undefined(value: Any) -> Any:
    value = np.asarray(value)
    return np.isnan(value) if value.dtype.kind == "f" else np.zeros(value.shape, dtype=bool)
