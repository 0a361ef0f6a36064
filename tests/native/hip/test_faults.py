"""A GPU fault ends every wait, in every mode of timing."""

from __future__ import annotations

import pytest

MODES = ["off", "sampled", "full"]
CAUSES = ["null", "trap", "limit"]


def after_fault(hip_program, run, mode, *arguments):
    program = hip_program("fault_waits.hip", "-lhsa-runtime64")
    done = run(
        program,
        *arguments,
        VROCM_TIMING=mode,
        VROCM_DEVICES="2",
        VROCM_INSTRUCTION_LIMIT="3000000",
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done


@pytest.mark.parametrize("cause", CAUSES)
@pytest.mark.parametrize("mode", MODES)
def test_waits_end_with_the_error(mode, cause, hip_program, run):
    assert "all checks passed" in after_fault(hip_program, run, mode, cause).stdout


@pytest.mark.parametrize("mode", MODES)
def test_a_process_that_waits_for_nothing_ends(mode, hip_program, run):
    after_fault(hip_program, run, mode, "null", "leave")
