"""Virtual time: the timeline on its own, and as clients of the HSA runtime see it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hsa_build import PROGRAMS, ROOT, build_kernels, build_program, call, run_program


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("time")


def test_the_timeline_on_its_own(scratch: Path) -> None:
    program = scratch / "timeline"
    sources = [PROGRAMS / "timeline.cpp", ROOT / "native" / "hsa" / "time" / "timeline.cpp"]
    call(
        "g++", "-std=c++20", "-O1", "-Wall", "-Wextra", f"-I{ROOT / 'native'}", *sources, "-o", program
    )  # fmt: skip
    done = run_program(program)
    assert done.returncode == 0, done.stderr


def test_every_run_takes_the_same_time(scratch: Path) -> None:
    program, kernels = build_program(scratch, "time.cpp"), build_kernels(scratch)
    runs = [run_program(program, kernels, VROCM_THREADS=threads) for threads in ("1", "2", "2")]
    for done in runs:
        assert done.returncode == 0, done.stdout + done.stderr
    assert runs[0].stdout == runs[1].stdout == runs[2].stdout
    times = [line for line in runs[0].stdout.splitlines() if line.startswith(("a ", "b ", "c "))]
    assert len(times) == 3


def test_kernels_may_wait_for_each_other(scratch: Path) -> None:
    done = run_program(build_program(scratch, "time.cpp"), build_kernels(scratch), "wait")
    assert done.returncode == 0, done.stdout + done.stderr


def test_full_simulation_repeats_too(scratch: Path) -> None:
    program, kernels = build_program(scratch, "time.cpp"), build_kernels(scratch)
    runs = [run_program(program, kernels, VROCM_TIMING="full") for _ in range(2)]
    assert [done.returncode for done in runs] == [0, 0], runs[0].stderr + runs[1].stderr
    assert runs[0].stdout == runs[1].stdout


def test_queues_work_in_host_time(scratch: Path) -> None:
    done = run_program(build_program(scratch, "queues.cpp"), build_kernels(scratch), VROCM_TIMING="off")
    assert done.returncode == 0, done.stderr


def test_an_unknown_mode_is_refused_with_the_known_ones(scratch: Path) -> None:
    done = run_program(build_program(scratch, "time.cpp"), build_kernels(scratch), VROCM_TIMING="fast")
    assert done.returncode != 0
    assert "VROCM_TIMING=fast" in done.stderr
    assert all(known in done.stderr for known in ("sampled", "full", "off"))
