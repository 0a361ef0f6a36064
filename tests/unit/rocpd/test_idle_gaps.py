"""The time in which a GPU ran nothing before a launch belongs to that launch, whatever the file's order."""

from __future__ import annotations

import random
import sqlite3
from array import array
from pathlib import Path

import pytest

from rocm_perf_lab.rocpd.idle_gaps import LAUNCH_COST_NS, Idle, LaunchTimes, idle_before
from rocm_perf_lab.rocpd.read import read_trace

Launch = tuple[int, int, int]  # group, start, end


def found(launches: list[Launch], many: int) -> list[Idle]:
    groups = [LaunchTimes(array("q"), array("q")) for _ in range(1 + max(group for group, *_ in launches))]
    for group, start, end in launches:
        groups[group].starts.append(start)
        groups[group].durations.append(end - start)
    return idle_before(groups, many=many)


@pytest.fixture(params=[1, 10**9], ids=["with numpy", "without"])
def many(request: pytest.FixtureRequest) -> int:
    return int(request.param)


@pytest.mark.parametrize(
    ("launches", "idle"),
    [
        ([(0, 100, 200)], [(0, 0)]),  # nothing is known of what was before the first
        ([(0, 100, 200), (0, 250, 300), (0, 300, 400)], [(50, 2)]),
        ([(0, 0, 100), (1, 130, 200), (0, 200, 300), (1, 305, 400)], [(0, 1), (35, 2)]),
        ([(1, 305, 400), (0, 200, 300), (1, 130, 200), (0, 0, 100)], [(0, 1), (35, 2)]),
        ([(0, 0, 1000), (1, 100, 200), (1, 300, 400), (0, 1010, 1020)], [(10, 1), (0, 2)]),  # beside others
        ([(0, 0, 10), (1, 10 + 10**9, 2 * 10**9)], [(0, 0), (LAUNCH_COST_NS, 1)]),  # the host did something
        ([(0, 5, 5), (0, 5, 5), (0, 5, 5)], [(0, 2)]),
        ([(0, -(2**62), 0), (0, 2**62, 2**62 + 1)], [(LAUNCH_COST_NS, 1)]),
    ],
)
def test_by_hand(launches: list[Launch], idle: list[tuple[int, int]], many: int) -> None:
    assert found(launches, many) == [Idle(*one) for one in idle]


def test_both_ways_give_the_same() -> None:
    chance = random.Random(5)
    for _ in range(200):
        made = []
        for _ in range(chance.randint(1, 40)):
            start = chance.randint(0, 300)
            made.append((chance.randint(0, 3), start, start + chance.randint(0, 30)))
        made.append((3, 0, 0))  # every group has a launch
        made += [(group, 300, 310) for group in range(3)]
        assert found(made, 1) == found(made, 10**9)


def test_of_a_database(database, tmp_path: Path) -> None:
    """Against a walk over its rows by their starts; where one kernel is asked for, the others run, too."""
    path = database(dispatches=300, kernels=3, geometries=2)
    connection = sqlite3.connect(path)
    rows = connection.execute('SELECT name, start, "end" FROM kernels ORDER BY start').fetchall()
    connection.close()
    expected: dict[str, list[int]] = {}
    until = None
    for name, start, end in rows:
        total = expected.setdefault(name, [0, 0])
        if until is not None:
            total[0] += min(max(0, start - until), LAUNCH_COST_NS)
            total[1] += 1
        until = end if until is None else max(until, end)

    def idle(**options: str) -> dict[str, list[int]]:
        told: dict[str, list[int]] = {}
        for launches in read_trace([path], **options).launches:  # type: ignore[arg-type]
            total = told.setdefault(launches.key.kernel, [0, 0])
            total[0] += launches.idle_ns
            total[1] += launches.preceded
        return told

    assert idle() == expected
    assert sum(count for _, count in expected.values()) == 299
    (name, *_) = expected
    assert idle(kernels=name.partition("(")[0]) == {name: expected[name]}


def test_gpus_are_apart(tmp_path: Path) -> None:
    head = "Kind,Agent_Id,Queue_Id,Kernel_Name,Dispatch_Id,Start_Timestamp,End_Timestamp,LDS_Block_Size,"
    head += "Scratch_Size,VGPR_Count,SGPR_Count,Workgroup_Size_X,Workgroup_Size_Y,Workgroup_Size_Z,"
    head += "Grid_Size_X,Grid_Size_Y,Grid_Size_Z"
    rows = [
        f'"KERNEL_DISPATCH",{agent},1,"k()",{number},{start},{end},0,0,8,16,64,1,1,64,1,1'
        for number, (agent, start, end) in enumerate([(4, 1000, 2000), (5, 2500, 2600), (4, 3000, 4000)], 1)
    ]
    (tmp_path / "1_kernel_trace.csv").write_text("\n".join([head, *rows]) + "\n")
    launches = read_trace([tmp_path]).launches
    assert {(one.key.agent, one.idle_ns, one.preceded) for one in launches} == {(4, 1000, 1), (5, 0, 0)}
