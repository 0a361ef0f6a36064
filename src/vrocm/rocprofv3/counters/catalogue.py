"""The counters of an architecture."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from .expression import REDUCTIONS, Reference, references

# Properties of a GPU that expressions may name.
CONSTANTS = ("CU_NUM", "SIMD_NUM", "SE_NUM", "XCC_NUM", "MAX_WAVE_SIZE", "MAX_WAVES_PER_CU")
# Blocks of which there are many: their counters have a form that is summed over all of them.
_SUMMED = ("TA", "TD", "TCP", "TCC")
_INSTANCE = re.compile(r"(\w+)\[(\d+)\]")
_REDUCED = re.compile(rf"(\w+)_({'|'.join(REDUCTIONS)})")


@dataclass(frozen=True)
class Counter:
    name: str
    block: str  # empty for derived counters
    unit: str
    description: str
    expression: str = ""  # over other counters; empty: counted by hardware
    counts: str = ""  # over what the virtual GPU counts, summed over the block's instances
    each: str = ""  # the same, where every instance counts alike
    previous: bool = False  # stands for the counter before it in the list
    unavailable: str = ""  # why the model cannot give it
    instance: int | None = None  # of the block, when only one is asked for


@dataclass(frozen=True)
class Catalogue:
    architecture: str
    counters: dict[str, Counter]
    instances: dict[str, str]  # of a block: expression over the GPU's properties
    apart: frozenset[str]  # counts that every instance of a block has for itself
    timed: frozenset[str]  # counts that come from the timing model; all others are exact for every dispatch

    def find(self, name: str) -> Counter | None:
        """A counter, one instance of it (``TCC_HIT[3]``), or None."""
        found = self.counters.get(name)
        one = _INSTANCE.fullmatch(name)
        if found or not one:
            return found
        base = self.counters.get(one[1])
        if base is None or base.block not in _SUMMED:
            return None
        where = f"{base.description} (instance {one[2]} of the block)"
        return replace(base, name=name, description=where, instance=int(one[2]))

    def counter(self, name: str) -> Counter:
        found = self.find(name)
        if found is None:
            raise KeyError(name)
        return found

    def resolve(self, reference: Reference) -> Reference | None:
        """A name of an expression as counter and reduction; None for a property of the GPU."""
        if reference.name in CONSTANTS:
            return None
        if reference.name in self.counters:
            return reference
        reduced = _REDUCED.fullmatch(reference.name)
        if reduced and reduced[1] in self.counters:
            return Reference(reduced[1], reduced[2])
        raise KeyError(reference.name)

    def parts(self, name: str, reduction: str = "sum") -> Iterator[tuple[Counter, str]]:
        """The hardware counters behind a counter, and how each is reduced over its instances."""
        counter = self.counter(name)
        if not counter.expression:
            yield counter, "one" if counter.instance is not None else reduction
            return
        for reference in references(counter.expression):
            part = self.resolve(reference)
            if part:
                yield from self.parts(part.name, part.reduction)

    def basic(self, name: str) -> frozenset[str]:
        """The names of the hardware counters behind a counter."""
        return frozenset(counter.name for counter, _ in self.parts(name))

    def unavailable(self, name: str) -> str:
        """Why the model cannot give a counter; empty when it can."""
        for counter, reduction in self.parts(name):
            what = "" if counter.name == name else f"{counter.name}: "
            if counter.unavailable:
                return what + counter.unavailable
            together = reduction != "sum" and not counter.each and not self._is_apart(counter)
            if together and counter.counts != "0":
                return what + "it is counted for the whole GPU, not for each instance of the block"
        return ""

    def _is_apart(self, counter: Counter) -> bool:
        return all(reference.name in self.apart for reference in references(counter.counts))

    def raw(self, name: str) -> frozenset[str]:
        """What the virtual GPU has to count for it; ``x[]``: on every instance by itself."""
        found: set[str] = set()
        for counter, reduction in self.parts(name):
            text = counter.each or counter.counts
            apart = "" if reduction == "sum" or counter.each else "[]"
            if text:
                found |= {
                    reference.name + apart
                    for reference in references(text)
                    if reference.name not in CONSTANTS
                }
        return frozenset(found)

    def is_timed(self, name: str) -> bool:
        """Whether it needs more than the exact counts of what waves did."""
        if self.counter(name).previous:
            return True
        return any(raw.removesuffix("[]") in self.timed for raw in self.raw(name))


def architectures() -> tuple[str, ...]:
    return ("gfx90a", "gfx942")


def _table() -> dict[str, Any]:
    read: dict[str, Any] = json.loads((Path(__file__).parent / "table.json").read_text())
    return read


def _of(architecture: str, value: Any) -> str:
    """A text, or one for each architecture."""
    return str(value[architecture] if isinstance(value, dict) else value)


def _row(architecture: str, row: dict[str, Any]) -> Counter:
    return Counter(
        row["name"],
        row.get("block", ""),
        row["unit"],
        row["description"],
        _of(architecture, row.get("expression", "")),
        _of(architecture, row.get("counts", "")),
        _of(architecture, row.get("each", "")),
        row.get("previous", False),
        row.get("unavailable", ""),
    )


def _summed(counter: Counter) -> Counter:
    text = f"{counter.name} over all instances of the block"
    return Counter(f"{counter.name}_sum", "", counter.unit, text, f"reduce({counter.name},sum)")


@cache
def load(architecture: str) -> Catalogue:
    """The counters of gfx942 or gfx90a."""
    table = _table()
    made: dict[str, Counter] = {}
    for row in table["counters"]:
        if architecture not in row.get("arch", architectures()):
            continue
        counter = made[row["name"]] = _row(architecture, row)
        if counter.block in _SUMMED:
            summed = _summed(counter)
            made[summed.name] = summed
    instances = {block: _of(architecture, text) for block, text in table["instances"].items()}
    return Catalogue(
        architecture,
        dict(sorted(made.items())),
        instances,
        frozenset(table["apart"]),
        frozenset(table["timed"]),
    )
