"""Files that are written whole or not at all."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from rocm_perf_lab.errors import UsageProblem


def write_whole(file: Path, parts: Iterable[bytes]) -> None:
    """Puts the parts together under another name first; the file appears when all of it is there."""
    draft = file.with_name(f".{file.name}.draft")
    try:
        with draft.open("wb") as opened:
            opened.writelines(parts)
        draft.replace(file)
    except OSError as problem:
        draft.unlink(missing_ok=True)
        raise UsageProblem(f"{file} cannot be written: {problem.strerror}", "name another place") from None
