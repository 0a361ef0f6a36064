"""The folders that a client may name files in; every path of a tool call goes through here.

What is checked is what the client names: paths, with their links followed, and links in folders that are to
be read. A program that is run can do what its user can; it only has to lie in the roots itself.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from rocm_perf_lab.errors import UsageProblem

MOST_ENTRIES = 200_000  # of a folder that is looked through for links; chosen


class Roots:
    """The first one is where relative paths begin and where new run folders are made."""

    def __init__(self, folders: Sequence[Path]) -> None:
        if not folders:
            raise UsageProblem("no root is given", "rocm-perf mcp --root DIR")
        for folder in folders:
            if not folder.is_dir():
                raise UsageProblem(f"the root {folder} is no folder", "name a folder that is there")
        self.folders = tuple(dict.fromkeys(folder.resolve() for folder in folders))

    @property
    def first(self) -> Path:
        return self.folders[0]

    def inside(self, given: str) -> Path:
        """The path that is meant, without links; it need not be there."""
        if not given or "\0" in given:
            raise UsageProblem(f"{given!r} is no path", self._remedy)
        try:
            path = (self.first / given).resolve()
        except (OSError, RuntimeError) as problem:  # links that lead in a circle
            raise UsageProblem(f"{given} cannot be followed: {problem}", self._remedy) from None
        if not self.contain(path):
            raise UsageProblem(f"{given} is outside of the roots", self._remedy)
        return path

    def readable(self, given: str) -> Path:
        """A file, or a folder with nothing in it that leads out of the roots."""
        path = self.inside(given)
        if not path.exists():
            raise UsageProblem(f"{given} is not there", self._remedy)
        if path.is_dir():
            self._look_through(path)
        return path

    def program(self, given: str) -> Path:
        """A file in the roots that can be run."""
        path = self.inside(given)
        if not path.is_file():
            raise UsageProblem(f"there is no program {given}", "build it first; commands on PATH are not run")
        if not os.access(path, os.X_OK):
            raise UsageProblem(f"{given} is not executable", "chmod +x")
        return path

    def contain(self, path: Path) -> bool:
        """Whether a path without links lies in the roots."""
        return any(path.is_relative_to(folder) for folder in self.folders)

    @property
    def _remedy(self) -> str:
        names = ", ".join(str(folder) for folder in self.folders)
        return f"name something in {names}; rocm-perf mcp --root DIR gives access to more"

    def _look_through(self, folder: Path) -> None:
        entries = 0
        for place, folders, files in os.walk(folder):
            entries += len(folders) + len(files)
            if entries > MOST_ENTRIES:
                raise UsageProblem(
                    f"{folder} has more than {MOST_ENTRIES} entries",
                    "name the run folder or the trace itself",
                )
            for name in (*folders, *files):
                path = Path(place, name)
                if path.is_symlink() and not self.contain(path.resolve()):
                    raise UsageProblem(f"{path} is a link that leads out of the roots", self._remedy)
