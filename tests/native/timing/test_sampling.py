"""A dispatch of which a part is simulated takes as long as one that is simulated as a whole."""

from __future__ import annotations

from operator import attrgetter

import numpy as np
import ordered_kernels
import pytest
from ordered_kernels import FEW_AT_A_TIME, zeros
from sampling_kernels import Case, M, compile_kernels, floats, run
from simulator import run_kernel
from tests.tiers import sweep

NAME = attrgetter("name")

# All kinds of kernels: validation/sampling_survey.py.
STREAM = Case("stream off the lines", "add", 114688, lambda: [floats(28 * M, 16) for _ in range(3)])
# Of long groups a part is passed while they run, and one is run ahead to see how long they are.
LONG_GROUPS = Case("long groups", "uneven", 2500, lambda: [floats(M), 480, 1])
CASES = [
    STREAM,
    Case(
        "calculate or read in turns",
        "some_read",
        40960,
        lambda: [floats(16 * M), floats(16 * M), 12, 12, 4, 16 * M - 1],
    ),
    Case(
        "reading what is in a cache by now",
        "read_then_calculate",
        32768,
        lambda: [floats(8 * M), floats(16 * M), 4, 4, 16 * M - 1],
    ),
    Case("one heavy workgroup", "one_heavy", 49152, lambda: [floats(16 * M), 3, 30000, 3000]),
    # Generations of long workgroups run in step: waves go through gaps by their clocks, and meet at barriers.
    Case("generations in step", "producer", 19456, lambda: [floats(8 * M), floats(16 * M), 12, 16 * M - 1]),
    # Generations of short ones do: gaps are a number of generations.
    Case("phases in step", "softmax", 31000, lambda: [floats(31000 * 2048), floats(31000 * 2048), 2048]),
]
WHOLE = [
    Case("few instructions", "add", 65536, lambda: [floats(16 * M) for _ in range(3)]),
    Case("uneven dies", "uneven", 12000, lambda: [floats(3 * M), 2, 8]),
    Case("work that falls", "falling_calculated", 8192, lambda: [floats(2 * M), 7, 8192]),
    # Where workgroups look at each other nobody knows how much is to come; where they wait, what they run
    # meanwhile tells nothing about it.
    Case(
        "a queue of work",
        "work_queue",
        2432,
        lambda: [floats(16 * M), zeros(64), floats(16 * M), 8192, 16 * M - 1],
    ),
    Case("a chain of workgroups", "chained_scan", 1000, lambda: [floats(M), zeros(M), floats(M)]),
]


@pytest.fixture(scope="module")
def code(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return compile_kernels(tmp_path_factory.mktemp("sampling"), ordered_kernels.SOURCE)


@pytest.mark.parametrize(
    "case", sweep(CASES, keep={"stream off the lines"}, name=NAME), ids=lambda case: case.name
)
def test_sampled_and_full_agree(code: bytes, case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = case.prepare()
    for array in arguments[1:]:
        if isinstance(array, np.ndarray):
            array[:] = np.arange(len(array)) % 251
    results = arguments[0]
    results[:] = 0
    monkeypatch.setenv("VROCM_TIMING", "sampled")
    sampled = run(code, case, arguments).stats
    of_sampled = results.copy()
    results[:] = 0
    monkeypatch.setenv("VROCM_TIMING", "full")
    full = run(code, case, arguments).stats
    assert np.array_equal(of_sampled, results)
    assert sampled.sampled
    assert not full.sampled
    assert sampled.instructions == full.instructions
    assert sampled.cycles == pytest.approx(full.cycles, rel=0.05)


@pytest.mark.parametrize(
    "case",
    sweep(WHOLE, keep={"few instructions", "a chain of workgroups"}, name=NAME),
    ids=lambda case: case.name,
)
def test_a_dispatch_that_is_small_or_unsteady_is_simulated_as_a_whole(
    code: bytes, case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VROCM_TIMING", "sampled")
    assert not run(code, case, case.prepare()).stats.sampled


@pytest.mark.parametrize(
    "case", sweep([STREAM, LONG_GROUPS], keep={STREAM.name}, name=NAME), ids=lambda case: case.name
)
def test_what_is_sampled_does_not_depend_on_host_threads(
    code: bytes, case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = case.prepare()
    monkeypatch.setenv("VROCM_TIMING", "sampled")
    cycles = set()
    for threads in ("1", "3"):
        monkeypatch.setenv("VROCM_THREADS", threads)
        stats = run(code, case, arguments).stats
        assert stats.sampled
        cycles.add(stats.cycles)
    assert len(cycles) == 1


@pytest.mark.survey
def test_workgroups_that_look_at_each_other_have_gaps(code: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    groups = 65536
    kept = Case("", "compaction", groups, lambda: [floats(16 * M), zeros(64), floats(64 * M)])
    found = []
    for mode in ("sampled", "full"):
        monkeypatch.setenv("VROCM_TIMING", mode)
        out, count, numbers = arguments = kept.prepare()
        numbers[: groups * 256] = 1 + np.arange(groups * 256)
        stats = run(code, kept, arguments).stats
        found.append((stats.cycles, np.sort(out[: count[0]])))
        assert stats.sampled == (mode == "sampled")
    assert found[0][0] == pytest.approx(found[1][0], rel=0.05)
    assert len(found[0][1]) > groups * 256 / 4
    assert np.array_equal(found[0][1], found[1][1])


@pytest.mark.parametrize(
    "case", sweep(FEW_AT_A_TIME, keep={FEW_AT_A_TIME[0].name}, name=NAME), ids=lambda case: case.name
)
def test_the_last_of_those_that_wait_are_simulated(
    code: bytes, case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []
    for mode in ("sampled", "full"):
        monkeypatch.setenv("VROCM_TIMING", mode)
        arguments = case.prepare()
        stats = run(code, case, arguments).stats
        assert stats.sampled == (mode == "sampled")
        assert stats.workgroups == case.groups
        found.append((stats.cycles, arguments[0].copy()))
    assert found[0][0] == pytest.approx(found[1][0], rel=0.05)
    assert found[0][1].any()
    assert np.array_equal(found[0][1], found[1][1])


def test_a_fault_at_the_end_of_those_that_wait(code: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    chain = FEW_AT_A_TIME[0]
    messages = []
    for mode in ("off", "sampled"):
        monkeypatch.setenv("VROCM_TIMING", mode)
        out, states, numbers = chain.prepare()
        arguments = [out[: 5900 * 256], states, numbers]
        result = run_kernel(code, chain.kernel, [chain.groups * 256], [256], arguments, **chain.launch)
        assert result.kind != 0
        messages.append(result.message)
    assert messages[0] == messages[1]
    assert "(5900,0,0)" in messages[0]


def test_workgroups_that_were_left_out_are_run(code: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    count = 28 * M
    a, b, out = (floats(count) for _ in range(3))
    a[:] = np.arange(count)
    b[:] = 2
    monkeypatch.setenv("VROCM_TIMING", "sampled")
    result = run_kernel(code, "add", [count], [256], [out, a, b])
    assert result.stats.sampled
    assert np.array_equal(out, a + b)


def test_a_fault_is_that_of_the_first_workgroup(code: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those at the end of the dispatch are simulated before those in its middle, which fault too."""
    count = 28 * M
    a, b, out = floats(count), floats(count), floats(count)[: count * 3 // 4]
    messages = []
    for mode in ("off", "sampled"):
        monkeypatch.setenv("VROCM_TIMING", mode)
        result = run_kernel(code, "add", [count], [256], [out, a, b])
        assert result.kind != 0
        messages.append(result.message)
    assert messages[0] == messages[1]
