"""Counters of one kernel from several runs of the program, brought to one scale and compared."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rocm_perf_lab.arch.counters import block_of, value_of
from rocm_perf_lab.contracts.profiling.roofline import Suspect
from rocm_perf_lab.rocpd.rows import Launches

# How far two runs may differ in the same counter before they are not of the same work. Instructions and waves
# follow from the program alone. Caches also depend on what ran before: 0.02 % between launches of the copy on
# an MI300X; 5 % is chosen to leave room for kernels whose workgroups run in a different order.
_TOLERANCE = {"SQ": 0.001}
_TOLERANCE_OF_CACHES = 0.05


@dataclass(frozen=True)
class TimedLaunches:
    """Launches of a kernel (or of a group of them) in one run, and their time: the mean over timing runs."""

    total_ns: float
    launches: float


@dataclass(frozen=True)
class CountedWork:
    """Sums over the launches of one run."""

    counters: dict[str, float]
    runs: tuple[frozenset[str], ...]
    """The counters that each counter run collected."""
    suspects: tuple[Suspect, ...]

    def value(self, name: str) -> float | None:
        return value_of(name, self.counters)

    def shown(self, names: Iterable[str]) -> dict[str, float]:
        """Those of the counters that there are."""
        return {name: value for name in names if (value := self.value(name)) is not None}

    def tolerance(self, names: Iterable[str]) -> float:
        """How far counters may contradict each other: not at all, if one run collected them all."""
        wanted = list(names)
        if any(all(name in run or f"{name}_sum" in run for name in wanted) for run in self.runs):
            return 0.0
        return max(_tolerance(name) for name in wanted)


def _tolerance(name: str) -> float:
    return _TOLERANCE.get(block_of(name), _TOLERANCE_OF_CACHES)


def _sum_of_pass(launches: Sequence[Launches]) -> dict[str, float]:
    """Counters that all launches of a pass have: one that only some have is no sum."""
    names = set(launches[0].counters).intersection(*(one.counters for one in launches[1:]))
    return {name: sum(one.counters[name] for one in launches) for name in sorted(names)}


def counted(passes: Sequence[Sequence[Launches]], timing: TimedLaunches) -> CountedWork:
    """Merges the passes; ``passes`` has the launches of one kernel in each of the counter runs."""
    seen: dict[str, list[float]] = {}
    runs: list[frozenset[str]] = []
    suspects: list[Suspect] = []
    for number, launches in enumerate((one for one in passes if one), 1):
        count = sum(one.count for one in launches)
        if count != timing.launches:
            suspects.append(_different_launches(number, count, timing))
        sums = _sum_of_pass(launches)
        runs.append(frozenset(sums))
        for name, value in sums.items():
            seen.setdefault(name, []).append(value * timing.launches / count)
    for name, values in seen.items():
        if max(values) - min(values) > _tolerance(name) * max(abs(value) for value in values):
            suspects.append(_different_counts(name, values))
    means = {name: sum(values) / len(values) for name, values in seen.items()}
    return CountedWork(means, tuple(runs), tuple(suspects))


def _different_launches(number: int, count: int, timing: TimedLaunches) -> Suspect:
    return Suspect(
        figure="launches",
        value=count,
        why=f"counter pass {number} has {count} launches and a timing run {timing.launches:g}",
        formula="launches in the counter pass = launches in the timing run",
        counters={},
    )


def _different_counts(name: str, values: list[float]) -> Suspect:
    tolerance = _tolerance(name)
    return Suspect(
        figure=f"counter {name}",
        value=max(values) - min(values),
        why=f"passes that ran the same launches differ in it by more than {tolerance:.1%}",
        formula=f"largest − smallest {name} ≤ {tolerance:g}·largest",
        counters={f"{name} (pass {number})": value for number, value in enumerate(values, 1)},
    )
