"""A test of a table goes through all rows, and names each that fails."""

from __future__ import annotations

import pytest
from tests.table_rows import rows

TABLE = [(1, "odd"), (2, "odd"), (3, "odd"), (4, "odd")]


@rows("number, kind", TABLE)
def check(base: int, number: int, kind: str) -> None:
    assert (base + number) % 2 == (kind == "odd"), f"{number} is not {kind}"


def test_every_row_that_fails_is_named() -> None:
    with pytest.raises(AssertionError) as caught:
        check(base=0)
    said = str(caught.value)
    assert "2 of 4 rows fail" in said
    assert "2, odd: 2 is not odd" in said
    assert "4, odd: 4 is not odd" in said


def test_a_failure_by_name_counts() -> None:
    @rows("number", [1])
    def fails(number: int) -> None:
        pytest.fail("so it is")

    with pytest.raises(AssertionError, match="so it is"):
        fails()


def test_a_table_without_rows_proves_nothing() -> None:
    @rows("number", lambda: [])
    def empty(number: int) -> None:
        pass

    with pytest.raises(AssertionError, match="empty"):
        empty()


@pytest.fixture
def base() -> int:
    return 1


@rows("number, kind", lambda: [(number, "odd") for number in (2, 4)])
def test_fixtures_are_given(base: int, number: int, kind: str) -> None:
    assert (base + number) % 2 == (kind == "odd")
