"""The lists of docs/DEVELOPER_GUIDE.md: which files are touched to add something, in which order."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from tests.doc_blocks import ROOT

PAGE = ROOT / "docs" / "DEVELOPER_GUIDE.md"
_SECTION = re.compile(r"^## (Add an? .*)\n((?:(?!## ).*\n)*)", re.MULTILINE)
_STEP = re.compile(r"^\d+\. ((?:.+\n)(?:   .*\n)*)", re.MULTILINE)
_HEAD = re.compile(r"`[^`]+`(?:,\s+`[^`]+`)*(?=:)")
_COMMAND = re.compile(r"`(python -m [^`]+ > [^`]+)`")


@dataclass(frozen=True)
class Step:
    files: tuple[str, ...]
    """One of them, or all: what the step says."""
    says: str

    @property
    def is_conditional(self) -> bool:
        return re.search(r"\bif\b", self.says) is not None

    @property
    def command(self) -> str | None:
        """That makes the file."""
        found = _COMMAND.search(self.says)
        return found[1] if found else None


@cache
def lists() -> dict[str, list[Step]]:
    return {
        title: [_step(text) for text in _STEP.findall(body)]
        for title, body in _SECTION.findall(PAGE.read_text())
    }


def _step(text: str) -> Step:
    head = _HEAD.match(text)
    assert head, f"no file at its beginning: {text}"
    return Step(tuple(re.findall(r"`([^`]+)`", head[0])), " ".join(text[head.end() :].split()))
