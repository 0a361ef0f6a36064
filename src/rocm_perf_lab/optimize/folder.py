"""The folders of the optimizations of a source: a new one, the last one, and the changes in them.

::

    .rocm-perf/optimize/kernel.hip-1f2e3d4c/     the file's name, and a digest of its path
      run-1/
        journal.jsonl                            every decision
        changes/change-12/                       of an accepted change: before, change.diff, change.json
        not-written/                             all changes together that were accepted and not written
        optimization.json                        what was found, at the end
"""

from __future__ import annotations

import contextlib
import hashlib
import re
from pathlib import Path

from rocm_perf_lab.errors import EnvironmentProblem, UsageProblem
from rocm_perf_lab.profile.run_folder import HOME

JOURNAL = "journal.jsonl"
CHANGES = "changes"
NOT_WRITTEN = "not-written"
DOCUMENT = "optimization.json"
_RUN = re.compile(r"run-(\d+)")


def folder_of(source: Path, home: Path | None = None) -> Path:
    """Of all optimizations of a source; ``home``: instead of ``.rocm-perf`` of the working folder."""
    real = source.resolve()
    digest = hashlib.sha256(str(real).encode(errors="surrogateescape")).hexdigest()[:8]
    return (home or Path(HOME).absolute()) / "optimize" / f"{real.name}-{digest}"


def runs_of(folder: Path) -> list[Path]:
    """Oldest first."""
    numbered = [
        (int(found[1]), path) for path in folder.glob("run-*") if (found := _RUN.fullmatch(path.name))
    ]
    return [path for _, path in sorted(numbered)]


def new_run(folder: Path) -> Path:
    home = folder.parent.parent
    try:
        if not home.exists():
            home.mkdir(parents=True)
            (home / ".gitignore").write_text("*\n")  # what is kept here is no part of the project
        folder.mkdir(parents=True, exist_ok=True)
        number = 1 + max((int(path.name.partition("-")[2]) for path in runs_of(folder)), default=0)
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


def last_run(folder: Path, source: Path) -> Path:
    """The optimization that --resume goes on with."""
    runs = [path for path in runs_of(folder) if (path / JOURNAL).is_file()]
    if not runs:
        raise UsageProblem(
            f"there is no optimization of {source} in {folder.parent.parent} that could be resumed",
            "leave out --resume, or call it from the folder where it was begun",
        )
    return runs[-1]


def changes_of(run: Path) -> list[Path]:
    """Folders of accepted changes, oldest first."""
    found = [(int(path.name.rpartition("-")[2]), path) for path in (run / CHANGES).glob("change-*")]
    return [path for _, path in sorted(found)]
