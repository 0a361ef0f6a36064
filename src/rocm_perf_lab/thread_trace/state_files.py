"""wstates<n>.json: how many traced waves are in a state over time."""

from __future__ import annotations

from pathlib import Path

from rocm_perf_lab.thread_trace.columns import series
from rocm_perf_lab.thread_trace.json_file import load, mapping, unexpected
from rocm_perf_lab.thread_trace.rows import State, StateCounts


def read_states(folder: Path) -> tuple[StateCounts, ...]:
    """For each state whose file is there."""
    found = []
    for state in (State.IDLE, State.EXEC, State.WAIT, State.STALL):
        path = folder / f"wstates{int(state)}.json"
        if not path.is_file():
            continue
        content = mapping(load(path), path)
        times, counts = (series(content.get(name), path, name) for name in ("time", "state"))
        if len(times) != len(counts):
            raise unexpected(path, f"there are {len(times)} times and {len(counts)} counts")
        found.append(StateCounts(state, times, counts))
    return tuple(found)
