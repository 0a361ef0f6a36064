"""Where what pages and examples begin with is made once, for all tests and processes of a test run."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from tests import doc_blocks

VIRTUAL_ROCM = ("ROCM_PATH", "HIP_PATH", "HIP_PLATFORM", "LD_LIBRARY_PATH")
SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin"


class Recipe(NamedTuple):
    """How a thing is made: by a command in a folder that has the sources and what the recipe needs."""

    command: str
    needs: tuple[str, ...] = ()


class Workshop:
    def __init__(
        self, folder: Path, sources: tuple[Path, ...], recipes: Mapping[str, Recipe], otherwise: str = "false"
    ) -> None:
        """``otherwise`` makes what has no recipe; {name} in it is the thing's."""
        self.folder = folder
        self.recipes = recipes
        self.otherwise = otherwise
        with self._alone():
            if not (folder / "bin").exists():
                for source in sources:
                    if source.is_dir():
                        shutil.copytree(source, folder, dirs_exist_ok=True)
                    else:
                        shutil.copy(source, folder)
            self.variables = doc_blocks.environment(folder / "bin", folder / "home")

    @contextmanager
    def _alone(self) -> Iterator[None]:
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / ".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def give(self, name: str, place: Path) -> None:
        """Puts a thing into a folder."""
        with self._alone():
            self._make(name)
        made = self.folder / name
        if made.is_dir():
            shutil.copytree(made, place / name, symlinks=True)
        else:
            shutil.copy(made, place / name)

    def _make(self, name: str) -> None:
        if (self.folder / name).exists():
            return
        recipe = self.recipes.get(name) or Recipe(self.otherwise.format(name=name))
        for needed in recipe.needs:
            self._make(needed)
        done = subprocess.run(
            ["bash", "-ec", recipe.command],
            cwd=self.folder,
            env=self.variables,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, f"{name}: {recipe.command}\n{done.stdout}{done.stderr}"


def without_virtual_rocm(variables: Mapping[str, str], path: str = SYSTEM_PATH) -> dict[str, str]:
    """A newcomer's shell: what is run in it has to set up the virtual ROCm itself."""
    return {name: value for name, value in variables.items() if name not in VIRTUAL_ROCM} | {"PATH": path}


def shared_folder(factory: pytest.TempPathFactory, name: str) -> Path:
    """The same for all processes of a test run."""
    base = factory.getbasetemp()
    return (base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base) / name
