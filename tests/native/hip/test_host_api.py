"""The host API without kernels: each program checks itself and names what went wrong."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize("name", ["errors", "memory", "streams", "graphs"])
def test_program_passes(name, host_program, run):
    done = run(host_program(name))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "all checks passed" in done.stdout


def test_streams_in_host_time(host_program, run):
    done = run(host_program("streams"), VROCM_TIMING="off")
    assert done.returncode == 0, done.stdout + done.stderr


def test_two_devices(host_program, run):
    done = run(host_program("devices"), VROCM_DEVICES="2")
    assert done.returncode == 0, done.stdout + done.stderr


def test_refusals_name_the_call(host_program, run):
    done = run(host_program("errors"))
    assert "hipEventInterprocess is not supported" in done.stderr
