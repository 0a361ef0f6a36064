"""Which files were written by one execution of a program, and which by another.

Every argument is at least one execution of its own; files of several processes belong together when they are
in one folder that is given as a whole. A folder is more than one execution if it is

- a run folder of ``rocm-perf profile``: one execution per pass that profile.json lists (not the warm-ups), or
  unfinished.json where the run did not come so far; per subfolder where neither has a pass;
- a folder of rocprofv3 with ``pass_1``, ``pass_2``, … or ``pmc_1``, …: the program was run once for each.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from rocm_perf_lab.errors import BadInput

_LISTS = ("profile.json", "unfinished.json")
_WARM_UP = "warm-up"
# Folders of rocm-perf profile (profiling/folder/run_folder.py) and of rocprofv3 that stand for one execution.
_TIMING, _COUNTERS = ".rocpd_profile", "counters"
_PASS = re.compile(r"(?:pass|pmc)_(\d+)")


def find_executions(path: Path) -> list[list[Path]]:
    """The files or folders of each execution."""
    if not path.is_dir():
        return [[path]]
    for name in _LISTS:
        if passes := _passes(path, name):
            return passes
    if (path / _TIMING).is_dir():
        places = (path / _TIMING, path / _COUNTERS)
        folders = [
            folder for place in places if place.is_dir() for folder in sorted(place.iterdir(), key=_order)
        ]
        return [[folder] for folder in folders if folder.is_dir() and any(folder.rglob("*.db"))]
    numbered = [folder for folder in path.rglob("*") if _PASS.fullmatch(folder.name) and folder.is_dir()]
    if len(numbered) > 1:
        return [[folder] for folder in sorted(numbered, key=_order)]
    return [[path]]


def _order(folder: Path) -> tuple[str, int, str]:
    number = re.search(r"(\d+)$", folder.name)
    return str(folder.parent), int(number[1]) if number else -1, folder.name


def _passes(folder: Path, listed_in: str) -> list[list[Path]]:
    """The passes that a document of a run folder lists; none if it is not there or none has databases."""
    try:
        document = json.loads((folder / listed_in).read_text(encoding="utf-8"))
        passes: list[dict[str, Any]] = document["passes"]
        named = [
            [folder / name for name in item["databases"]] for item in passes if item["purpose"] != _WARM_UP
        ]
    except (OSError, ValueError, KeyError, TypeError):
        return []
    found = [databases for databases in named if databases]
    for database in (database for databases in found for database in databases):
        if not database.exists():
            raise BadInput(
                f"{folder / listed_in} names {database.name}, which is not there",
                "copy the run folder as a whole, hidden folders included (.rocpd_profile)",
            )
    return found
