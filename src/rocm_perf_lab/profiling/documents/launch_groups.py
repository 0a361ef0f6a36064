"""Launches of several runs of one program, brought together by kernel and by what makes launches alike."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from rocm_perf_lab.rocpd.rows import KernelResources, Launches, LaunchKey, Trace
from rocm_perf_lab.units import ms


@dataclass(frozen=True)
class LaunchesByRun:
    """The launches with one key, in each run: None where a run has none."""

    key: LaunchKey
    runs: tuple[Launches | None, ...]

    @property
    def present(self) -> list[Launches]:
        return [launches for launches in self.runs if launches is not None]

    @property
    def resources(self) -> KernelResources:
        return self.present[0].resources


@dataclass(frozen=True)
class KernelGroups:
    name: str
    groups: tuple[LaunchesByRun, ...]  # by time, longest first

    def total_ns_per_run(self) -> list[int]:
        runs = len(self.groups[0].runs)
        return [sum(total_ns(group.runs[run]) for group in self.groups) for run in range(runs)]


def total_ns(launches: Launches | None) -> int:
    return launches.total_ns if launches else 0


def kernels_of(traces: Sequence[Trace]) -> list[KernelGroups]:
    """The kernels of all runs, by time, longest first; the name decides between equals."""
    by_key: dict[LaunchKey, list[Launches | None]] = {}
    for run, trace in enumerate(traces):
        for launches in trace.launches:
            by_key.setdefault(launches.key, [None] * len(traces))[run] = launches
    by_name: dict[str, list[LaunchesByRun]] = {}
    for key, runs in by_key.items():
        by_name.setdefault(key.kernel, []).append(LaunchesByRun(key, tuple(runs)))
    kernels = [
        KernelGroups(name, tuple(sorted(groups, key=lambda group: (-_time(group), group.key))))
        for name, groups in by_name.items()
    ]
    return sorted(kernels, key=lambda kernel: (-sum(map(_time, kernel.groups)), kernel.name))


def _time(group: LaunchesByRun) -> int:
    return sum(total_ns(launches) for launches in group.runs)


@dataclass(frozen=True)
class GroupTimes:
    """What a document says of the times of some launches."""

    launches: int
    total_ms: float
    mean_ms: float
    min_ms: float
    max_ms: float


def times_of(groups: Sequence[LaunchesByRun]) -> GroupTimes:
    """Total and number of one run (the mean over runs); mean, least and most of a launch over all runs."""
    runs = len(groups[0].runs)
    present = [launches for group in groups for launches in group.present]
    total = sum(launches.total_ns for launches in present)
    count = sum(launches.count for launches in present)
    return GroupTimes(
        launches=round(count / runs),
        total_ms=ms(total / runs),
        mean_ms=ms(total / count),
        min_ms=ms(min(launches.min_ns for launches in present)),
        max_ms=ms(max(launches.max_ns for launches in present)),
    )


def median_ms(group: LaunchesByRun) -> float | None:
    medians = [launches.median_ns for launches in group.present if launches.median_ns is not None]
    return ms(statistics.median(medians)) if len(medians) == len(group.present) else None
