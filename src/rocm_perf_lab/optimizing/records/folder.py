"""The folders of the optimizations of a source: a new one, the last one, and the changes in them.

They lie at or above the source, so that they are found from wherever one calls: in the working folder where
that is above the source, else beside the source.

::

    .rocm-perf/optimize/kernel.hip-1f2e3d4c/     the file's name, and a digest of its path
      run-1/
        journal.jsonl                            every decision
        changes/change-1/                        before, change.diff, change.json, bundle.tar
        not-written/                             all changes together that were accepted and not written
        optimization.json                        what was found, at the end; optimization.html shows it
        work-…/                                  while it runs; cleared when the next one starts
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
from pathlib import Path

from rocm_perf_lab.errors import EnvironmentProblem, UsageProblem
from rocm_perf_lab.profiling.folder.run_folder import HOME

JOURNAL = "journal.jsonl"
CHANGES = "changes"
NOT_WRITTEN = "not-written"
DOCUMENT = "optimization.json"
PAGE = "optimization.html"
WORK = "work-"
_RUN = re.compile(r"run-(\d+)")


def folder_of(source: Path) -> Path:
    """Of new optimizations of a source."""
    real, here = source.resolve(), Path.cwd()
    above = here in real.parents or not os.access(real.parent, os.W_OK)
    return _below(here if above else real.parent, real)


def folders_of(source: Path) -> list[Path]:
    """All that are there, wherever the optimizations were called."""
    real = source.resolve()
    places = dict.fromkeys([Path.cwd(), *real.parents])
    return [found for place in places if (found := _below(place, real)).is_dir()]


def _below(place: Path, source: Path) -> Path:
    digest = hashlib.sha256(str(source).encode(errors="surrogateescape")).hexdigest()[:8]
    return place / HOME / "optimize" / f"{source.name}-{digest}"


def runs_of(source: Path) -> list[Path]:
    """Those with a journal, by when they last did something."""
    found = [
        (journal.stat().st_mtime_ns, number, journal.parent)
        for folder in folders_of(source)
        for number, run in _numbered(folder)
        if (journal := run / JOURNAL).is_file()
    ]
    return [run for *_, run in sorted(found)]


def _numbered(folder: Path) -> list[tuple[int, Path]]:
    return [(int(found[1]), path) for path in folder.glob("run-*") if (found := _RUN.fullmatch(path.name))]


def new_run(folder: Path) -> Path:
    home = folder.parent.parent
    try:
        if not home.exists():
            home.mkdir(parents=True)
            (home / ".gitignore").write_text("*\n")  # what is kept here is no part of the project
        folder.mkdir(parents=True, exist_ok=True)
        number = 1 + max((number for number, _ in _numbered(folder)), default=0)
        while True:
            with contextlib.suppress(FileExistsError):
                path = folder / f"run-{number}"
                path.mkdir()
                return path
            number += 1
    except OSError as error:
        raise EnvironmentProblem(
            f"{folder} cannot be made: {error.strerror}", "work in a folder that you may write to"
        ) from error


def last_run(source: Path) -> Path:
    """The optimization that --resume goes on with."""
    runs = runs_of(source)
    if not runs:
        raise UsageProblem(
            f"there is no optimization of {source} to resume: neither at it, nor above it, nor here",
            "leave out --resume",
        )
    return runs[-1]


def last_ended(folder: Path) -> Path | None:
    """The document of the newest optimization below the folder of a source; None where it is none."""
    for _, run in sorted(_numbered(folder), reverse=True):
        if (run / DOCUMENT).is_file():
            return run / DOCUMENT
    return None


def changes_of(run: Path) -> list[Path]:
    """Folders of accepted changes, oldest first."""
    found = [(int(path.name.rpartition("-")[2]), path) for path in (run / CHANGES).glob("change-*")]
    return [path for _, path in sorted(found)]
