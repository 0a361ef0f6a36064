"""Tests of tables with hundreds of small rows: one test goes through all of them."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any

import pytest

Test = Callable[..., None]
SHOWN = 20


def rows(names: str, table: Iterable[Any] | Callable[[], Iterable[Any]]) -> Callable[[Test], Test]:
    """Like ``pytest.mark.parametrize``, but one test, which does not end at the first row that fails: it
    names them all. A table that takes time to make is given as a function."""
    arguments = [name.strip() for name in names.split(",")]

    def decorate(test: Test) -> Test:
        @functools.wraps(test)
        def all_rows(**fixtures: Any) -> None:
            failed: dict[str, BaseException] = {}
            count = 0
            for row in table() if callable(table) else table:
                count += 1
                values = row if len(arguments) > 1 else (row,)
                try:
                    test(**dict(zip(arguments, values, strict=True)), **fixtures)
                except (Exception, pytest.fail.Exception) as problem:
                    failed[", ".join(map(str, values))] = problem
            assert count, "the table is empty"
            if failed:
                lines = [f"{row}: {problem}" for row, problem in failed.items()][:SHOWN]
                said = f"{len(failed)} of {count} rows fail:\n" + "\n".join(lines)
                raise AssertionError(said) from next(iter(failed.values()))

        signature = inspect.signature(test)
        fixtures = [one for name, one in signature.parameters.items() if name not in arguments]
        all_rows.__signature__ = signature.replace(parameters=fixtures)  # type: ignore[attr-defined]
        return all_rows

    return decorate
