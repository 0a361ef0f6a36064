"""Errors that reach the user: each names its cause and, where there is one, the remedy.

Whoever runs a command turns them into a message and an exit code; those of the product have the same base.
"""

from __future__ import annotations

import errno
import os

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


class Problem(Exception):
    """Something the user can understand and usually do something about."""

    kind = "internal"
    exit_code = 1

    def __init__(self, cause: str, remedy: str | None = None, collected: str | None = None) -> None:
        super().__init__(cause)
        self.cause = cause
        self.remedy = remedy
        self.collected = collected  # a folder that keeps what was there before the failure


class UsageProblem(Problem):
    """Options or arguments that make no sense together (click's own errors have the same exit code)."""

    kind = "usage"
    exit_code = 2


class EnvironmentProblem(Problem):
    """A tool, library or device that is needed is missing or unusable."""

    kind = "environment"
    exit_code = 3


class CompilationFailed(Problem):
    """Sources that the compiler refuses, in its words."""

    kind = "bad-input"
    exit_code = 6


def disk_problem(error: OSError) -> EnvironmentProblem | None:
    """The error that a failed call of the system is for the user; None: it speaks of a mistake of ours."""
    if error.errno not in _OF_THE_SYSTEM:
        return None
    where = f"{os.fsdecode(error.filename)}: " if error.filename is not None else ""
    return EnvironmentProblem(f"{where}{error.strerror}", _OF_THE_SYSTEM[error.errno])
