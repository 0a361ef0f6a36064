"""For all tests: what they begin with, whoever started them."""

from __future__ import annotations

import os
import signal

# Matrices are small, and threads of BLAS that wait for each other cost minutes.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# Background jobs of a shell ignore Ctrl-C, those of nohup SIGHUP, and commands that inherit that honour it:
# their tests would fail.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
