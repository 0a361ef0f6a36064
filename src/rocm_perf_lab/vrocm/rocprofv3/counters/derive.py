"""Derived counters: expressions over hardware counters."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping, Sequence

from ..errors import Refused
from .catalogue import Catalogue

_REDUCTIONS: dict[str, Callable[[Sequence[float]], float]] = {
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
_SUFFIX = re.compile(r"_(sum|avr|max|min)$")


class Evaluator:
    """Values of counters for one dispatch, from what the hardware counted."""

    def __init__(
        self, catalogue: Catalogue, counted: Mapping[str, Sequence[float]], constants: Mapping[str, float]
    ) -> None:
        self._catalogue, self._counted, self._constants = catalogue, counted, constants

    def value(self, name: str) -> float:
        counter = self._catalogue.counter(name)
        if not counter.expression:
            return sum(self._instances(name))
        return self._evaluate(ast.parse(counter.expression, mode="eval").body, name)

    def _instances(self, name: str) -> Sequence[float]:
        if name not in self._counted:
            raise Refused(f"--pmc: the virtual GPU gave no value for {name}")
        return self._counted[name]

    def _evaluate(self, node: ast.expr, within: str) -> float:
        if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
            return float(node.value)
        if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
            left, right = self._evaluate(node.left, within), self._evaluate(node.right, within)
            return _OPERATORS[type(node.op)](left, right)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "reduce":
            counter, how = node.args
            if isinstance(counter, ast.Name) and isinstance(how, ast.Name) and how.id in _REDUCTIONS:
                return _REDUCTIONS[how.id](self._instances(counter.id))
        if isinstance(node, ast.Name):
            return self._named(node.id, within)
        raise Refused(f"--pmc: the expression of {within} cannot be evaluated")

    def _named(self, name: str, within: str) -> float:
        if name in self._constants:
            return self._constants[name]
        if name in self._catalogue.counters and name != within:
            return self.value(name)
        suffix = _SUFFIX.search(name)
        if suffix:
            return _REDUCTIONS[suffix[1]](self._instances(name[: suffix.start()]))
        raise Refused(f"--pmc: the expression of {within} names {name}, which is not known")
