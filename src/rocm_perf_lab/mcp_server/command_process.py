"""The process in which a tool call runs its command: the command line of the product, tied to the server.

It is asked to end by SIGINT, as by Ctrl-C, and is sent that, too, when the server dies.
"""

from __future__ import annotations

import ctypes
import os
import runpy
import signal
import sys
from collections.abc import Sequence

from vrocm import isolated

_SIGNAL_AT_DEATH_OF_PARENT = 1  # PR_SET_PDEATHSIG of linux/prctl.h


def command_line(words: Sequence[str]) -> list[str]:
    """What to start for ``rocm-perf`` with these words."""
    return isolated.command_line(__name__, str(os.getpid()), *words)


def main() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # who starts a server may have it ignored
    ctypes.CDLL(None).prctl(_SIGNAL_AT_DEATH_OF_PARENT, signal.SIGINT, 0, 0, 0)
    if os.getppid() != int(sys.argv.pop(1)):  # it died before it could be said that we want to know
        sys.exit(128 + signal.SIGINT)
    sys.argv[0] = "rocm-perf"
    runpy.run_module("rocm_perf_lab", run_name="__main__")


if __name__ == "__main__":
    main()
