"""What a folder says of a shader engine over time.

occupancy.json: when waves came and went, of all kernels; wstates<n>.json: how many waves are in a state;
se<S>_perfcounter.json: counters of the traced unit, summed here.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from rocm_perf_lab.thread_trace.json_file import load, mapping, printable, series, table, unexpected
from rocm_perf_lab.thread_trace.rows import Lives, State, StateCounts

# The columns of version 3.0. Version 3.1 has more and names them all in occupancy_fields.
FIELDS = ("time", "cu", "simd", "wave_id", "start", "kernel_id")
# [time, four values, compute unit, bank]: counter 4·bank + i is the i-th value of the rows of that bank.
_SAMPLE_WIDTH, _FIRST_VALUE, _BANK = 7, 1, 4
_SAMPLES = re.compile(r"se\d+_perfcounter\.json")


def read_occupancy(path: Path) -> tuple[tuple[Lives, ...], dict[int, str]]:
    """Lives by engine, and the names of kernels by their ids."""
    content = mapping(load(path), path)
    places = _places(content.get("occupancy_fields"), path)
    lives = []
    for key in sorted((key for key in content if key.isdecimal()), key=int):
        rows = table(content[key], len(FIELDS), path, f"the events of engine {key}", at_least=True)
        if max(places) >= rows.shape[1]:
            raise unexpected(path, f"the events of engine {key} have fewer columns than occupancy_fields")
        time, cu, simd, slot, starts, kernel = (rows[:, place].copy() for place in places)
        lives.append(Lives(int(key), time, cu, simd, slot, starts, kernel))
    names = mapping(content.get("dispatches"), path, "dispatches")
    return tuple(lives), {int(key): printable(str(name)) for key, name in names.items() if key.isdecimal()}


def _places(fields: Any, path: Path) -> list[int]:
    """Where the columns that matter stand."""
    if fields is None:
        return list(range(len(FIELDS)))
    if not isinstance(fields, list) or not set(FIELDS) <= set(map(str, fields)):
        raise unexpected(path, f"occupancy_fields lacks one of {', '.join(FIELDS)}")
    return [fields.index(name) for name in FIELDS]


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


def read_counter_sums(folder: Path, names: tuple[str, ...]) -> dict[str, float]:
    """The sum of each counter over all samples and engines; none where nothing was sampled."""
    if not names:
        return {}
    sums = dict.fromkeys(names, 0.0)
    samples = 0
    for path in sorted(folder.glob("se*_perfcounter.json")):
        if not _SAMPLES.fullmatch(path.name):
            continue
        rows = table(mapping(load(path), path).get("data"), _SAMPLE_WIDTH, path, "data")
        samples += len(rows)
        for place, name in enumerate(names):
            of_bank = rows[rows[:, 6] == place // _BANK]
            sums[name] += float(of_bank[:, _FIRST_VALUE + place % _BANK].sum())
    return sums if samples else {}
