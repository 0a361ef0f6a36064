"""What a label is: all that the product knows of it, in one object. The nine of them are in labels.py."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from rocm_perf_lab.contracts.profiling.bottleneck import Label
from rocm_perf_lab.contracts.reason import Reason

from .held_figures import HeldFigures

Colour = Literal["by what there is to gain", "grey"]


class CeilingUse(NamedTuple):
    """How much of a ceiling is used."""

    share: float
    ceiling: str


@dataclass(frozen=True)
class UsedCeilings:
    """What a kernel uses of the ceilings that it could come to."""

    known: Mapping[str, float]
    """The figures there are."""
    units: Mapping[str, CeilingUse]
    lds_without_conflicts: float | None
    """The share of time that the LDS would be taken for if no lanes met in a bank."""

    def most(self, *others: CeilingUse, without: str = "") -> CeilingUse:
        """What is used most, of the units (but one) and of others."""
        return max([*others, *(use for name, use in self.units.items() if name != without)])


@dataclass(frozen=True, kw_only=True)
class LabelRule:
    label: Label
    when: str
    """As its row in the documentation says it."""
    documentation: str = "docs/how-it-works/bottleneck.md#labels"
    example: str | None
    """The program in examples/bottlenecks that has it."""
    short: str
    """Fits a column of the terminal."""
    test: Callable[[HeldFigures], float | None]
    """The score, from 0 to 1, continuous in every figure; None where its figures are missing."""
    evidence: tuple[str, ...]
    """The figures that it is about."""
    next_ceiling: Callable[[UsedCeilings], tuple[CeilingUse, str] | Reason]
    """What would hold the kernel back if this did not: how much of it is used, and why it is that one."""
    ceiling_of_the_launch: bool = False
    """The share of the ceiling is one of the whole launch; else of the time in which waves run."""
    counts_idle_time: bool = False
    """Idle time before its launches is the kernel's own, too."""
    helped_by: Mapping[str, float]
    """Transform -> its weight among others; chosen. They say what to try first, measurements all the rest."""
    colour: Colour = "by what there is to gain"
    """Of the verdict in the report."""
