"""Input files in the T1 format of the auto-tuning community: the space in them, nothing of how to run its
kernel."""

from __future__ import annotations

import ast
from typing import Any

from rocm_perf_lab.autotuning.expression import parse
from rocm_perf_lab.autotuning.formats.recording import is_value
from rocm_perf_lab.autotuning.space import Space, SpaceParameter, Value
from rocm_perf_lab.errors import BadInput


def is_t1(document: Any) -> bool:
    return isinstance(document, dict) and isinstance(document.get("ConfigurationSpace"), dict)


def read_t1(document: Any, name: str) -> Space:
    space = document["ConfigurationSpace"]
    listed = space.get("TuningParameters")
    if not isinstance(listed, list) or not listed:
        raise BadInput(f"{name} has no TuningParameters")
    parameters, default = [], {}
    for one in listed:
        key = one.get("Name") if isinstance(one, dict) else None
        if not isinstance(key, str):
            raise BadInput(f"{name}: a parameter has no Name")
        values = _values(one.get("Values"), key, name)
        parameters.append(SpaceParameter(key, values))
        if one.get("Default") in values:
            default[key] = one["Default"]
    constraints = []
    for condition in space.get("Conditions") or []:
        text = condition.get("Expression") if isinstance(condition, dict) else condition
        if not isinstance(text, str):
            raise BadInput(f"{name}: a condition has no Expression")
        constraints.append(parse(text))
    complete = len(default) == len(parameters)
    return Space(tuple(parameters), tuple(constraints), default=default if complete else None)


def _values(given: Any, key: str, name: str) -> tuple[Value, ...]:
    """A list, or the text of one."""
    values = given
    if isinstance(given, str):
        try:
            values = ast.literal_eval(given.strip())  # literals alone: numbers, text, lists
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            raise BadInput(f"{name}: the values of {key} are no list: {given[:80]!r}") from None
    if not isinstance(values, (list, tuple)) or not values or not all(is_value(value) for value in values):
        raise BadInput(f"{name}: the values of {key} are no list of numbers, texts or truth values")
    return tuple(dict.fromkeys(values))
