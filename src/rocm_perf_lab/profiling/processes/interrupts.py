"""Ctrl-C, and requests to end (SIGTERM, SIGHUP), around a process that we start: none comes between its start
and the moment from which on somebody ends it."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator
from types import FrameType

_NUMBERS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Interrupts:
    """Held at first; once released, each raises KeyboardInterrupt, and so does one that came before."""

    def __init__(self) -> None:
        self.held = True
        self.came = False

    def release(self) -> None:
        self.held = False
        if self.came:
            self.came = False
            raise KeyboardInterrupt

    def take(self, number: int, frame: FrameType | None) -> None:
        if not self.held:
            raise KeyboardInterrupt
        self.came = True


@contextlib.contextmanager
def held_interrupts() -> Iterator[Interrupts]:
    """To be entered before a process is started; what is to be ignored (nohup) stays so."""
    interrupts = Interrupts()
    before = {number: signal.getsignal(number) for number in _NUMBERS}
    replaced = [number for number in _NUMBERS if before[number] not in (signal.SIG_IGN, None)]
    try:
        for number in replaced:
            signal.signal(number, interrupts.take)
    except ValueError:  # not the main thread: signals do not come here
        replaced = []
    try:
        yield interrupts
    finally:
        for number in replaced:
            signal.signal(number, before[number])
    interrupts.release()  # one that came when nothing could be started
