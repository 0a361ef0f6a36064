"""Within what programs of variants, and of bundles from elsewhere, are run: memory, files, and no keys."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

from rocm_perf_lab.optimizing.proposers.llm.endpoint import KEY_VARIABLES
from rocm_perf_lab.profiling.processes.limits import (
    SHARE_OF_MEMORY,
    ProcessLimits,
    limited,
    machine_memory_bytes,
)

MOST_FILE_BYTES = 16 << 30  # chosen: of each file that a program or a trace of it writes


@contextlib.contextmanager
def confined() -> Iterator[None]:
    """For everything that is run meanwhile."""
    memory = int(machine_memory_bytes() * SHARE_OF_MEMORY)
    limits = ProcessLimits(resident_bytes=memory, file_bytes=MOST_FILE_BYTES)
    with limited(limits), _without_keys():
        yield


@contextlib.contextmanager
def _without_keys() -> Iterator[None]:
    """A proposer has read its key; nothing that is run has to see it."""
    taken = {name: os.environ.pop(name) for name in KEY_VARIABLES if name in os.environ}
    try:
        yield
    finally:
        os.environ.update(taken)
