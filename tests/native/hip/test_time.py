"""Virtual time as HIP programs see it."""

from __future__ import annotations

import re
import subprocess

import pytest
from tests.commands import SECONDS


def figures(text: str, line: str) -> list[float]:
    """The numbers of the first line that begins with these words."""
    found = next(row for row in text.splitlines() if row.startswith(line))
    return [float(number) for number in re.findall(r"\d+(?:\.\d+)?", found[len(line) :])]


def copies(text: str, size: int) -> list[float]:
    """Milliseconds to the device, from it, within it, and of a fill."""
    row = next(row for row in text.splitlines() if row.startswith(f"copy {size} "))
    return [float(value) for value in re.findall(r"\d+\.\d+", row)]


@pytest.fixture(scope="module")
def timed(hip_program, run):
    done = run(hip_program("timing.hip"), VROCM_DEVICE="MI300A", VROCM_THREADS="2")
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def run(vrocm):
    def execute(program, *arguments, **variables):
        command = [str(program), *arguments]
        return subprocess.run(
            command, env={**vrocm, **variables}, capture_output=True, text=True, timeout=SECONDS
        )

    return execute


@pytest.mark.parametrize("threads", ["1", "2"])
def test_every_run_takes_the_same_time(timed, hip_program, run, threads):
    assert run(hip_program("timing.hip"), VROCM_DEVICE="MI300A", VROCM_THREADS=threads).stdout == timed


def test_an_empty_kernel_takes_a_few_microseconds(timed):
    # MI300A: 4.2 us between events around an almost empty kernel.
    warm = [float(row.split()[1]) for row in timed.splitlines() if row.startswith("empty")][1:]
    assert all(0.002 < ms < 0.006 for ms in warm)
    (ten,) = figures(timed, "ten")
    assert 3 * warm[0] < ten < 10 * warm[0]


def test_small_kernels_of_two_streams_run_beside_each_other(timed):
    apart, together = figures(timed, "small")
    assert together < 0.7 * apart


def test_kernels_that_fill_the_gpu_take_turns(timed):
    apart, together = figures(timed, "full")
    assert 0.7 * apart < together < 1.1 * apart


def test_asking_ends(timed):
    for line in ("event queries", "stream queries"):
        (asked,) = figures(timed, line)
        assert 10 < asked < 2000


def test_copies_take_what_they_take_on_an_mi300a(timed):
    h2d, d2h, d2d, fill = copies(timed, 64 << 20)
    assert 1.05 < h2d < 1.30  # measured: 1.17 ms
    assert 1.05 < d2h < 1.30
    assert 0.030 < d2d < 0.045  # measured: 0.036 to 0.039 ms
    assert 0.010 < fill < d2d
    *small, small_fill = copies(timed, 4096)
    assert all(0.002 < ms < 0.020 for ms in small)
    assert small_fill < 0.010


def test_clocks_in_kernels_follow(timed):
    (ticks,) = figures(timed, "ticks")  # 10 ns each, of a kernel of about 2000 dependent steps
    assert 500 < ticks < 20000


@pytest.mark.parametrize("mode", ["sampled", "full"])
def test_a_delay_takes_its_virtual_time(mode, hip_program, run):
    blocks = {"sampled": "64", "full": "2"}  # sampled: more than is simulated in detail
    done = run(hip_program("delay.hip"), blocks[mode], VROCM_TIMING=mode)
    assert done.returncode == 0, done.stdout + done.stderr
    for milliseconds in done.stdout.split()[:2]:
        assert 1.0 <= float(milliseconds) < 1.05


def test_a_delay_takes_its_time_by_the_hosts_clock(hip_program, run):
    """With 4 clocks an instruction, as before, each wave would run half a million: more than are allowed."""
    done = run(hip_program("delay.hip"), "256", VROCM_TIMING="off", VROCM_INSTRUCTION_LIMIT="50000000")
    assert done.returncode == 0, done.stdout + done.stderr
    for milliseconds in done.stdout.split()[:2]:
        assert float(milliseconds) >= 1.0


def test_programs_that_wait_for_memory_go_on(hip_program, run):
    done = run(hip_program("live.hip"))
    assert done.returncode == 0, done.stdout + done.stderr


def test_host_time(hip_program, run):
    assert run(hip_program("timing.hip"), VROCM_TIMING="off").returncode == 0


def test_a_thread_whose_clock_is_behind_waits_for_the_others_kernels(hip_program, run):
    """Signals are used again: what one said in its former use, at an earlier time, is no end of the new."""
    assert run(hip_program("clocks_apart.hip")).stdout == "0 times early\n"


def test_launches_of_workgroups_that_wait_take_the_same_time(hip_program, run):
    """The last ones are not simulated again, and wait less when nobody keeps time."""
    times = [float(row) for row in run(hip_program("waiting_groups.hip")).stdout.split()]
    assert len(times) == 5
    assert times[1:] == pytest.approx([times[0]] * 4, rel=0.05)
