"""Copies of source files in a trace folder: snapshots.json is a tree of paths with the copies as leaves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rocm_perf_lab.errors import BadInput
from rocm_perf_lab.thread_trace.json_file import load, mapping

_DEEPEST = 200


def read_sources(folder: Path) -> dict[str, Path]:
    """Path in the program -> copy. Without snapshots.json there are none."""
    path = folder / "snapshots.json"
    if not path.is_file():
        return {}
    found: dict[str, Path] = {}
    _walk(mapping(load(path), path), Path(), folder, found)
    return found


def _walk(tree: dict[str, Any], at: Path, folder: Path, found: dict[str, Path], depth: int = 0) -> None:
    for name, below in tree.items():
        if isinstance(below, dict) and depth < _DEEPEST:
            _walk(below, at / name, folder, found, depth + 1)
        elif isinstance(below, str) and _is_copy(folder, below):
            found[str(at / name)] = folder / below


def _is_copy(folder: Path, name: str) -> bool:
    """Only plain names of files: nothing outside of the folder is read."""
    try:
        return Path(name).name == name and (folder / name).is_file() and not (folder / name).is_symlink()
    except (OSError, ValueError):  # too long, or with characters that no name has
        return False


def read_lines(path: Path) -> list[str]:
    """The lines of a source file, whatever its encoding."""
    try:
        return path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError as problem:
        raise BadInput(f"{path} cannot be read: {problem.strerror}", "check its access rights") from None
