"""A dispatch of which a part is simulated takes as long as one that is simulated as a whole."""

from __future__ import annotations

import numpy as np
import pytest
from sampling_kernels import GENERATION, Case, M, compile_kernels, floats, run
from simulator import run_kernel

# All kinds of kernels: validation/sampling_survey.py.
CASES = [
    Case("aligned stream", "add", 32768, lambda: [floats(8 * M) for _ in range(3)]),
    Case("stream off the lines", "add", 32768, lambda: [floats(8 * M, 16) for _ in range(3)]),
    Case("longer stream off the lines", "add", 65536, lambda: [floats(16 * M, 16) for _ in range(3)]),
    Case("writes", "fill", 65536, lambda: [floats(16 * M)]),
    Case("reads", "read4", 32768, lambda: [floats(1), floats(32 * M)]),
    Case("neighbours", "stencil", 32768, lambda: [floats(9 * M, 4), floats(9 * M, 4), 4096]),
    Case("uneven dies", "uneven", 16384, lambda: [floats(4 * M), 2, 8]),
    Case("a matrix product", "matmul", 1600, lambda: [*(floats(640 * 640) for _ in range(3)), 640]),
]
# They may be simulated as a whole. Some were off by more than 5 %.
DIFFICULT = [
    Case(
        "loop over the data",
        "loop",
        GENERATION,
        lambda: [floats(26 * M), floats(26 * M), 26 * M, 256 * GENERATION],
    ),
    Case("tiles in LDS", "transpose", 24576, lambda: [floats(16 * M), floats(16 * M), 4096]),
    Case("growing work", "triangle_calculated", 12288, lambda: [floats(3 * M), 9]),
    Case("falling work", "falling", 4096, lambda: [floats(M), floats(4 * M), 5, 4096, 4 * M - 1]),
    Case("one heavy workgroup", "one_heavy", 16384, lambda: [floats(4 * M), 6, 8192, 2000]),
    Case(
        "reads that go round, 1.2 generations",
        "rows",
        GENERATION * 6 // 5,
        lambda: [floats(M), floats(32 * M), 100, 32 * M - 1],
    ),
    Case(
        "few workgroups for their LDS",
        "chain",
        1520,
        lambda: [floats(M), 150],
        launch={"group_segment_size": 20 << 10},
    ),
]


@pytest.fixture(scope="module")
def code(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return compile_kernels(tmp_path_factory.mktemp("sampling"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_sampled_and_full_agree(code: bytes, case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = case.prepare()
    monkeypatch.setenv("VROCM_TIMING", "sampled")
    sampled = run(code, case, arguments).stats
    monkeypatch.setenv("VROCM_TIMING", "full")
    full = run(code, case, arguments).stats
    assert sampled.sampled
    assert not full.sampled
    assert sampled.instructions == full.instructions
    assert sampled.cycles == pytest.approx(full.cycles, rel=0.05)


@pytest.mark.parametrize("case", DIFFICULT, ids=lambda case: case.name)
def test_a_difficult_dispatch_takes_as_long_as_when_it_is_simulated_as_a_whole(
    code: bytes, case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = case.prepare()
    cycles = []
    for mode in ("sampled", "full"):
        monkeypatch.setenv("VROCM_TIMING", mode)
        cycles.append(run(code, case, arguments).stats.cycles)
    assert cycles[0] == pytest.approx(cycles[1], rel=0.05)


# Of long groups a part is passed while they run, and one is run ahead to see how long they are.
LONG_GROUPS = Case("long groups", "uneven", 2500, lambda: [floats(M), 100, 1])


@pytest.mark.parametrize("case", [CASES[1], LONG_GROUPS], ids=lambda case: case.name)
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


def test_workgroups_that_were_left_out_are_run(code: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    count = 16 * M
    a, b, out = (floats(count) for _ in range(3))
    a[:] = np.arange(count)
    b[:] = 2
    monkeypatch.setenv("VROCM_TIMING", "sampled")
    result = run_kernel(code, "add", [count], [256], [out, a, b])
    assert result.stats.sampled
    assert np.array_equal(out, a + b)


def test_a_fault_is_that_of_the_first_workgroup(code: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those at the end of the dispatch are simulated before those in its middle, which fault too."""
    count = 16 * M
    a, b, out = floats(count), floats(count), floats(count)[: count * 3 // 4]
    messages = []
    for mode in ("off", "sampled"):
        monkeypatch.setenv("VROCM_TIMING", mode)
        result = run_kernel(code, "add", [count], [256], [out, a, b])
        assert result.kind != 0
        messages.append(result.message)
    assert messages[0] == messages[1]
