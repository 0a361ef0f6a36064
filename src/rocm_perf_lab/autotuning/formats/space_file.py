"""Files that describe a space: our own, a plain list of configurations, or T1.

Ours has parameters with their values and, if there are any, constraints and the configuration in use today::

    {"parameters": {"BLOCK_M": [16, 32, 64], "LAYOUT": ["row", "column"]},
     "constraints": ["BLOCK_M * 64 <= 4096"],
     "baseline": {"BLOCK_M": 32, "LAYOUT": "row"}}

Without constraints ``{"BLOCK_M": [16, 32, 64], …}`` will do. Configurations one by one are a list of objects,
by itself or as ``configurations``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from rocm_perf_lab.autotuning.expression import Expression, parse
from rocm_perf_lab.autotuning.formats.json_file import parse_json, read_text
from rocm_perf_lab.autotuning.formats.recording import is_value
from rocm_perf_lab.autotuning.formats.t1 import is_t1, read_t1
from rocm_perf_lab.autotuning.space import Configuration, Space, SpaceParameter, Value
from rocm_perf_lab.errors import BadInput

KNOWN = {"parameters", "constraints", "baseline", "configurations"}
FORM = 'for example {"parameters": {"BLOCK": [64, 128]}, "constraints": ["BLOCK <= 128"]}'


def read_space(path: Path) -> Space:
    return space_of(parse_json(read_text(path), str(path)), str(path))


def space_of(document: Any, name: str) -> Space:
    if is_t1(document):
        return read_t1(document, name)
    if isinstance(document, list):
        document = {"configurations": document}
    if not isinstance(document, dict) or not document:
        raise BadInput(f"{name} does not describe a space", FORM)
    if not KNOWN & set(document):
        document = {"parameters": document}
    unknown = sorted(set(document) - KNOWN)
    if unknown:
        raise BadInput(f"{name} has {unknown[0]!r}, which means nothing here", FORM)
    constraints = _constraints(document.get("constraints", []), name)
    baseline = document.get("baseline")
    if baseline is not None and not _is_configuration(baseline):
        raise BadInput(f"{name}: the baseline is no configuration", FORM)
    if "configurations" in document:
        return _listed(document["configurations"], document.get("parameters"), constraints, baseline, name)
    return Space(_parameters(document.get("parameters"), name), constraints, default=baseline)


def _parameters(given: Any, name: str) -> tuple[SpaceParameter, ...]:
    if not isinstance(given, dict) or not given:
        raise BadInput(f"{name} has no parameters", FORM)
    parameters = []
    for key, values in given.items():
        values = values if isinstance(values, list) else [values]
        if not values or not all(is_value(value) for value in values):
            raise BadInput(f"{name}: the values of {key} are no list of numbers, texts or truth values", FORM)
        parameters.append(SpaceParameter(key, tuple(_distinct(values))))
    return tuple(parameters)


def _distinct(values: list[Value]) -> list[Value]:
    """Each value once; a truth value is another than the number that equals it."""
    return list({(isinstance(value, bool), value): value for value in values}.values())


def _constraints(given: Any, name: str) -> tuple[Expression, ...]:
    if not isinstance(given, list) or not all(isinstance(text, str) for text in given):
        raise BadInput(f"{name}: constraints are a list of texts", FORM)
    return tuple(parse(text) for text in given)


def _listed(
    given: Any,
    parameters: Any,
    constraints: tuple[Expression, ...],
    baseline: Configuration | None,
    name: str,
) -> Space:
    if not isinstance(given, list) or not given or not all(_is_configuration(one) for one in given):
        raise BadInput(f"{name}: configurations are a list of objects with plain values", FORM)
    names = list(given[0])
    for number, one in enumerate(given):
        if set(one) != set(names):
            raise BadInput(f"{name}: configuration {number} has other parameters than the first")
    values: dict[str, list[Value]] = {key: _distinct([one[key] for one in given]) for key in names}
    if parameters is None:
        chosen = tuple(SpaceParameter(key, tuple(_in_order(found))) for key, found in values.items())
    else:
        chosen = _parameters(parameters, name)
    plain = Space(chosen)
    levels = list(dict.fromkeys(plain.levels_of(one) for one in given))
    return Space(chosen, constraints, np.array(levels, dtype=np.int32), default=baseline)


def _in_order(values: list[Value]) -> list[Value]:
    numbers = all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in values)
    return sorted(values) if numbers else values


def _is_configuration(given: Any) -> bool:
    return isinstance(given, dict) and bool(given) and all(is_value(value) for value in given.values())
