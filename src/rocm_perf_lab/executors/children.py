"""Ends what this process, or one of its threads, has started; on a worker of a cluster for whom it was."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from pathlib import Path

# That programs have to come to an end when they are asked to.
PATIENCE_SECONDS = 5.0
# Owner -> threads that run a task for it.
_threads: dict[str, set[int]] = {}


def end_children(number: signal.Signals, spared: AbstractSet[int], thread: int | None = None) -> set[int]:
    """Sends a signal to what was started, by any thread or by one; each is the head of a process group of its
    own. Says who got it."""
    reached = set()
    for listed in Path("/proc/self/task").glob(f"{'*' if thread is None else thread}/children"):
        with contextlib.suppress(OSError):
            for child in map(int, listed.read_text().split()):
                if child not in spared and os.getpgid(child) == child:
                    os.killpg(child, number)
                    reached.add(child)
    return reached


@contextlib.contextmanager
def working_for(owner: str) -> Iterator[None]:
    """What this thread starts in the block is ended by ``end_work_for``."""
    thread = threading.get_native_id()
    _threads.setdefault(owner, set()).add(thread)
    try:
        yield
    finally:
        _threads[owner].discard(thread)


def end_work_for(owner: str) -> None:
    """Runs on a worker when nobody waits for its tasks any more: threads cannot be ended, programs can."""
    until = time.monotonic() + PATIENCE_SECONDS
    asked: set[int] = set()
    while _threads.get(owner) and time.monotonic() < until:
        # Again, since a task whose run was ended may begin another; nobody twice, who would be disturbed in
        # clearing up.
        for thread in tuple(_threads[owner]):
            asked |= end_children(signal.SIGTERM, asked, thread)
        time.sleep(0.05)
    for thread in tuple(_threads.get(owner, ())):
        end_children(signal.SIGKILL, frozenset(), thread)
