"""Collects what the files of one execution say, dispatch by dispatch, and sums it into a Trace."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Mapping
from pathlib import Path

from rocm_perf_lab.errors import BadInput, UsageProblem
from rocm_perf_lab.rocpd.idle_gaps import Idle, LaunchTimes, idle_before
from rocm_perf_lab.rocpd.rows import Agent, KernelResources, Launches, LaunchKey, Process, Trace

# From so many launches on, numpy pays for being imported.
_MANY = 100_000


class GroupSums:
    """The launches of one key while they are read: times in nanoseconds, and sums of counters."""

    __slots__ = ("counted", "counters", "durations", "extrapolated", "key", "resources", "starts")

    def __init__(self, key: LaunchKey) -> None:
        self.key = key
        self.starts = array("q")
        self.durations = array("q")
        self.resources: dict[KernelResources, int] = {}  # how many launches had them
        self.counters: dict[str, float] = {}
        self.counted: dict[str, int] = {}
        self.extrapolated: set[str] = set()

    def add(self, starts: array[int], durations: array[int], resources: KernelResources) -> None:
        self.starts.extend(starts)
        self.durations.extend(durations)
        self.resources[resources] = self.resources.get(resources, 0) + len(durations)

    def end(self) -> int:
        """Of the launch that ends last."""
        return max(start + duration for start, duration in zip(self.starts, self.durations, strict=True))

    def launches(self, medians: bool, idle: Idle) -> Launches:
        """To be asked once: the durations are put in order."""
        total, least, most, median = _summary(self.durations, medians)
        return Launches(
            key=self.key,
            resources=max(self.resources, key=lambda resources: self.resources[resources]),
            count=len(self.durations),
            total_ns=total,
            min_ns=least,
            max_ns=most,
            median_ns=median,
            idle_ns=idle.total_ns,
            preceded=idle.launches,
            counters=dict(sorted(self.counters.items())),
            counted=dict(sorted(self.counted.items())),
            extrapolated=frozenset(self.extrapolated),
        )


class TraceBuilder:
    def __init__(self, *, medians: bool = True, kernels: str | None = None) -> None:
        self._medians = medians
        self._wanted = _pattern(kernels)
        self._groups: dict[LaunchKey, GroupSums] = {}
        self._agents: dict[int, Agent] = {}
        self._processes: list[Process] = []
        self._sources: list[str] = []
        self._places: set[Path] = set()
        self._guids: set[str] = set()
        self._code_objects: dict[str, None] = {}
        self._warnings: dict[str, None] = {}

    def group(self, key: LaunchKey) -> GroupSums:
        found = self._groups.get(key)
        if found is None:
            found = self._groups[key] = GroupSums(key)
        return found

    def is_new(self, path: Path, guids: Iterable[str] = ()) -> bool:
        """Notes a file as read. False for one that was read before, under whichever name."""
        place, processes = path.resolve(), set(guids)
        if place in self._places or (processes and processes <= self._guids):
            self.warn(f"{path} was given twice, or is a copy of another file here: it counts once")
            return False
        if processes & self._guids:
            raise BadInput(
                f"{path} has some of the processes that another file has, and others",
                "give the merged file alone, or the files of the processes",
            )
        self._places.add(place)
        self._guids |= processes
        self._sources.append(str(path))
        return True

    def add_agent(self, agent: Agent) -> None:
        known = self._agents.setdefault(agent.index, agent)
        if known != agent:
            self.warn(
                f"agent {agent.index} is {known.name} in one process and {agent.name} in another, "
                "or has other properties there: the first is shown"
            )

    def add_process(self, process: Process) -> None:
        if process not in self._processes:
            self._processes.append(process)

    def add_code_objects(self, uris: Iterable[str]) -> None:
        self._code_objects.update(dict.fromkeys(uris))

    def warn_unusable(self, path: Path, dispatches: int) -> None:
        self.warn(f"{path}: {dispatches} dispatches end before they start or have no time: not used")

    def warn(self, text: str) -> None:
        self._warnings[text] = None

    def build(self) -> Trace:
        everything = [group for group in self._groups.values() if group.durations]
        groups = [group for group in everything if self._wants(group.key.kernel)]
        for group in groups:
            self._warn_of(group)
        begin = min((min(group.starts) for group in groups), default=None)
        end = max((group.end() for group in groups), default=None)
        idle = _idle(everything)
        launches = [group.launches(self._medians, idle[group.key]) for group in groups]
        launches.sort(key=lambda item: (-item.total_ns, item.key))
        if not launches:
            self.warn(
                "no kernel was launched" if self._wanted is None else "no kernel that matches was launched"
            )
        return Trace(
            sources=tuple(self._sources),
            agents=tuple(self._agents[index] for index in sorted(self._agents)),
            processes=tuple(self._processes),
            launches=tuple(launches),
            begin_ns=begin,
            end_ns=end,
            code_objects=tuple(self._code_objects),
            warnings=tuple(self._warnings),
        )

    def _wants(self, kernel: str) -> bool:
        return self._wanted is None or self._wanted.search(kernel) is not None

    def _warn_of(self, group: GroupSums) -> None:
        if len(group.resources) > 1:
            self.warn(
                f"{group.key.kernel} has {len(group.resources)} versions with different registers or LDS; "
                "those of most launches are shown"
            )
        for counter, launches in group.counted.items():
            if launches < len(group.durations):
                self.warn(
                    f"{counter} was counted in {launches} of {len(group.durations)} launches of "
                    f"{group.key.kernel} with this geometry"
                )


def _pattern(kernels: str | None) -> re.Pattern[str] | None:
    try:
        return None if kernels is None else re.compile(kernels)
    except re.error as problem:
        raise UsageProblem(
            f"{kernels!r} is not a regular expression: {problem}",
            "escape the characters that have a meaning, for example \\( and \\*",
        ) from None


def _idle(groups: Iterable[GroupSums]) -> Mapping[LaunchKey, Idle]:
    """Before the launches of each group; whichever kernels were asked for, a GPU is busy with all of them."""
    by_agent: dict[int, list[GroupSums]] = {}
    for group in sorted(groups, key=lambda group: str(group.key)):  # which of two is first that start at once
        by_agent.setdefault(group.key.agent, []).append(group)
    return {
        group.key: idle
        for of_agent in by_agent.values()
        for group, idle in zip(
            of_agent,
            idle_before([LaunchTimes(group.starts, group.durations) for group in of_agent], many=_MANY),
            strict=True,
        )
    }


def _summary(durations: array[int], medians: bool) -> tuple[int, int, int, float | None]:
    """Sum, minimum, maximum and median. Orders the durations."""
    count = len(durations)
    if count < _MANY:
        ordered = sorted(durations)
        middle = (ordered[(count - 1) // 2] + ordered[count // 2]) / 2 if medians else None
        return sum(ordered), ordered[0], ordered[-1], middle
    import numpy as np

    values = np.frombuffer(durations, dtype=np.int64)
    least, most = int(values.min()), int(values.max())
    total = int(values.sum()) if most < 2**63 // count else sum(durations)
    if not medians:
        return total, least, most, None
    values.partition(((count - 1) // 2, count // 2))  # in place: the order of launches is not needed any more
    return total, least, most, (int(values[(count - 1) // 2]) + int(values[count // 2])) / 2
