"""Errors that reach the user, and the exit codes that go with them.

Every error names its cause and, where there is one, the remedy. Only ``cli.main`` turns them into
messages and exit codes.
"""

from __future__ import annotations

from vrocm import errors as of_vrocm

# One family: those of the virtual ROCm reach the user as ours do.
RocmPerfError = of_vrocm.Problem
UsageProblem = of_vrocm.UsageProblem
EnvironmentProblem = of_vrocm.EnvironmentProblem
disk_problem = of_vrocm.disk_problem

# The exit code of a comparison that did all it should and found what it was asked to fail on: no error.
REGRESSION_FOUND = 8
# The exit code of a validation that ran to its end and found outputs that differ, or that proves nothing.
VALIDATION_FAILED = 10
# The exit code of a check that ran to its end and found defects.
DEFECTS_FOUND = 11
# The exit code of a verification that ran to its end and did not confirm every claim.
VERIFICATION_FAILED = 12


class ProgramFailed(RocmPerfError):
    """The program under measurement crashed, was killed or ended with a non-zero code."""

    kind = "program-failed"
    exit_code = 4


class NoKernels(RocmPerfError):
    """The program ran and launched no kernel (or none that was asked for)."""

    kind = "no-kernels"
    exit_code = 5


class BadInput(RocmPerfError):
    """A file that cannot be read as what it should be."""

    kind = "bad-input"
    exit_code = 6


class TimedOut(RocmPerfError):
    """The program did not end in the time it was given."""

    kind = "timeout"
    exit_code = 7


class NotReplayable(RocmPerfError):
    """A capture that cannot be replayed faithfully here: incomplete, other ISA, addresses taken."""

    kind = "not-replayable"
    exit_code = 9


class NotTrusted(RocmPerfError):
    """What others made would be run, and nobody has allowed it."""

    kind = "not-trusted"
    exit_code = 13


class Interrupted(RocmPerfError):
    """The user stopped the command (Ctrl-C)."""

    kind = "interrupted"
    exit_code = 130
