"""se<S>_sm<SIMD>_sl<slot>_wv<n>.json: what one wave did."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rocm_perf_lab.thread_trace.json_file import LARGEST, integer, load, mapping, sequence, table, unexpected
from rocm_perf_lab.thread_trace.rows import Wave, WaveFile

# [time, category, stall, duration, LineNumber]
INSTRUCTION = 5


def read_wave(folder: Path, file: WaveFile) -> Wave:
    path = folder / file.name
    content = mapping(load(path), path)
    if "wave" not in content:
        raise unexpected(path, "there is no 'wave' in it")
    wave = mapping(content["wave"], path, "wave")
    cu, begin, end = (integer(wave.get(name), path, name) for name in ("cu", "begin", "end"))
    if end < begin:
        raise unexpected(path, f"the wave ends at {end}, before it begins at {begin}")
    rows = table(wave.get("instructions"), INSTRUCTION, path, "instructions", at_least=True)
    if (rows[:, 2] < 0).any() or (rows[:, 3] < 0).any():
        raise unexpected(path, "an instruction has a negative duration")
    count = content.get("num_insts")
    return Wave(
        file=file,
        cu=cu,
        begin=begin,
        end=end,
        duration=integer(content.get("duration", end - begin), path, "duration"),
        count=len(rows) if count is None else integer(count, path, "num_insts"),
        time=rows[:, 0].copy(),  # columns by themselves: the table is not kept
        category=rows[:, 1].copy(),
        stall=rows[:, 2].copy(),
        cycles=rows[:, 3].copy(),
        line=rows[:, 4].copy(),
        timeline=table(wave.get("timeline"), 2, path, "timeline"),
        waits=tuple(_wait(entry, path) for entry in sequence(wave.get("waitcnt"), path, "waitcnt")),
    )


def _wait(entry: Any, path: Path) -> tuple[int, tuple[int, ...]]:
    """[line, [[line waited for, 0], …]]."""
    if not isinstance(entry, list) or len(entry) < 2:
        raise unexpected(path, f"an entry of waitcnt is {str(entry)[:80]!r}")
    causes = entry[1] or ()
    try:
        waited = tuple([cause[0] for cause in causes])
    except (TypeError, IndexError, KeyError):
        raise unexpected(path, f"what a wait is for is {str(causes)[:80]!r}") from None
    for line in (entry[0], *waited):
        if type(line) is not int or not 0 <= line <= LARGEST:  # there are many: this is the fast test
            raise unexpected(path, f"a line of waitcnt is {str(line)[:80]!r}, not a number of a line")
    return entry[0], waited
