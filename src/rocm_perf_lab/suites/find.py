"""The captures that the user means: folders of captures, folders full of them, and exported files."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rocm_perf_lab.capturing.folder import DISPATCH, MANIFEST, PARTIAL
from rocm_perf_lab.capturing.foreign_capture import foreign_capture
from rocm_perf_lab.errors import BadInput, UsageProblem
from rocm_perf_lab.replaying.bundle import foreign_bundle
from rocm_perf_lab.trust import Foreign

EXPORTED = (".tar", ".capture")
"""Endings of files that are looked at in a folder; a file that is named may have any."""


@dataclass(frozen=True)
class FoundCapture:
    name: str
    path: Path

    @property
    def exported(self) -> bool:
        return self.path.is_file()


def find_captures(named: Sequence[Path]) -> tuple[list[FoundCapture], list[str]]:
    """The captures in the order of their names below what was named, and what was passed over."""
    found: list[FoundCapture] = []
    warnings: list[str] = []
    for path in named:
        if not path.exists():
            raise UsageProblem(f"{path} is not there", "name a capture, or a folder of captures")
        here = list(_below(path, warnings))
        if not here:
            raise UsageProblem(f"there is no capture in {path}", "rocm-perf capture -- ./app makes one")
        found += here
    return _told_apart(found, named), warnings


def foreign(found: Sequence[FoundCapture]) -> list[Foreign]:
    """What they would run. One that cannot be read fails by its name, when it is its turn."""
    known = []
    for one in found:
        with contextlib.suppress(BadInput):
            known.append((foreign_bundle if one.exported else foreign_capture)(one.path))
    return known


def _below(path: Path, warnings: list[str]) -> Iterator[FoundCapture]:
    if path.is_file() or _is_capture(path):
        yield FoundCapture(path.absolute().name, path)
        return
    for place, folders, files in os.walk(path):
        folders.sort()
        here = Path(place)
        for name in [name for name in folders if name.endswith(PARTIAL)]:
            folders.remove(name)
            warnings.append(f"{here / name} is an interrupted capture: it was passed over")
        for name in [name for name in folders if _is_capture(here / name)]:
            folders.remove(name)  # nothing in a capture is one
            yield FoundCapture(str((here / name).relative_to(path)), here / name)
        for name in sorted(files):
            if name.endswith(EXPORTED):
                yield FoundCapture(str((here / name).relative_to(path)), here / name)


def _is_capture(folder: Path) -> bool:
    """One that lacks a part is a capture, too: it fails by its name."""
    return (folder / MANIFEST).is_file() or (folder / DISPATCH).is_file()


def _told_apart(found: list[FoundCapture], named: Sequence[Path]) -> list[FoundCapture]:
    """Names that two have become paths; a path that was named twice is one capture."""
    once = list({one.path.resolve(): one for one in found}.values())
    names = [one.name for one in once]
    return [replace(one, name=str(one.path)) if names.count(one.name) > 1 else one for one in once]
