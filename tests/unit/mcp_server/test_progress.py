"""Progress that a client is told grows with every notification, whatever the command says."""

from __future__ import annotations

from itertools import pairwise

import anyio

from rocm_perf_lab.mcp_server.progress import CallProgress


class Told:
    def __init__(self) -> None:
        self.all: list[tuple[float, float | None, str | None]] = []

    async def report_progress(
        self, progress: float, total: float | None = None, message: str | None = None
    ) -> None:
        self.all.append((progress, total, message))


def test_figures_only_grow() -> None:
    told = Told()

    async def call() -> None:
        progress = CallProgress(told)
        await progress.say("waiting")
        await progress.begin("one", 0, 2)
        for _ in range(50):
            await progress.sign_of_life()
        await progress.begin("two", 1, 2)
        await progress.begin("again the first", 0, 5)  # a command that counts anew
        await progress.say("line")
        await progress.begin("three", 2, 5)

    anyio.run(call)
    figures = [progress for progress, _, _ in told.all]
    assert all(before < after for before, after in pairwise(figures))
    assert figures[-1] == 2
    assert told.all[2][2] == "one, 0 s"
    assert told.all[-1][1:] == (5, "three")
