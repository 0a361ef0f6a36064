"""Whether a kernel gives the same result in every run, from how its results differ over several runs.

deterministic: no byte differs. order-dependent: nothing differs but floating-point numbers, by no more than
what sums in another order differ by. racy: anything else.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from rocm_perf_lab.capturing.element_layout import ElementLayout, Scalar, numbers
from rocm_perf_lab.replaying.memory.tolerance import SpreadLine

if TYPE_CHECKING:
    from numpy.typing import NDArray

Label = Literal["deterministic", "order-dependent", "racy"]

# Rounding errors of a sum of n terms stay within λ·√n·u·Σ|x| with a probability that is next to certain from
# λ = 4 on: Higham and Mary, "A New Approach to Probabilistic Rounding Error Analysis", SIAM Journal on
# Scientific Computing 41 (2019).
LAMBDA = 4.0


@dataclass
class Spread:
    """How the elements of one buffer differ over runs, added block by block."""

    layout: ElementLayout
    lines: dict[Scalar, SpreadLine] = field(default_factory=dict)
    not_rounding: str = ""
    """The first thing that no order of sums explains."""
    elements: int = 0

    def add(self, runs: Sequence[NDArray[Any]]) -> None:
        """The same whole elements as bytes in every run (the captured one among them)."""
        import numpy as np

        stride = self.layout.stride
        rows = [run.reshape(-1, stride) for run in runs]
        changed = np.zeros(rows[0].shape, bool)
        for other in rows[1:]:
            changed |= other != rows[0]
        moved = np.zeros(len(changed), bool)
        for one in self.layout.fields:
            span = slice(one.offset, one.offset + one.scalar.size)
            here = np.flatnonzero(changed[:, span].any(axis=1))
            if not len(here):
                continue
            moved[here] = True
            if not one.scalar.floating:
                self.not_rounding = self.not_rounding or f"{one.scalar.name} values differ"
                continue
            values = np.stack([numbers(one.scalar, run[here, span]) for run in rows])
            finite = np.isfinite(values).all(axis=0)
            strange = ~finite & ~np.isnan(values).all(axis=0) & ~(values == values[0]).all(axis=0)
            if strange.any():
                self.not_rounding = self.not_rounding or "NaN or infinity comes and goes"
            values = values[:, finite]
            line = self.lines.setdefault(one.scalar, SpreadLine())
            line.add(np.abs(values).max(axis=0), values.max(axis=0) - values.min(axis=0))
        self.elements += int(np.count_nonzero(moved))

    def label(self, work_items: int) -> Label:
        if not self.elements:
            return "deterministic"
        return "racy" if self.why_racy(work_items) else "order-dependent"

    def why_racy(self, work_items: int) -> str:
        """Empty where reordered sums, of at most one term from each work-item, explain all that differs."""
        if self.not_rounding:
            return self.not_rounding
        for scalar, line in self.lines.items():
            reach = LAMBDA * math.sqrt(max(work_items, 1)) * scalar.epsilon
            typical = line.root_mean_square
            for magnitude, spread in line.largest.values():
                if spread > reach * max(magnitude, typical):
                    explained = reach * max(magnitude, typical)
                    return (
                        f"{scalar.name} values differ by up to {spread:.3g}, and rounding of {work_items} "
                        f"terms explains {explained:.3g}"
                    )
        return ""


def worst(labels: Sequence[Label]) -> Label:
    order: tuple[Label, ...] = ("deterministic", "order-dependent", "racy")
    return max(labels, key=order.index, default="deterministic")
