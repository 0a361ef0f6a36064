"""Formulas over counters: weighted counts, each of which can be checked for sense by itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Part:
    """``weight · (of − less)``, sums each. The bracket is a number of events: below zero it is nonsense."""

    weight: int
    of: tuple[str, ...]
    less: tuple[str, ...] = ()

    def __str__(self) -> str:
        names = " + ".join(self.of) + "".join(f" − {name}" for name in self.less)
        if self.weight == 1:
            return names
        return f"{self.weight}·{names}" if len(self.of) + len(self.less) == 1 else f"{self.weight}·({names})"


@dataclass(frozen=True)
class Formula:
    parts: tuple[Part, ...]
    source: str

    def __str__(self) -> str:
        return " + ".join(str(part) for part in self.parts)

    @property
    def counters(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for part in self.parts for name in (*part.of, *part.less)))


class MissingCounters(LookupError):
    """Counters that a formula needs and that were not collected."""

    def __init__(self, names: tuple[str, ...]) -> None:
        super().__init__(", ".join(names))
        self.names = names


def value_of(counter: str, counters: Mapping[str, float]) -> float | None:
    """A counter by its plain name or by that of its sum over instances."""
    found = counters.get(counter)
    return counters.get(f"{counter}_sum") if found is None else found


def part_values(formula: Formula, counters: Mapping[str, float]) -> Iterator[tuple[Part, float]]:
    """Each part with its number of events."""
    missing = tuple(name for name in formula.counters if value_of(name, counters) is None)
    if missing:
        raise MissingCounters(missing)
    for part in formula.parts:
        count = sum(value_of(name, counters) or 0.0 for name in part.of)
        yield part, count - sum(value_of(name, counters) or 0.0 for name in part.less)


def total_of(formula: Formula, counters: Mapping[str, float]) -> float:
    """What the formula gives, also where a part of it is negative: nothing is clamped."""
    return sum(part.weight * count for part, count in part_values(formula, counters))
