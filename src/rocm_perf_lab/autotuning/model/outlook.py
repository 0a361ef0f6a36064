"""What is expected of a fixed set of candidates, kept up to date as observations come in.

Between fits the parameters of the processes do not change, so that an observation adds one row to what was
computed before instead of making it anew: a suggestion among 10,000 candidates then takes milliseconds.
Numbers of candidates are 32-bit: they are only compared with each other.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import scipy

from rocm_perf_lab.autotuning.model.encoding import Floats, Points
from rocm_perf_lab.autotuning.model.gaussian_process import Fitted, sum_of
from rocm_perf_lab.autotuning.model.mixture import Expected, Mixture, Standard, chance, labels, mixed

Singles = npt.NDArray[np.float32]


class _View:
    """One process: the factor of what it has seen, and the same factor's view of all candidates."""

    def __init__(self, fitted: Fitted, candidates: Points, room: int) -> None:
        self.terms, self.theta = fitted.terms, fitted.theta
        self.variance, self.noise = fitted.variance, fitted.noise
        self.candidates, self.seen = candidates, fitted.points
        self.count = len(fitted.targets)
        self.factor = np.zeros((self.count + room, self.count + room))
        self.factor[: self.count, : self.count] = fitted.factor
        self.views = np.empty((self.count + room, len(candidates)), dtype=np.float32)
        across = sum_of(self.terms, self.theta, self.seen, candidates).astype(np.float32)
        self.views[: self.count] = scipy.linalg.solve_triangular(
            fitted.factor.astype(np.float32), across, lower=True, check_finite=False, overwrite_b=True
        )
        self.known = np.einsum("ij,ij->j", self.views[: self.count], self.views[: self.count])

    def append(self, point: Points) -> None:
        count = self.count
        if count == len(self.views):
            raise ValueError("no room is left")
        line = sum_of(self.terms, self.theta, self.seen, point)[:, 0]
        line = scipy.linalg.solve_triangular(
            self.factor[:count, :count], line, lower=True, check_finite=False
        )
        rest = float(np.sqrt(max(self.variance + self.noise - line @ line, 1e-10)))
        self.factor[count, :count] = line
        self.factor[count, count] = rest
        view = sum_of(self.terms, self.theta, point, self.candidates)[0].astype(np.float32)
        view -= line.astype(np.float32) @ self.views[:count]
        view /= np.float32(rest)
        self.views[count] = view
        self.known = self.known + view**2
        self.seen = self.seen.joined(point)
        self.count += 1

    def moments(self, targets: Floats, pending: Sequence[Points]) -> tuple[Singles, Singles]:
        """Mean and variance; what is pending is taken to come out as expected, which changes no mean."""
        before = (self.count, self.seen, self.known)
        whitened = scipy.linalg.solve_triangular(
            self.factor[: self.count, : self.count], targets, lower=True, check_finite=False
        )
        mean = whitened.astype(np.float32) @ self.views[: self.count]
        for point in pending:
            self.append(point)
        variance = np.maximum(np.float32(self.variance) - self.known, np.float32(1e-7))
        self.count, self.seen, self.known = before
        return mean, variance


class Outlook:
    def __init__(self, mixture: Mixture, candidates: Points, room: int) -> None:
        """Takes up to ``room`` further observations, those under way counted."""
        self.count = len(candidates)
        self._times = [_View(fitted, candidates, room) for fitted in mixture.times]
        self._works = _View(mixture.works, candidates, room) if mixture.works else None
        self._worked = list(mixture.worked)

    def knows_failures(self) -> bool:
        return self._works is not None

    def add(self, point: Points, worked: bool) -> None:
        """An observation; its time is among those given to ``expect`` if it worked."""
        self._worked.append(worked)
        if worked:
            for view in self._times:
                view.append(point)
        if self._works is not None:
            self._works.append(point)

    def expect(self, times: Floats, pending: Sequence[Points]) -> Expected:
        standard = Standard.of(times)
        moments = [view.moments(standard.targets, pending) for view in self._times]
        mean, variance = mixed(moments, standard)  # type: ignore[arg-type]
        if self._works is None:
            return Expected(mean, variance, np.ones(self.count))
        usual, targets = labels(self._worked)
        return Expected(mean, variance, chance(usual, *self._works.moments(targets, ())))  # type: ignore[arg-type]
