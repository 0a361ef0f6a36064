"""Source lines of host code, from its debug information, with addr2line where that is installed."""

from __future__ import annotations

import re
import shutil
import subprocess

_PLACE = re.compile(r"(.*)\+(0x[0-9a-f]+)")


class HostLines:
    """Remembers what it has looked up: one call of a program may lead to many findings."""

    def __init__(self) -> None:
        self._tool = shutil.which("addr2line") or shutil.which("llvm-addr2line")
        self._known: dict[str, str] = {}

    def line_of(self, place: str) -> str:
        """``file:line`` of ``library+0xoffset``; the place itself where nothing is known about it."""
        if place not in self._known:
            self._known[place] = self._look_up(place) or place
        return self._known[place]

    def _look_up(self, place: str) -> str | None:
        found = _PLACE.fullmatch(place)
        if found is None or self._tool is None:
            return None
        try:
            done = subprocess.run(
                [self._tool, "-i", "-e", found[1], found[2]], capture_output=True, text=True, timeout=30
            )
        except (OSError, subprocess.TimeoutExpired):
            return None
        # Innermost first: templates of the HIP headers stand between the program and the runtime.
        lines = [line.split(" (", 1)[0] for line in done.stdout.splitlines()]
        known = [line for line in lines if not line.startswith("??") and not line.endswith((":?", ":0"))]
        return next((line for line in known if "/include/hip/" not in line), None)
