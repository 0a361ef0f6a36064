"""Relations between counters that must hold whatever a kernel does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rocm_perf_lab.arch.counters import (
    Formula,
    MissingCounters,
    Part,
    total_of,
    traffic_formulas,
    work_formulas,
)
from rocm_perf_lab.arch.counters.formula import part_values
from rocm_perf_lab.contracts.profiling.roofline import Suspect

from .counted import CountedWork

# The longest line of an L2: what one request to it can fetch at most.
_LINE = 128


@dataclass(frozen=True)
class AtMost:
    """``left ≤ right``: where it fails, the figures named are not to be trusted."""

    figures: tuple[str, ...]
    left: Formula
    right: Formula
    why: str

    @property
    def counters(self) -> tuple[str, ...]:
        return (*self.left.counters, *self.right.counters)

    def __str__(self) -> str:
        return f"{self.left} ≤ {self.right}"


def _count(*names: str, weight: int = 1) -> Formula:
    return Formula((Part(weight, names),), "")


def _relations(architecture: str) -> Iterator[AtMost]:
    yield AtMost(
        ("traffic l2", "traffic hbm"),
        _count("TCC_HIT"),
        _count("TCC_REQ"),
        "more hits in the L2 than requests to it",
    )
    for level in traffic_formulas(architecture):
        if level.level == "hbm" and level.read:
            yield AtMost(
                ("traffic hbm",),
                level.read,
                _count("TCC_REQ", weight=_LINE),
                f"more bytes read over the fabric than a line of {_LINE} bytes for each request to the L2",
            )
    typed = [one for one in work_formulas(architecture) if one.unit == "valu"]
    if typed:
        yield AtMost(
            tuple(f"work valu {one.type}" for one in typed),
            _count(*(name for one in typed for name in one.formula.counters)),
            _count("SQ_INSTS_VALU"),
            "more instructions with a type than vector instructions: the passes did not run the same work",
        )


def broken_relations(architecture: str, counted: CountedWork) -> list[Suspect]:
    """One suspect for each figure of a relation that does not hold; those with missing counters are left."""
    found: list[Suspect] = []
    for relation in _relations(architecture):
        try:
            left = total_of(relation.left, counted.counters)
            right = total_of(relation.right, counted.counters)
        except MissingCounters:
            continue
        if left > right * (1 + counted.tolerance(relation.counters)):
            shown = {name: value for name, value in counted.shown(relation.counters).items() if value}
            found += [
                Suspect(figure=figure, value=left, why=relation.why, formula=str(relation), counters=shown)
                for figure in relation.figures
            ]
    return found


def negative_parts(figure: str, formula: Formula, counted: CountedWork) -> list[Suspect]:
    """A suspect for each number of events that is below zero by more than runs may differ."""
    found = []
    for part, count in part_values(formula, counted.counters):
        names = (*part.of, *part.less)
        slack = counted.tolerance(names) * sum(counted.value(name) or 0.0 for name in part.of)
        if count < -slack:
            found.append(
                Suspect(
                    figure=figure,
                    value=part.weight * count,
                    why="a number of events is negative: the counters miscount, or are not of the same work",
                    formula=str(part),
                    counters=counted.shown(names),
                )
            )
    return found
