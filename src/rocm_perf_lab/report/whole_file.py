"""Files that are written whole or not at all."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from rocm_perf_lab.draft import draft_of
from rocm_perf_lab.errors import UsageProblem


def write_whole(file: Path, parts: Iterable[bytes]) -> None:
    """Puts the parts together under another name first; the file appears when all of it is there.

    A link, a pipe or a device (``/dev/stdout``) is written to as it is: it must not be replaced.
    """
    try:
        if file.is_symlink() or (file.exists() and not file.is_file()):
            _write(file, parts)
        else:
            with draft_of(file) as draft:
                _write(draft, parts)
    except OSError as problem:
        raise UsageProblem(f"{file} cannot be written: {problem.strerror}", "name another place") from None


def _write(file: Path, parts: Iterable[bytes]) -> None:
    with file.open("wb") as opened:
        opened.writelines(parts)
