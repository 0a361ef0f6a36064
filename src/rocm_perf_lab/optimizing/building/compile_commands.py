"""compile_commands.json: how a source is compiled, and how CMake links what it belongs to.

Format: https://clang.llvm.org/docs/JSONCompilationDatabase.html
"""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rocm_perf_lab.errors import BadInput

NAME = "compile_commands.json"
_SECONDS = 30


@dataclass(frozen=True)
class CompileCommand:
    words: tuple[str, ...]
    folder: Path
    file: Path
    """The compile_commands.json."""


@dataclass(frozen=True)
class LinkLine:
    words: tuple[str, ...]
    folder: Path


def find_entry(source: Path, program: Path) -> CompileCommand | None:
    """Of the nearest file that has one for the source."""
    for file in _files(source, program):
        try:
            entries = json.loads(file.read_bytes())
        except (OSError, ValueError) as error:
            raise BadInput(f"{file} cannot be read: {error}", "name the build with --build") from error
        for entry in entries if isinstance(entries, list) else ():
            found = _entry(entry, file)
            if found is not None and _is_of(entry, found.folder, source):
                return found
    return None


def _files(source: Path, program: Path) -> Iterator[Path]:
    """In the folders of program and source and those above, and in folders for builds there."""
    seen: set[Path] = set()
    for start in (program.absolute().parent, source.absolute().parent):
        for folder in (start, *start.parents):
            for place in (folder, *sorted(folder.glob("build*"))) if folder not in seen else ():
                if (place / NAME).is_file():
                    yield place / NAME
            seen.add(folder)


def _entry(entry: Any, file: Path) -> CompileCommand | None:
    if not isinstance(entry, dict) or not isinstance(entry.get("file"), str):
        return None
    words, text = entry.get("arguments"), entry.get("command")
    try:
        found = list(map(str, words)) if isinstance(words, list) else shlex.split(str(text or ""))
    except ValueError:
        return None
    return (
        CompileCommand(tuple(found), file.parent / str(entry.get("directory", "")), file) if found else None
    )


def _is_of(entry: Any, folder: Path, source: Path) -> bool:
    try:
        return (folder / str(entry["file"])).samefile(source)
    except OSError:
        return False


def link_line(entry: CompileCommand, made: Path, program: Path) -> LinkLine | None:
    """How CMake links the target that an object belongs to: link.txt of make, or what ninja says."""
    for folder in made.parents:
        text = folder / "link.txt"
        if folder.suffix == ".dir" and text.is_file():
            # CMake runs it in the folder that has CMakeFiles/target.dir.
            return _line(text.read_text(errors="replace"), folder.parent.parent)
    if (entry.folder / "build.ninja").is_file():
        said = _ask_ninja(entry.folder, program)
        return _line(said, entry.folder) if said else None
    return None


def _line(text: str, folder: Path) -> LinkLine | None:
    """The first command of a line that makes something: ninja puts ``: &&`` in front and ``&& :`` behind."""
    try:
        words = shlex.split(text)
    except ValueError:
        return None
    commands: list[list[str]] = [[]]
    for word in words:
        if word == "&&":
            commands.append([])
        else:
            commands[-1].append(word)
    found = next((command for command in commands if "-o" in command), None)
    return LinkLine(tuple(found), folder) if found else None


def _ask_ninja(folder: Path, program: Path) -> str | None:
    ninja = shutil.which("ninja")
    if ninja is None:
        return None
    here = program.absolute()
    target = str(here.relative_to(folder)) if here.is_relative_to(folder) else here.name
    done = subprocess.run(
        [ninja, "-C", str(folder), "-t", "commands", "-s", target],
        capture_output=True,
        text=True,
        timeout=_SECONDS,
        check=False,
    )
    lines = [line for line in done.stdout.splitlines() if line.strip()]
    return lines[-1] if done.returncode == 0 and lines else None
