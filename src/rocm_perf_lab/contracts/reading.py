"""Values of JSON made into what a contract says: dataclasses of numbers, words, literals, tuples,
dictionaries and unions of them. Nothing else is in contracts; a reader of that is made in milliseconds."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

Read = Callable[[Any], Any]
_EXACT = 2.0**53  # below, a float stands for one whole number


class NotAsAgreed(Exception):
    """A value is not what the contract says; ``place`` is where it stands."""

    def __init__(self, words: str) -> None:
        super().__init__(words)
        self.words = words
        self._within: list[str] = []

    def within(self, part: object) -> NotAsAgreed:
        self._within.append(str(part))
        return self

    @property
    def place(self) -> str:
        return ".".join(reversed(self._within)) or "the top level"


def reader(expected: Any) -> Read:
    """Gives the value that a value of JSON stands for; raises NotAsAgreed."""
    return _made(expected)


@cache
def _made(expected: Any) -> Read:
    if is_dataclass(expected):
        return _dataclass_reader(expected)
    origin, arguments = get_origin(expected), get_args(expected)
    if origin is Literal:
        return _literal_reader(arguments)
    if origin is tuple:
        return _tuple_reader(arguments)
    if origin is dict:
        return _dictionary_reader(*arguments)
    if origin in (Union, UnionType):
        return _union_reader(arguments)
    return _PLAIN[expected]


def _dataclass_reader(contract: Any) -> Read:
    hints = get_type_hints(contract)
    of_field = {field.name: reader(hints[field.name]) for field in fields(contract)}
    needed = [
        field.name
        for field in fields(contract)
        if field.default is MISSING and field.default_factory is MISSING
    ]

    def read(value: Any) -> Any:
        if not isinstance(value, dict):
            raise NotAsAgreed("an object is expected")
        found, name = {}, ""
        try:
            for name, part in value.items():
                if name not in of_field:
                    raise NotAsAgreed("there is no such field")
                found[name] = of_field[name](part)
        except NotAsAgreed as problem:
            raise problem.within(name) from None
        for name in needed:
            if name not in found:
                raise NotAsAgreed("a field is missing").within(name)
        return contract(**found)

    return read


def _literal_reader(allowed: tuple[Any, ...]) -> Read:
    def read(value: Any) -> Any:
        for one in allowed:
            if one == value and type(one) is type(value):
                return value
        raise NotAsAgreed(f"one of {', '.join(map(repr, allowed))} is expected")

    return read


def _tuple_reader(parts: tuple[Any, ...]) -> Read:
    of_all = reader(parts[0]) if parts[-1] is Ellipsis else None
    of_each = () if of_all else tuple(map(reader, parts))

    def read(value: Any) -> Any:
        if not isinstance(value, (list, tuple)):
            raise NotAsAgreed("a list is expected")
        if not of_all and len(value) != len(of_each):
            raise NotAsAgreed(f"a list of {len(of_each)} is expected")
        found, number = [], 0
        try:
            for number, part in enumerate(value):
                found.append((of_all or of_each[number])(part))
        except NotAsAgreed as problem:
            raise problem.within(number) from None
        return tuple(found)

    return read


def _dictionary_reader(key: Any, part: Any) -> Read:
    of_key, of_part = reader(key), reader(part)

    def read(value: Any) -> Any:
        if not isinstance(value, dict):
            raise NotAsAgreed("an object is expected")
        found, name = {}, ""
        try:
            for name, one in value.items():
                found[of_key(name)] = of_part(one)
        except NotAsAgreed as problem:
            raise problem.within(name) from None
        return found

    return read


def _union_reader(members: tuple[Any, ...]) -> Read:
    plain = tuple(member for member in members if member in _PLAIN)
    others = [reader(member) for member in members if member not in plain]
    of_plain = [_PLAIN[member] for member in plain]

    def read(value: Any) -> Any:
        if type(value) in plain:  # 1 is a whole number before it is a fraction, and no truth value
            return _PLAIN[type(value)](value)
        *but_last, last = (*others, *of_plain)
        for one in but_last:
            with suppress(NotAsAgreed):
                return one(value)
        return last(value)

    return read


def _whole(value: Any) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, float) and abs(value) < _EXACT and value.is_integer():
        return int(value)
    raise NotAsAgreed("a whole number is expected")


def _number(value: Any) -> float:
    try:
        if type(value) in (float, int) and math.isfinite(number := float(value)):
            return number
    except OverflowError:  # a whole number beyond all floats
        pass
    raise NotAsAgreed("a number is expected")


def _of(kind: type, words: str) -> Read:
    def read(value: Any) -> Any:
        if isinstance(value, kind):
            return value
        raise NotAsAgreed(words)

    return read


_PLAIN: dict[Any, Read] = {
    int: _whole,
    float: _number,
    str: _of(str, "a text is expected"),
    bool: _of(bool, "true or false is expected"),
    NoneType: _of(NoneType, "null is expected"),
}
