"""The one exception of the driver: a message for the user and the exit code that goes with it."""

from __future__ import annotations


class HipccError(Exception):
    """Stops the invocation. `main` prints the message as `hipcc: error: …`."""

    def __init__(self, message: str, exit_code: int = 1) -> None:
        super().__init__(message)
        self.exit_code = exit_code


class StepError(Exception):
    """A tool that hipcc ran has failed and has already said why."""

    def __init__(self, exit_code: int) -> None:
        super().__init__(f"exit code {exit_code}")
        self.exit_code = exit_code
