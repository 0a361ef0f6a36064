"""se<S>_perfcounter.json: counters of the traced unit over time, summed here."""

from __future__ import annotations

import re
from pathlib import Path

from rocm_perf_lab.thread_trace.columns import table
from rocm_perf_lab.thread_trace.json_file import load, mapping

# [time, four values, compute unit, bank]: counter 4·bank + i is the i-th value of the rows of that bank.
WIDTH, FIRST, BANK = 7, 1, 4
_NAME = re.compile(r"se\d+_perfcounter\.json")


def read_counter_sums(folder: Path, names: tuple[str, ...]) -> dict[str, float]:
    """The sum of each counter over all samples and engines; none where nothing was sampled."""
    if not names:
        return {}
    sums = dict.fromkeys(names, 0.0)
    samples = 0
    for path in sorted(folder.glob("se*_perfcounter.json")):
        if not _NAME.fullmatch(path.name):
            continue
        rows = table(mapping(load(path), path).get("data"), WIDTH, path, "data")
        samples += len(rows)
        for place, name in enumerate(names):
            of_bank = rows[rows[:, 6] == place // BANK]
            sums[name] += float(of_bank[:, FIRST + place % BANK].sum())
    return sums if samples else {}
