"""What a command may take: memory, and the size of files.

Memory is what all processes of the command have touched together (resident), looked at a few times a second:
address space that is only reserved does not count, because runtimes of GPUs, and the virtual one, reserve and
map far more than a machine has. Builds have a second limit, of the private memory that each process asks for
(``RLIMIT_DATA``), which the kernel itself keeps. So it does the size of files (``RLIMIT_FSIZE``).
"""

from __future__ import annotations

import contextlib
import os
import resource
import signal
from collections.abc import Iterator
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path

# Chosen: of the machine's memory, for what is run in order to be measured. The rest is for those who measure.
SHARE_OF_MEMORY = 7 / 8


@dataclass(frozen=True, kw_only=True)
class ProcessLimits:
    resident_bytes: int
    """Of all processes together."""
    file_bytes: int
    """Of each file that is written."""
    private_bytes: int | None = None
    """Of each process; not for programs that use a GPU."""


_IN_FORCE: ContextVar[ProcessLimits | None] = ContextVar("limits", default=None)


@contextlib.contextmanager
def limited(limits: ProcessLimits) -> Iterator[None]:
    """Every command that ``processes.run`` starts in here has these limits."""
    before = _IN_FORCE.set(limits)
    try:
        yield
    finally:
        _IN_FORCE.reset(before)


def in_force() -> ProcessLimits | None:
    return _IN_FORCE.get()


class Watch:
    """Of a command, by the process that leads its session. Call it now and then."""

    def __init__(self, leader: int, limits: ProcessLimits) -> None:
        self.leader, self.limits = leader, limits
        self.exceeded: int | None = None
        """Bytes that it had when it was ended for it."""
        _restrain(leader, limits)

    def __call__(self) -> None:
        taken = resident_bytes(self.leader)
        if taken > self.limits.resident_bytes:
            self.exceeded = taken
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.leader, signal.SIGKILL)


def watching(limits: ProcessLimits | None, leader: int) -> Watch | None:
    return None if limits is None else Watch(leader, limits)


def _restrain(process: int, limits: ProcessLimits) -> None:
    """From outside, as soon as it is there; children inherit it, and no process can lift it."""
    for what, most in (
        (resource.RLIMIT_DATA, limits.private_bytes),
        (resource.RLIMIT_FSIZE, limits.file_bytes),
        (resource.RLIMIT_CORE, 0),
    ):
        if most is None:
            continue
        with contextlib.suppress(ProcessLookupError, PermissionError):  # it has ended already
            _, hard = resource.prlimit(process, what)
            value = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.prlimit(process, what, (value, value))


def resident_bytes(leader: int) -> int:
    """Of all processes of a session."""
    return sum(rss for session, rss in _processes() if session == leader) * os.sysconf("SC_PAGE_SIZE")


def _processes() -> Iterator[tuple[int, int]]:
    """(session, resident pages) of all; proc_pid_stat(5)."""
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, IndexError, ValueError):
            fields = stat.read_text(errors="replace").rpartition(")")[2].split()
            yield int(fields[3]), int(fields[21])


def machine_memory_bytes() -> int:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
