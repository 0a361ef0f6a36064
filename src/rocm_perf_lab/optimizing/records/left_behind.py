"""Removes what optimizations that were killed left behind: work folders, and drafts of files."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

from rocm_perf_lab.json_lines import in_use
from rocm_perf_lab.optimizing.bundles.bundle import SCRATCH
from rocm_perf_lab.optimizing.records.folder import CHANGES, JOURNAL, WORK, runs_of
from rocm_perf_lab.optimizing.records.safe_write import clear_drafts

_ATTEMPTS = 5
_PAUSE_S = 0.2


def clear_left_behind(source: Path) -> None:
    """Of all optimizations of a source that nobody is at. Records, diffs and journals stay."""
    runs = runs_of(source)
    busy = [run for run in runs if in_use(run / JOURNAL)]
    for run in runs:
        if run not in busy:
            for left in (*run.glob(f"{WORK}*"), *(run / CHANGES).glob(f"*/{SCRATCH}*")):
                _remove(left)
            for draft in (run / CHANGES).glob("*/.*.partial"):
                draft.unlink(missing_ok=True)
    if not busy:
        clear_drafts(source.resolve())


def _remove(folder: Path) -> None:
    """What a killed process had started may still write there for a moment."""
    for _ in range(_ATTEMPTS):
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return
        time.sleep(_PAUSE_S)
