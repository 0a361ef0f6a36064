"""Errors that reach the user, and the exit codes that go with them.

Every error names its cause and, where there is one, the remedy. Only ``cli.main`` turns them into
messages and exit codes.
"""

from __future__ import annotations


class RocmPerfError(Exception):
    """Something the user can understand and usually do something about."""

    exit_code = 1

    def __init__(self, cause: str, remedy: str | None = None) -> None:
        super().__init__(cause)
        self.cause = cause
        self.remedy = remedy


class EnvironmentProblem(RocmPerfError):
    """A tool, library or device that is needed is missing or unusable."""

    exit_code = 3
