"""occupancy.json: when waves came and went on the units of a shader engine, of all kernels."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rocm_perf_lab.thread_trace.columns import table
from rocm_perf_lab.thread_trace.json_file import load, mapping, printable, unexpected
from rocm_perf_lab.thread_trace.rows import Lives

# The columns of version 3.0. Version 3.1 has more and names them all in occupancy_fields.
FIELDS = ("time", "cu", "simd", "wave_id", "start", "kernel_id")


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
