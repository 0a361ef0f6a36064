"""Runs the program with the runtimes told what to log."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

from ..layout import environment
from .errors import RequestRefused
from .options import Options

_FORWARDED = (signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2)


def _logged(options: Options) -> list[str]:
    wanted = set(options.traces)
    if options.counters:
        wanted.add("counters")
    if options.att:
        wanted.add("kernel")
    if options.kernel_rename:
        wanted.add("marker")
    return sorted(wanted)


def _variables(options: Options, logs: Path, counts: frozenset[str]) -> dict[str, str]:
    variables = {**os.environ, **environment()}
    for name in ("VROCM_TRACE_DIR", "VROCM_TRACE", "VROCM_TRACE_COUNTERS", "VROCM_TRACE_PAUSED"):
        variables.pop(name, None)
    if options.preload:
        variables["LD_PRELOAD"] = ":".join([*options.preload, *filter(None, [variables.get("LD_PRELOAD")])])
    wanted = _logged(options)
    if not wanted:
        return variables
    variables["VROCM_TRACE_DIR"] = str(logs)
    variables["VROCM_TRACE"] = ",".join(wanted)
    if options.counters:
        variables["VROCM_TRACE_COUNTERS"] = ",".join(sorted(counts | {"extrapolated"}))
    if options.selected_regions:
        variables["VROCM_TRACE_PAUSED"] = "1"
    return variables


@contextlib.contextmanager
def _signals_to(process: subprocess.Popen[bytes]) -> Iterator[None]:
    """Signals for rocprofv3 are meant for the program; interrupts reach it from the terminal anyway."""

    def forward(number: int, frame: object) -> None:
        with contextlib.suppress(ProcessLookupError):
            process.send_signal(number)

    before = {number: signal.signal(number, forward) for number in _FORWARDED}
    before[signal.SIGINT] = signal.signal(signal.SIGINT, signal.SIG_IGN)
    before[signal.SIGQUIT] = signal.signal(signal.SIGQUIT, signal.SIG_IGN)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def run_program(
    command: list[str],
    options: Options,
    logs: Path,
    counts: frozenset[str],
    extra_variables: dict[str, str],
) -> int:
    """The program's exit code; negative when a signal ended it."""
    variables = {**_variables(options, logs, counts), **extra_variables}
    try:
        process = subprocess.Popen(command, env=variables)
    except OSError as problem:
        raise RequestRefused(f"{command[0]}: {problem.strerror or problem}") from None
    with _signals_to(process):
        return process.wait()


def exit_like(code: int) -> int:
    """Ends rocprofv3 as the program ended: by the same signal, or with the same code."""
    if code >= 0:
        return code
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with contextlib.suppress(OSError, ValueError):
        signal.signal(-code, signal.SIG_DFL)
    os.kill(os.getpid(), -code)
    return 128 - code  # a signal that does not end a process
