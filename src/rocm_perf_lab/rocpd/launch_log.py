"""Collects launches one at a time, with their counters by dispatch: for the formats that are text."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias

from rocm_perf_lab.rocpd.rows import KernelResources
from rocm_perf_lab.rocpd.trace_builder import GroupSums, TraceBuilder

Dispatch: TypeAlias = "int | str"  # a dispatch's id, as the format has it
_NO_TIME = 2**63  # nanoseconds and differences of them are kept in 64 bits


class LaunchLog:
    def __init__(self, path: Path, builder: TraceBuilder, *, counters: bool) -> None:
        """``counters``: whether launches must be found again by their dispatch id."""
        self._path, self._builder = path, builder
        self._by_dispatch: dict[Dispatch, GroupSums | None] | None = {} if counters else None
        self._unusable = 0

    def launch(
        self, dispatch: Dispatch | None, group: GroupSums, resources: KernelResources, start: int, end: int
    ) -> None:
        """A launch. One without a time that could be one counts as unusable, and so do its counters."""
        usable = 0 < end < _NO_TIME and end - _NO_TIME < start <= end
        if self._by_dispatch is not None and dispatch is not None:
            self._by_dispatch[dispatch] = group if usable else None
        if not usable:
            self._unusable += 1
            return
        group.starts.append(start)
        group.durations.append(end - start)
        group.resources[resources] = group.resources.get(resources, 0) + 1

    def has(self, dispatch: Dispatch) -> bool:
        return self._by_dispatch is not None and dispatch in self._by_dispatch

    def count(self, dispatch: Dispatch, values: Mapping[str, float], *, again: bool = False) -> None:
        """Counter values of a launch. ``again``: further values of the counters that were given last."""
        group = self._by_dispatch.get(dispatch) if self._by_dispatch is not None else None
        if group is None:
            return
        for counter, value in values.items():
            group.counters[counter] = group.counters.get(counter, 0.0) + value
            if not again:
                group.counted[counter] = group.counted.get(counter, 0) + 1

    def unusable(self) -> None:
        """A launch that has no time that can be read."""
        self._unusable += 1

    def finish(self) -> None:
        if self._unusable:
            self._builder.warn_unusable(self._path, self._unusable)
