"""Which execution of a wait an entry of ``waitcnt`` belongs to, and how its stall is shared out."""

from __future__ import annotations

from collections.abc import Sequence

from rocm_perf_lab.analysis.att.waits import WaveWaits

from .made import Row, wave_of

FLAT, FIRST, SECOND, WAIT, OTHER_WAIT = 1, 2, 3, 8, 9
TEXTS = {
    FLAT: "flat_load_dword v1, v[2:3]",
    FIRST: "global_load_dword v1, v[2:3], off",
    SECOND: "ds_read_b32 v1, v2",
    WAIT: "s_waitcnt vmcnt(0) lgkmcnt(0)",
    OTHER_WAIT: "s_waitcnt vmcnt(0)",
}


def settled(rows: Sequence[tuple[int, int, int]], entries: Sequence[tuple[int, Sequence[int]]]) -> WaveWaits:
    """``rows``: time, stall, line."""
    made: list[Row] = [
        (time, 9 if line >= WAIT else 4, stall, max(stall, 4) if line >= WAIT else stall + 4, line)
        for time, stall, line in rows
    ]
    waits = WaveWaits(4, TEXTS)
    waits.add(wave_of(made, 0, 10_000, entries))
    return waits


def test_a_wait_in_a_loop() -> None:
    """Each round has one entry; they look alike."""
    rows = []
    for turn in range(0, 300, 100):
        rows += [(turn, 0, FIRST), (turn + 10, 50, WAIT)]
    waits = settled(rows, [(WAIT, [FIRST])] * 3)
    operation = waits.operations[FIRST]
    assert (waits.placed, operation.waited_for, operation.charged) == (3, 3, 150)
    assert (operation.least, operation.most) == (60, 60)


def test_operations_that_stay_under_way() -> None:
    """A loop that loads ahead: two are under way at each wait, which is for the older of them."""
    rows = [(0, 0, FIRST)]
    for turn in range(100, 400, 100):
        rows += [(turn, 0, FIRST), (turn + 10, 50, WAIT)]
    waits = settled(rows, [(WAIT, [FIRST])] * 3)
    operation = waits.operations[FIRST]
    assert (waits.placed, operation.waited_for, operation.charged) == (3, 3, 150)
    assert (operation.least, operation.most) == (160, 160)


def test_two_entries_for_one_execution() -> None:
    """One for each counter that the wait names."""
    waits = settled([(0, 0, FIRST), (4, 0, SECOND), (8, 41, WAIT)], [(WAIT, [FIRST]), (WAIT, [SECOND])])
    assert waits.placed == 2
    assert (waits.operations[FIRST].charged, waits.operations[SECOND].charged) == (20, 21)
    assert waits.moved_away[WAIT] == 41


def test_an_execution_without_an_entry() -> None:
    """Nothing was outstanding the first time."""
    waits = settled([(0, 4, WAIT), (10, 0, FIRST), (20, 30, WAIT)], [(WAIT, [FIRST])])
    assert waits.operations[FIRST].waited_for == 1
    assert waits.operations[FIRST].most == 40


def test_a_flat_operation_is_named_by_both_waits() -> None:
    rows = [(0, 0, FLAT), (10, 30, WAIT), (50, 20, OTHER_WAIT)]
    entries: list[tuple[int, list[int]]] = [(WAIT, [FLAT]), (OTHER_WAIT, [FLAT])]
    again = [(time + 100, stall, line) for time, stall, line in rows]
    waits = settled(rows + again, [*entries, *entries])
    assert (waits.placed, waits.entries) == (4, 4)
    assert waits.operations[FLAT].charged == 100
    assert (waits.operations[FLAT].least, waits.operations[FLAT].most) == (40, 70)


def test_the_oldest_is_waited_for_first() -> None:
    """vmcnt(1), then vmcnt(0)."""
    rows = [(0, 0, FIRST), (4, 0, FIRST), (10, 50, WAIT), (70, 30, OTHER_WAIT)]
    waits = settled(rows, [(WAIT, [FIRST]), (OTHER_WAIT, [FIRST])])
    assert (waits.operations[FIRST].least, waits.operations[FIRST].most) == (60, 96)


def test_what_was_never_issued_is_reported() -> None:
    rows = [(0, 30, WAIT), (40, 0, SECOND), (50, 40, OTHER_WAIT)]
    waits = settled(rows, [(WAIT, [FIRST]), (OTHER_WAIT, [SECOND])])
    assert (waits.entries, waits.placed) == (2, 1)
    assert waits.moved_away == {OTHER_WAIT: 40}


def test_a_wait_that_is_over_at_once_keeps_its_clocks() -> None:
    waits = settled([(0, 0, FIRST), (500, 4, WAIT)], [(WAIT, [FIRST])])
    operation = waits.operations[FIRST]
    assert (operation.waited_for, operation.stalled_for, operation.charged) == (1, 0, 0)
    assert operation.most == 504
    assert not waits.moved_away
