"""What happened when: the dispatches, copies and host calls of an execution as columns, with what ties them.

A ``Trace`` sums launches; a ``Timeline`` keeps each one, in numpy arrays, because dependencies are between
single launches. Names are interned: columns hold indices.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from rocm_perf_lab.errors import BadInput
from rocm_perf_lab.rocpd.rows import Agent
from rocm_perf_lab.rocpd.sources import find_databases

Times = npt.NDArray[np.int64]
Ids = npt.NDArray[np.int32]

NONE = -1  # in every column: not there, or not told


@dataclass(frozen=True, eq=False)
class Works:
    """Kernels and copies, in the order of their starts."""

    copy: npt.NDArray[np.bool_]  # else a kernel
    start: Times
    end: Times
    name: Ids  # into Timeline.names
    process: Ids  # into Timeline.processes
    stream: Ids  # into Timeline.streams
    queue: Ids  # a number of its own for every queue of every process; NONE for copies
    agent: Ids  # index of the GPU
    peer: Ids  # the other GPU of a copy between two
    call: Ids  # the host's call that caused it, into Calls
    order: Times  # in which it was submitted, as far as ids tell
    bytes: Times  # of a copy

    def __len__(self) -> int:
        return len(self.start)


@dataclass(frozen=True, eq=False)
class Calls:
    """Calls of the HIP runtime that are not inside another, by thread and start."""

    start: Times
    end: Times
    name: Ids
    process: Ids
    thread: Ids  # a number of its own for every thread of every process
    stream: Ids  # the stream that was given; NONE where the call takes none
    event: Ids  # the event that was given, a number of its own for every handle of every process
    device: Ids  # of hipSetDevice
    flags: Ids

    def __len__(self) -> int:
        return len(self.start)


@dataclass(frozen=True)
class Stream:
    process: int
    number: int | None  # as the trace has it; None for a stream that only ever saw events and waits
    is_null: bool  # the legacy default stream; every GPU has its own
    blocking: bool | None  # whether it waits for the null stream; None: the trace does not say
    agent: int | None = None  # of a null stream: its GPU


@dataclass(frozen=True)
class TracedProcess:
    pid: int
    parent: int | None
    host: str | None


@dataclass(frozen=True, eq=False)
class Timeline:
    """One execution of a program: all its processes."""

    sources: tuple[str, ...]
    names: tuple[str, ...]
    works: Works
    calls: Calls
    streams: tuple[Stream, ...]
    processes: tuple[TracedProcess, ...]
    agents: tuple[Agent, ...]
    warnings: tuple[str, ...] = ()


def read_timeline(paths: Sequence[Path]) -> Timeline:
    """The timeline of one execution. Each path is a rocpd database, or a folder with the databases of its
    processes."""
    from rocm_perf_lab.rocpd.timeline.builder import TimelineBuilder
    from rocm_perf_lab.rocpd.timeline.database import read_database

    builder = TimelineBuilder()
    for path in paths:
        files = find_databases(path) if path.is_dir() else [path]
        if not files:
            raise BadInput(
                f"{path} has no rocpd database, and other formats do not say what depends on what",
                "trace with rocprofv3 --output-format rocpd --sys-trace, and give its folder",
            )
        for file in files:
            read_database(file, builder)
    return builder.build()
