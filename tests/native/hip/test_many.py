"""Many streams, and many host threads, work and cost what they should."""

from __future__ import annotations

import pytest

MORE_THAN_A_QUEUE_HAS_PACKETS = "5000"
KILOBYTES_OF_A_STREAM = "64"


def passed(done) -> str:
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("mode", ["off", "sampled"])
def test_many_streams(mode, hip_program, run):
    program = hip_program("many_streams.hip")
    passed(run(program, MORE_THAN_A_QUEUE_HAS_PACKETS, KILOBYTES_OF_A_STREAM, VROCM_TIMING=mode))


@pytest.mark.survey
@pytest.mark.parametrize("mode", ["off", "sampled"])
def test_very_many_streams(mode, hip_program, run):
    program = hip_program("many_streams.hip")
    passed(run(program, "20000", KILOBYTES_OF_A_STREAM, VROCM_TIMING=mode))


def sleeps_per_launch(output: str) -> float:
    return float(output.split()[1])


@pytest.mark.parametrize("mode", ["off", "sampled"])
def test_an_event_wakes_whom_it_concerns(mode, hip_program, run):
    """Were all 200 threads that wait woken whenever anything happens, they would sleep 150 times a launch."""
    out = passed(run(hip_program("many_threads.hip"), "200", "1000", VROCM_TIMING=mode))
    assert sleeps_per_launch(out) < 80
