"""Compares what a buffer holds with what it should hold, element by element, block by block."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocm_perf_lab.capturing.element_layout import ElementLayout, Field, numbers, shown
from rocm_perf_lab.replaying.memory.tolerance import Tolerance

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True)
class FirstDifference:
    index: int
    """Of the element, counted from where the argument points."""
    field: str
    expected: str
    got: str


class ElementDifferences:
    """Adds up the differences of one buffer. Elements that differ within the tolerance are counted, too."""

    def __init__(self, layout: ElementLayout, tolerance: Tolerance) -> None:
        self.layout = layout
        self.tolerance = tolerance
        self.differing_bytes = 0
        self.differing_elements = 0
        self.beyond_tolerance = 0
        self.nan_changes = 0
        """Floating-point values that are NaN on one side only."""
        self.max_abs_error: float | None = None
        """Of finite floating-point values that differ; likewise the relative one, of those not expected 0."""
        self.max_rel_error: float | None = None
        self.first: FirstDifference | None = None
        """Beyond the tolerance."""

    def add(self, first_index: int, expected: NDArray[Any], got: NDArray[Any]) -> None:
        """Whole elements as bytes, from that with ``first_index`` on. Blocks come in order of addresses."""
        import numpy as np

        stride = self.layout.stride
        rows = np.flatnonzero(_rows_that_differ(expected, got, stride))
        if not len(rows):
            return
        touched = np.zeros(len(rows), bool)
        beyond = np.zeros(len(rows), bool)
        wanted, found = expected.reshape(-1, stride)[rows], got.reshape(-1, stride)[rows]
        self.differing_bytes += int(np.count_nonzero(wanted != found))
        places: list[tuple[int, int]] = []  # row, field: the first of each field beyond the tolerance
        for number, field in enumerate(self.layout.fields):
            span = slice(field.offset, field.offset + field.scalar.size)
            changed = _rows_that_differ(wanted[:, span], found[:, span], field.scalar.size)
            wrong = changed & ~self._allowed(field, wanted[:, span], found[:, span], changed)
            touched |= changed
            beyond |= wrong
            if wrong.any():
                places.append((int(np.argmax(wrong)), number))
        self.differing_elements += int(np.count_nonzero(touched))
        self.beyond_tolerance += int(np.count_nonzero(beyond))
        if self.first is None and places:
            row, number = min(places)
            field = self.layout.fields[number]
            span = slice(field.offset, field.offset + field.scalar.size)
            self.first = FirstDifference(
                first_index + int(rows[row]),
                field.path,
                shown(field.scalar, wanted[row, span].tobytes()),
                shown(field.scalar, found[row, span].tobytes()),
            )

    def _allowed(
        self, field: Field, wanted: NDArray[Any], found: NDArray[Any], changed: NDArray[Any]
    ) -> NDArray[Any]:
        import numpy as np

        if not field.scalar.floating:
            return np.zeros(len(changed), bool)
        expected, got = numbers(field.scalar, wanted), numbers(field.scalar, found)
        self.nan_changes += int(np.count_nonzero(np.isnan(expected) != np.isnan(got)))
        finite = changed & np.isfinite(expected) & np.isfinite(got)
        if finite.any():
            with np.errstate(over="ignore"):
                errors = np.abs(got[finite] - expected[finite])
            self.max_abs_error = _largest(self.max_abs_error, errors)
            nonzero = expected[finite] != 0
            if nonzero.any():
                with np.errstate(over="ignore"):
                    relative = errors[nonzero] / np.abs(expected[finite][nonzero])
                self.max_rel_error = _largest(self.max_rel_error, relative)
        if self.tolerance.exact:
            return np.zeros(len(changed), bool)
        return self.tolerance.allows(expected, got)


def _rows_that_differ(first: NDArray[Any], second: NDArray[Any], size: int) -> NDArray[Any]:
    """Of rows of ``size`` bytes; those of the sizes of numbers are compared as such, which is faster."""
    import numpy as np

    if size in (1, 2, 4, 8):
        whole = f"<u{size}"
        rows: NDArray[Any] = np.ascontiguousarray(first).view(whole) != np.ascontiguousarray(second).view(
            whole
        )
        return rows.reshape(-1)
    different = first.reshape(-1, size) != second.reshape(-1, size)
    found: NDArray[Any] = different.any(axis=1)
    return found


def _largest(before: float | None, values: NDArray[Any]) -> float:
    """Finite: JSON knows no infinity, and an error beyond the largest number is as large as can be said."""
    largest = min(float(values.max()), 1.7976931348623157e308)
    return largest if before is None else max(before, largest)
