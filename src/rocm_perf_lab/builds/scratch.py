"""A folder that looks like the user's to a build: links to all that is there. What the build writes by a
relative name is in it, and gone with it.

``../include`` has to lead where it led, too: as many folders above are made as the command climbs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

_CLIMB = re.compile(r"(?:\.\./)*\.\.(?![^/])")


def climbs(words: Iterable[str]) -> int:
    """How far above the working folder relative paths in a command lead."""
    return max((found.group().count("..") for word in words for found in _CLIMB.finditer(word)), default=0)


def look_alike(folder: Path, scratch: Path, above: int, leave_out: Sequence[str] = ()) -> Path:
    """Where a command runs instead of ``folder``; below ``scratch``, which is made."""
    folder = folder.absolute()
    above = min(above, len(folder.parts) - 1)
    scratch.mkdir(parents=True)
    real, made = folder.parents[above - 1] if above else folder, scratch
    for name in folder.parts[len(folder.parts) - above :]:
        _link(real, made, {name})
        real, made = real / name, made / name
        made.mkdir()
    _link(real, made, set(leave_out))
    return made


def _link(real: Path, made: Path, leave_out: set[str]) -> None:
    try:
        entries = list(real.iterdir())
    except OSError:  # not readable: nor is it for the build
        return
    for entry in entries:
        if entry.name not in leave_out and not entry.name.startswith(".rocm-perf"):
            (made / entry.name).symlink_to(entry)
