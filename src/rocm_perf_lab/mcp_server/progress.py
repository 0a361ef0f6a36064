"""How far a tool call is, as the client is told: steps of the command, and signs of life between them."""

from __future__ import annotations

import time
from typing import Protocol

# A step that takes long is told of again: so many seconds after the last word. Chosen.
SILENCE_SECONDS = 3.0


class Reporter(Protocol):
    """What the SDK gives to a tool."""

    async def report_progress(
        self, progress: float, total: float | None = None, message: str | None = None
    ) -> None: ...


class CallProgress:
    """Figures that only grow, as the protocol wants it: finished steps, and parts of one in between."""

    def __init__(self, reporter: Reporter) -> None:
        self.reporter = reporter
        self.began = time.monotonic()
        self.done = 0
        self.total: int | None = None
        self.step = "running"
        self.signs = 0

    async def begin(self, step: str, done: int, total: int | None) -> None:
        """A step of the command begins; ``done`` are finished."""
        if done > self.done:
            self.done, self.signs = done, 0
        else:
            self.signs += 1
        self.step, self.total = step, total
        await self._tell(step)

    async def say(self, message: str) -> None:
        """Something came to pass that is no step."""
        self.signs += 1
        await self._tell(message)

    async def sign_of_life(self) -> None:
        self.signs += 1
        await self._tell(f"{self.step}, {time.monotonic() - self.began:.0f} s")

    async def _tell(self, message: str) -> None:
        part = self.signs / (self.signs + 10)  # below 1 however many there are
        await self.reporter.report_progress(self.done + part, self.total, message)
