"""Which dispatches of a kernel are captured to judge its variants by."""

from __future__ import annotations

from pathlib import Path

import pytest

from rocm_perf_lab.optimizing import chosen_dispatches
from rocm_perf_lab.optimizing.chosen_dispatches import MOST_DISPATCHES, choose_dispatches
from rocm_perf_lab.rocpd.dispatch_order import DatabaseDispatch, Shape


def shape(groups: int) -> Shape:
    return Shape((64 * groups, 1, 1), (64, 1, 1), 0)


def chosen(monkeypatch: pytest.MonkeyPatch, groups: list[int], other_process: int = 0):
    """Of a kernel that is launched with these numbers of workgroups, in this order."""
    launched = [
        DatabaseDispatch(Path("one.db"), 10 * at, at + 1, shape(each)) for at, each in enumerate(groups)
    ]
    launched += [DatabaseDispatch(Path("two.db"), at, at + 1, shape(99)) for at in range(other_process)]
    monkeypatch.setattr(chosen_dispatches, "dispatches_of", lambda kernel, databases: iter(launched))
    return choose_dispatches("k", [], len(groups))


@pytest.mark.parametrize(
    ("groups", "indices", "launches", "left_out"),
    [
        ([4], [0], [1], 0),
        ([4, 4, 4], [0, 2], [3, 0], 0),
        ([4, 8, 4, 4], [0, 1, 3], [3, 1, 0], 0),
        ([1, 2, 3, 4, 3, 5, 6], [0, 1, 2, 6], [1, 1, 2, 1], 2),
    ],
)
def test_first_last_and_one_of_each_geometry(
    monkeypatch, groups: list[int], indices: list[int], launches: list[int], left_out: int
) -> None:
    choice = chosen(monkeypatch, groups)
    assert [one.index for one in choice.dispatches] == indices
    assert [one.launches for one in choice.dispatches] == launches
    assert choice.shapes_left_out == left_out
    assert len(choice.dispatches) <= MOST_DISPATCHES


def test_captures_count_in_one_process(monkeypatch) -> None:
    choice = chosen(monkeypatch, [4, 4], other_process=3)
    assert [one.index for one in choice.dispatches] == [0, 1]


def test_a_trace_that_does_not_tell(monkeypatch) -> None:
    monkeypatch.setattr(chosen_dispatches, "dispatches_of", lambda kernel, databases: iter(()))
    assert [one.index for one in choose_dispatches("k", [], 5).dispatches] == [0, 4]
