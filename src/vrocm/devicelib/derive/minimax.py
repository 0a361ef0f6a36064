"""Minimax polynomials with coefficients that are floating-point numbers.

Remez' exchange algorithm on a dense grid, in multiple precision. Coefficients are rounded one by one,
the largest contribution first, and the rest is fitted again each time, so that later coefficients make
up for the rounding of earlier ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mpmath import cos, lu_solve, matrix, mp, mpf, pi

mp.prec = 200

Function = Callable[[mpf], mpf]


def round_to(value: mpf, kind: str) -> mpf:
    """``value`` rounded to f32 or f64, or unchanged for ``exact``."""
    if kind == "f64":
        return mpf(float(value))
    if kind == "f32":
        # Through f64 would round twice; 24 bits by mpmath rounds once.
        with mp.workprec(24):
            return +mpf(value)
    if kind == "exact":
        return value
    raise ValueError(kind)


class Fit:
    """One approximation problem: sum of c_k x^e_k to f on [a, b], error weighted by w."""

    def __init__(
        self,
        f: Function,
        interval: tuple[object, object],
        exponents: Sequence[int],
        weight: Function | None = None,
        points: int = 24,
    ) -> None:
        a, b = mpf(interval[0]), mpf(interval[1])
        count = points * (len(exponents) + 2)
        self.exponents = list(exponents)
        self.x = [(a + b) / 2 - (b - a) / 2 * cos(pi * i / (count - 1)) for i in range(count)]
        self.f = [f(x) for x in self.x]
        self.w = [weight(x) if weight else 1 / y for x, y in zip(self.x, self.f, strict=True)]
        self.powers = {e: [x**e for x in self.x] for e in self.exponents}

    def solve(self, free: Sequence[int], fixed: dict[int, mpf]) -> tuple[dict[int, mpf], mpf]:
        """Best coefficients for the exponents in ``free``; returns them and the largest weighted error."""
        n = len(free)
        count = len(self.x)
        target = list(self.f)
        for e, c in fixed.items():
            target = [t - c * p for t, p in zip(target, self.powers[e], strict=True)]
        if n == 0:
            return {}, max(abs(t * w) for t, w in zip(target, self.w, strict=True))
        # The grid is that of the Chebyshev polynomials, whose extremes are a good start.
        nodes = [round(i * (count - 1) / n) for i in range(n + 1)]
        best: dict[int, mpf] = {}
        worst = mpf("inf")
        for _ in range(30):
            system = matrix(n + 1, n + 1)
            right = matrix(n + 1, 1)
            for row, index in enumerate(nodes):
                for column, e in enumerate(free):
                    system[row, column] = self.powers[e][index] * self.w[index]
                system[row, n] = (-1) ** row
                right[row] = target[index] * self.w[index]
            solution = lu_solve(system, right)
            trial = {e: solution[i] for i, e in enumerate(free)}
            errors = [
                (sum((trial[e] * self.powers[e][i] for e in free), mpf(0)) - target[i]) * self.w[i]
                for i in range(count)
            ]
            largest = max(abs(e) for e in errors)
            if largest < worst:
                best, worst = trial, largest
            if largest <= abs(solution[n]) * mpf("1.001"):
                break
            nodes = exchange(errors, n + 1)
        return best, worst

    def rounded(self, kinds: Sequence[str], fixed: dict[int, mpf] | None = None) -> tuple[list[mpf], mpf]:
        """Coefficients in the order of the exponents, each rounded to its kind, and the largest error.

        The better of rounding one by one and rounding all at once: fitting a few high powers alone can fail.
        """
        kind_of = dict(zip(self.exponents, kinds, strict=True))
        start = dict(fixed or {})
        todo = [e for e in self.exponents if e not in start]
        best, _ = self.solve(todo, start)
        at_once = start | {e: round_to(best[e], kind_of[e]) for e in todo}
        done = dict(start)
        while todo:
            best, _ = self.solve(todo, done)
            first = todo.pop(0)
            done[first] = round_to(best[first], kind_of[first])
        candidates = [(self.solve([], c)[1], i, c) for i, c in enumerate((done, at_once))]
        worst, _, chosen = min(candidates)
        return [chosen[e] for e in self.exponents], worst


def exchange(errors: Sequence[mpf], wanted: int) -> list[int]:
    """Indices of ``wanted`` alternating extremes of the error curve."""
    extremes: list[int] = []
    for i, e in enumerate(errors):
        if extremes and (errors[extremes[-1]] > 0) == (e > 0):
            if abs(e) > abs(errors[extremes[-1]]):
                extremes[-1] = i
        else:
            extremes.append(i)
    while len(extremes) > wanted:
        # Drop the smaller end, or the smallest adjacent pair, so that signs keep alternating.
        if len(extremes) == wanted + 1:
            extremes.pop(0 if abs(errors[extremes[0]]) < abs(errors[extremes[-1]]) else -1)
            continue
        pair = min(
            range(len(extremes) - 1),
            key=lambda i: max(abs(errors[extremes[i]]), abs(errors[extremes[i + 1]])),
        )
        del extremes[pair : pair + 2]
    while len(extremes) < wanted:  # a degenerate curve: fill up with grid points
        for i in range(len(errors)):
            if i not in extremes:
                extremes.append(i)
                break
        extremes.sort()
    return extremes
