"""What a trace says about the machine and the run it was made on.

Process and thread ids, host names and addresses of host memory differ from run to run, though the program did
the same. By default a trace therefore carries stable names for them (``virtual``), and the same program and
input give the same bytes on every machine. ``VROCM_TRACE_IDENTITY=host`` asks for the real ones.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
import socket
from dataclasses import dataclass
from pathlib import Path

VARIABLE = "VROCM_TRACE_IDENTITY"

# Device memory and the runtime's own lie at fixed addresses (native/hsa/memory/memory.cpp); what is outside
# belongs to the program, its stacks and heap, and moves with every run.
_FIXED_RANGES = ((0x2000_0000_0000, 0x5500_0000_0000), (0x5700_0000_0000, 0x7000_0000_0000))
_FIRST_STABLE = 0x7F00_0000_0000
_TEMPORARY = 0x7EFF_0000_0000
_STABLE_STEP = 0x100
_SMALL = 0x10000  # not an address: an index, a flag, a special handle
# Each process has room for so many thread ids after its own.
_PROCESS_STEP = 10_000
_MEMORY_URI = re.compile(r"^memory://(\d+)#offset=0x([0-9a-f]+)&")


@dataclass(frozen=True)
class Node:
    machine_id: str
    system_name: str
    hostname: str
    release: str
    version: str
    hardware_name: str
    domain_name: str


class Identity:
    """The real thing."""

    def __init__(self, pids: list[int], parents: dict[int, int]) -> None:
        self._parents = parents

    def node(self) -> Node:
        name = platform.uname()
        return Node(
            _machine_id(),
            name.system,
            socket.gethostname(),
            name.release,
            name.version,
            name.machine,
            "(none)",
        )

    def pid(self, pid: int) -> int:
        return pid

    def parent(self, pid: int) -> int:
        return self._parents[pid]

    def thread(self, pid: int, threads: list[int], thread: int) -> int:
        return thread

    def address(self, value: int) -> int:
        return value

    def temporary(self, value: int) -> int:
        """An address of a variable that somebody has only for one call."""
        return value

    def uri(self, uri: str) -> str:
        return uri

    def cpu_name(self, name: str) -> str:
        return name

    def cpu_cores(self, count: int) -> int:
        return count


class VirtualIdentity(Identity):
    """Stable names: by order of creation for processes and threads, by first mention for addresses."""

    def __init__(self, pids: list[int], parents: dict[int, int]) -> None:
        super().__init__(pids, parents)
        # Siblings were made in the order of their ids.
        self._pids = {pid: _PROCESS_STEP * (rank + 1) for rank, pid in enumerate(sorted(set(pids)))}
        self._addresses: dict[int, int] = {}

    def node(self) -> Node:
        machine_id = hashlib.sha256(b"vrocm").hexdigest()[:32]
        return Node(machine_id, "Linux", "vrocm", "vrocm", "vrocm", "x86_64", "(none)")

    def pid(self, pid: int) -> int:
        return self._pids.get(pid, 0)

    def parent(self, pid: int) -> int:
        return self.pid(self._parents[pid])

    def thread(self, pid: int, threads: list[int], thread: int) -> int:
        # The main thread has the process's id; others were made in the order of their ids.
        return self.pid(pid) + [pid, *(t for t in sorted(threads) if t != pid)].index(thread)

    def address(self, value: int) -> int:
        if value < _SMALL or any(begin <= value < end for begin, end in _FIXED_RANGES):
            return value
        return self._addresses.setdefault(value, _FIRST_STABLE + _STABLE_STEP * len(self._addresses))

    def temporary(self, value: int) -> int:
        # Where the runtime's heap has room depends on what its threads have given back by then.
        return value if value < _SMALL else _TEMPORARY

    def uri(self, uri: str) -> str:
        def stable(match: re.Match[str]) -> str:
            return f"memory://{self.pid(int(match[1]))}#offset=0x{self.address(int(match[2], 16)):x}&"

        return _MEMORY_URI.sub(stable, uri)

    def cpu_name(self, name: str) -> str:
        return "Virtual CPU"

    def cpu_cores(self, count: int) -> int:
        return 1


def chosen(pids: list[int], parents: dict[int, int]) -> Identity:
    """The identity that the environment asks for."""
    wanted = os.environ.get(VARIABLE, "virtual")
    if wanted == "virtual":
        return VirtualIdentity(pids, parents)
    if wanted == "host":
        return Identity(pids, parents)
    raise ValueError(f"{VARIABLE}={wanted}: virtual or host expected")


def _machine_id() -> str:
    for place in (Path("/etc/machine-id"), Path("/var/lib/dbus/machine-id")):
        if place.is_file():
            return place.read_text().strip()
    return hashlib.sha256(socket.gethostname().encode()).hexdigest()[:32]
