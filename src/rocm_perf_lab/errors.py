"""Errors that reach the user, and the exit codes that go with them.

Every error names its cause and, where there is one, the remedy. Only ``cli.main`` turns them into
messages and exit codes.
"""

from __future__ import annotations

import errno
import os

# The exit code of a comparison that did all it should and found what it was asked to fail on: no error.
REGRESSION_FOUND = 8
# The exit code of a validation that ran to its end and found outputs that differ, or that proves nothing.
VALIDATION_FAILED = 10
# The exit code of a check that ran to its end and found defects.
DEFECTS_FOUND = 11
# The exit code of a verification that ran to its end and did not confirm every claim.
VERIFICATION_FAILED = 12
_MAKE_ROOM = "make room on the disks of this folder and of TMPDIR"
_ALLOW = "allow it, or name another place"
# Errors of the system that are no mistake of ours, and what helps.
_OF_THE_SYSTEM = {
    errno.ENOSPC: _MAKE_ROOM,
    errno.EDQUOT: _MAKE_ROOM,
    errno.EFBIG: "ulimit -f says how large files may be",
    errno.EROFS: _ALLOW,
    errno.EACCES: _ALLOW,
    errno.EPERM: _ALLOW,
    errno.EIO: "look what the system says of this disk: dmesg",
    errno.EMFILE: "ulimit -n says how many files may be open",
    errno.ENFILE: "end programs that have many files open",
    errno.ENOMEM: "end programs that take much memory",
}


class RocmPerfError(Exception):
    """Something the user can understand and usually do something about."""

    kind = "internal"
    exit_code = 1

    def __init__(self, cause: str, remedy: str | None = None, collected: str | None = None) -> None:
        super().__init__(cause)
        self.cause = cause
        self.remedy = remedy
        self.collected = collected  # a folder that keeps what was there before the failure


class UsageProblem(RocmPerfError):
    """Options or arguments that make no sense together (click's own errors have the same exit code)."""

    kind = "usage"
    exit_code = 2


class EnvironmentProblem(RocmPerfError):
    """A tool, library or device that is needed is missing or unusable."""

    kind = "environment"
    exit_code = 3


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


def disk_problem(error: OSError) -> EnvironmentProblem | None:
    """The error that a failed call of the system is for the user; None: it speaks of a mistake of ours."""
    if error.errno not in _OF_THE_SYSTEM:
        return None
    where = f"{os.fsdecode(error.filename)}: " if error.filename is not None else ""
    return EnvironmentProblem(f"{where}{error.strerror}", _OF_THE_SYSTEM[error.errno])
