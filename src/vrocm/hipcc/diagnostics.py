"""Compiler messages, each shown once although a HIP source is compiled several times."""

from __future__ import annotations

import re

_ESCAPE = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_HEADLINE = re.compile(r"^(\S.*?:\d+:\d+: |\S+: )?(fatal error|error|warning|remark): ")
_CONTEXT = re.compile(r"^(In file included from|In module) ")
_SUMMARY = re.compile(r"^\d+ (warnings?|errors?)( and \d+ errors?)? generated")


class Diagnostics:
    """Collects what the passes print and keeps what has not been printed yet."""

    def __init__(self) -> None:
        self._seen: set[str] = set()

    def new_text(self, text: str) -> str:
        """The part of one pass's output that no earlier pass has printed."""
        fresh = []
        is_new = False
        for block in _blocks(text):
            key = _ESCAPE.sub("", block)
            if _SUMMARY.match(key):
                # A count is worth showing only after something that was counted.
                if is_new:
                    fresh.append(block)
                is_new = False
                continue
            if key in self._seen:
                continue
            self._seen.add(key)
            fresh.append(block)
            is_new = True
        # The tool calls itself by the name of its binary.
        return re.sub(r"^((?:\x1b\[[0-9;]*m)*)zig: ", r"\1clang: ", "".join(fresh), flags=re.MULTILINE)


def _blocks(text: str) -> list[str]:
    """Cut at each headline; source excerpts and notes stay with the headline they belong to."""
    blocks: list[str] = []
    in_context = False
    for line in text.splitlines(keepends=True):
        bare = _ESCAPE.sub("", line)
        context = bool(_CONTEXT.match(bare))
        starts = context or bool(_SUMMARY.match(bare)) or bool(_HEADLINE.match(bare))
        if not blocks or (starts and not in_context):
            blocks.append(line)
        else:
            blocks[-1] += line
        in_context = context
    return blocks
