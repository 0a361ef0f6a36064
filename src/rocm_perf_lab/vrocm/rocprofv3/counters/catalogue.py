"""The counters of an architecture."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_NAME = re.compile(r"[A-Z][A-Z0-9]*_[A-Za-z0-9_]+")
_REDUCTION = re.compile(r"_(sum|avr|max|min)$")


@dataclass(frozen=True)
class Counter:
    name: str
    block: str
    description: str
    expression: str  # empty: counted by hardware


@dataclass(frozen=True)
class Catalogue:
    architecture: str
    counters: dict[str, Counter]

    def counter(self, name: str) -> Counter:
        return self.counters[name]

    def basic(self, name: str) -> frozenset[str]:
        """The hardware counters behind a counter."""
        return self._basic(name, ())

    def _basic(self, name: str, above: tuple[str, ...]) -> frozenset[str]:
        counter = self.counters.get(name) or self.counters.get(_REDUCTION.sub("", name))
        if counter is None or counter.name in above:
            return frozenset()
        if not counter.expression:
            return frozenset((counter.name,))
        found: frozenset[str] = frozenset()
        for part in _NAME.findall(counter.expression):
            found |= self._basic(part, (*above, counter.name))
        return found


def architectures() -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in Path(__file__).parent.glob("gfx*.json")))


@cache
def load(architecture: str) -> Catalogue:
    """The counters of gfx942, gfx90a, …; empty for an architecture without a file."""
    path = Path(__file__).parent / f"{architecture}.json"
    if not path.exists():
        return Catalogue(architecture, {})
    entries = json.loads(path.read_text())["counters"]
    counters = [
        Counter(entry["name"], entry.get("block", ""), entry["description"], entry.get("expression", ""))
        for entry in entries
    ]
    return Catalogue(architecture, {counter.name: counter for counter in counters})
