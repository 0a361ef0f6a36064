"""A GPU fault ends every wait, in every mode of timing."""

from __future__ import annotations

import pytest

MODES = ["off", "sampled", "full"]
CAUSES = ["null", "trap", "limit"]


@pytest.fixture(scope="module")
def fault_waits(hip_program, vrocm):
    return hip_program(
        "fault_waits.hip", f"-I{vrocm['ROCM_PATH']}/include", "-Wl,--no-as-needed", "-lhsa-runtime64"
    )


def after_fault(fault_waits, run, mode, *arguments):
    done = run(
        fault_waits,
        *arguments,
        VROCM_TIMING=mode,
        VROCM_DEVICES="2",
        VROCM_INSTRUCTION_LIMIT="3000000",
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done


@pytest.mark.parametrize("cause", CAUSES)
@pytest.mark.parametrize("mode", MODES)
def test_waits_end_with_the_error(mode, cause, fault_waits, run):
    assert "all checks passed" in after_fault(fault_waits, run, mode, cause).stdout


@pytest.mark.parametrize("mode", MODES)
def test_a_process_that_waits_for_nothing_ends(mode, fault_waits, run):
    after_fault(fault_waits, run, mode, "null", "leave")
