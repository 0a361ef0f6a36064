"""Files that the documents of a run name: read with the run, they have to lie in the roots, too."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rocm_perf_lab.errors import UsageProblem
from rocm_perf_lab.mcp_server.roots import Roots

_DOCUMENTS = ("profile.json", "dag.json")


def readable_run(roots: Roots, given: str) -> Path:
    """A run folder, or a trace, that leads to nothing outside of the roots."""
    path = roots.readable(given)
    for name in _DOCUMENTS if path.is_dir() else ():
        for database in _databases(path / name):
            if not roots.contain((path / database).resolve()):
                raise UsageProblem(
                    f"{path / name} names {database}, which is outside of the roots",
                    "give access to it with --root, or profile the program again",
                )
    return path


def _databases(file: Path) -> Iterator[str]:
    """As profile.json and dag.json name them; nothing of a file that is none of these."""
    try:
        document = json.loads(file.read_bytes())
    except (OSError, ValueError):
        return
    if isinstance(document, dict):
        yield from _texts(document.get("databases"))
        for taken in document.get("passes") or ():
            if isinstance(taken, dict):
                yield from _texts(taken.get("databases"))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, list):
        yield from (one for one in value if isinstance(one, str) and "\0" not in one)
