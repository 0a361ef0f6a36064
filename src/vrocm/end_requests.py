"""Requests to end (SIGTERM, SIGHUP) as Ctrl-C: what is half written or still runs is cleared away first."""

from __future__ import annotations

import contextlib
import signal
from types import FrameType
from typing import NoReturn

NUMBERS = (signal.SIGTERM, signal.SIGHUP)


def end_as_by_ctrl_c() -> None:
    """From here on they raise KeyboardInterrupt; those that are ignored (nohup) or handled stay so."""
    for number in NUMBERS:
        if signal.getsignal(number) is signal.SIG_DFL:
            with contextlib.suppress(ValueError):  # not the main thread: signals do not come here
                signal.signal(number, _interrupt)


def _interrupt(number: int, frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt
