"""Which dispatches are counted."""

from __future__ import annotations

import pytest

from vrocm.rocprofv3.errors import RequestRefused
from vrocm.rocprofv3.logs.selection import IterationRanges, KernelSelection, parse_iteration_ranges


@pytest.mark.parametrize(
    ("texts", "runs"),
    [
        ([], {1, 2, 3, 4, 5, 6, 7, 8}),
        (["[1-2]"], {1, 2}),
        (["[2,4-5]"], {2, 4, 5}),
        (["1", "[3-3]"], {1, 3}),
        (["[1-2], [5-6]"], {1, 2, 5, 6}),
        (["7-8"], {7, 8}),
    ],
)
def test_ranges(texts: list[str], runs: set[int]) -> None:
    ranges = parse_iteration_ranges(texts)
    assert {run for run in range(1, 9) if ranges.contains(run)} == runs


@pytest.mark.parametrize("text", ["[0-2]", "[3-2]", "[a]", "[1-]", "[-1]", "1..2"])
def test_ranges_that_make_no_sense(text: str) -> None:
    with pytest.raises(RequestRefused, match="--kernel-iteration-range"):
        parse_iteration_ranges([text])


def test_runs_are_counted_for_each_kernel_that_passes_the_names() -> None:
    selection = KernelSelection("a|b", "ab", IterationRanges(((2, 3),)))
    launches = [(1, "a"), (2, "b"), (1, "a"), (3, "c"), (4, "ab"), (1, "a"), (2, "b"), (1, "a"), (3, "c")]
    assert [selection.takes(*launch) for launch in launches] == [
        False,
        False,
        True,
        False,
        False,
        True,
        True,
        False,
        False,
    ]


def test_expression_that_is_none() -> None:
    with pytest.raises(RequestRefused, match="kernel-include-regex"):
        KernelSelection("(", None, IterationRanges())
