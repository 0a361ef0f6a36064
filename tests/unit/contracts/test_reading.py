"""What is read is what pydantic reads by the same contracts; what it refuses is refused, with the place."""

from __future__ import annotations

import contextlib
import json
import random
from dataclasses import MISSING, fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import pydantic
import pytest
from tests.table_rows import rows

from rocm_perf_lab.contracts.all_documents import DOCUMENTS
from rocm_perf_lab.contracts.documents import from_json
from rocm_perf_lab.contracts.reading import NotAsAgreed, reader
from rocm_perf_lab.errors import BadInput

# No `true`: pydantic takes it for the literal 1.
SCALARS = (None, 0, 1, -7, 2.5, 1e300, "", "x", "1", [], [1, 2, 3], {}, {"a": 1})


def sample(expected: Any, rng: random.Random) -> Any:
    """A value of JSON that the contract agrees with."""
    if is_dataclass(expected):
        hints = get_type_hints(expected)
        return {
            field.name: sample(hints[field.name], rng)
            for field in fields(expected)
            if (field.default is MISSING and field.default_factory is MISSING) or rng.random() < 0.7
        }
    origin, arguments = get_origin(expected), get_args(expected)
    if origin is Literal:
        return rng.choice(arguments)
    if origin is tuple:
        parts = [arguments[0]] * rng.randrange(3) if arguments[-1] is Ellipsis else arguments
        return [sample(part, rng) for part in parts]
    if origin is dict:
        return {sample(arguments[0], rng): sample(arguments[1], rng) for _ in range(rng.randrange(3))}
    if origin in (Union, UnionType):
        return sample(rng.choice(arguments), rng)
    return {
        int: rng.choice((0, 1, -5, 2**40)),
        float: rng.choice((0.0, 1, 2.5, -3e9)),
        str: rng.choice(("", "x", "0x7f", "größer")),
        bool: rng.random() < 0.5,
        NoneType: None,
    }[expected]


def changed(value: Any, rng: random.Random) -> Any:
    """With another value somewhere, a field less or a field more."""
    if isinstance(value, dict) and value and rng.random() < 0.9:
        name = rng.choice(list(value))
        kind = rng.randrange(6)
        if kind == 0:
            return {key: part for key, part in value.items() if key != name}
        if kind == 1:
            return {**value, "unheard_of": 1}
        return {**value, name: changed(value[name], rng)}
    if isinstance(value, list) and value and rng.random() < 0.8:
        at = rng.randrange(len(value))
        return [*value[:at], changed(value[at], rng), *value[at + 1 :]]
    return rng.choice(SCALARS)


def read(contract: Any, value: Any) -> Any:
    try:
        return reader(contract)(json.loads(json.dumps(value)))
    except NotAsAgreed as problem:
        return problem


def theirs(adapter: pydantic.TypeAdapter[Any], value: Any, *, strict: bool) -> Any:
    with contextlib.suppress(pydantic.ValidationError):
        return adapter.validate_json(json.dumps(value), strict=strict)
    return None


@rows("name", DOCUMENTS)
def test_like_pydantic(name: str) -> None:
    contract = DOCUMENTS[name]
    rng, adapter = random.Random(name), pydantic.TypeAdapter(contract)
    refused = 0
    for number in range(60):
        value = sample(contract, rng)
        if number % 3:
            value = changed(value, rng)
        ours = read(contract, value)
        refused += isinstance(ours, NotAsAgreed)
        # Between the two are a text for a number and the like, which are converted there and refused here.
        strictly, laxly = (theirs(adapter, value, strict=strict) for strict in (True, False))
        assert strictly is None or ours == strictly, (value, ours)
        assert laxly is not None or isinstance(ours, NotAsAgreed), value
    assert 5 < refused < 60


@pytest.mark.parametrize(
    ("expected", "value", "what", "type_of_it"),
    [
        (float, 3, 3.0, float),
        (int, 3.0, 3, int),
        (int | str, "3", "3", str),
        (bool | float | int | str, 1, 1, int),
        (bool | float | int | str, True, True, bool),
        (bool | float | int | str, 1.0, 1.0, float),
        (float | None, 1, 1.0, float),
    ],
)
def test_numbers_keep_their_kind(expected: Any, value: Any, what: Any, type_of_it: type) -> None:
    found = reader(expected)(value)
    assert (found, type(found)) == (what, type_of_it)


@pytest.mark.parametrize(
    ("expected", "value"),
    [(int, True), (float, True), (int, 2.5), (float, float("inf")), (float, 10**400), (float, "1"), (str, 1)],
)
def test_what_is_no_such_value(expected: Any, value: Any) -> None:
    with pytest.raises(NotAsAgreed):
        reader(expected)(value)


@pytest.mark.parametrize(
    "text", ["", "{", "[" * 100_000, '{"a": 1', b"\xff\xfe{\x00}\x00", "1e999", "NaN", "1" * 5000]
)
def test_no_text_is_a_traceback(text: str | bytes) -> None:
    with pytest.raises(BadInput, match=r"some\.json is not a valid FailureDocument"):
        from_json(DOCUMENTS["failure"], text, "some.json")


def test_the_place_is_named() -> None:
    problem = read(DOCUMENTS["failure"], {"schema_version": "1.0", "error": {"kind": 5}})
    assert isinstance(problem, NotAsAgreed)
    assert problem.place == "error.kind"
