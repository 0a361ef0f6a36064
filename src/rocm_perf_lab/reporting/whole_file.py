"""Files that are written whole or not at all."""

from __future__ import annotations

import errno
from collections.abc import Iterable
from pathlib import Path

from rocm_perf_lab.draft import draft_of
from rocm_perf_lab.errors import EnvironmentProblem, UsageProblem

# That the file cannot be there; else the disk is full or broken.
_OF_THE_PLACE = (errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.EACCES, errno.EPERM, errno.ENAMETOOLONG)


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
        cause = f"{file} cannot be written: {problem.strerror}"
        if problem.errno in _OF_THE_PLACE:
            raise UsageProblem(cause, "name another place") from None
        raise EnvironmentProblem(cause, "make room there, or name another place") from None


def _write(file: Path, parts: Iterable[bytes]) -> None:
    with file.open("wb") as opened:
        opened.writelines(parts)
