"""Collects the columns of several processes and makes one timeline of them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import numpy.typing as npt

from rocm_perf_lab.errors import BadInput
from rocm_perf_lab.rocpd.rows import Agent
from rocm_perf_lab.rocpd.timeline.rows import NONE, Calls, Ids, Stream, Timeline, TracedProcess, Works

Columns = dict[str, npt.NDArray[np.int64]]

WORK_COLUMNS = (
    *("copy", "start", "end", "name", "process", "stream", "queue", "agent", "peer", "call", "order"),
    "bytes",
)
CALL_COLUMNS = ("start", "end", "name", "process", "thread", "stream", "event", "device", "flags")


class TimelineBuilder:
    def __init__(self) -> None:
        self.streams: list[Stream] = []
        self._names: dict[str, int] = {}
        self._things: dict[tuple[object, ...], int] = {}  # queues, threads, events: a number for each
        self._processes: list[TracedProcess] = []
        self._agents: dict[int, Agent] = {}
        self._works: list[Columns] = []
        self._calls: list[Columns] = []
        self.call_count = 0
        self._guids: dict[str, Path] = {}
        self._sources: list[str] = []
        self._warnings: dict[str, None] = {}

    def add_source(self, path: Path, guids: Iterable[str]) -> bool:
        """Notes a file as read. False for one whose processes were all read before."""
        new = set(guids)
        known = new & self._guids.keys()
        if known and known == new:
            self.warn(f"{path} was given twice, or is a copy of another file here: it counts once")
            return False
        if known:
            raise BadInput(
                f"{path} has some of the processes that another file has, and others",
                "give the merged file alone, or the files of the processes",
            )
        self._guids.update(dict.fromkeys(new, path))
        self._sources.append(str(path))
        return True

    def warn(self, text: str) -> None:
        self._warnings[text] = None

    def name(self, text: str) -> int:
        return self._names.setdefault(text, len(self._names))

    def names(self) -> tuple[str, ...]:
        return tuple(self._names)

    def number(self, kind: str, process: int, thing: object) -> int:
        """A number for a queue, thread or event of a process."""
        key = (kind, process, thing)
        return self._things.setdefault(key, len(self._things))

    def add_process(self, process: TracedProcess) -> int:
        self._processes.append(process)
        return len(self._processes) - 1

    def add_agent(self, agent: Agent) -> None:
        self._agents.setdefault(agent.index, agent)

    def add_stream(self, stream: Stream) -> int:
        self.streams.append(stream)
        return len(self.streams) - 1

    def add_calls(self, columns: Columns) -> None:
        self._calls.append(columns)
        self.call_count += len(columns["start"])

    def add_works(self, columns: Columns) -> None:
        self._works.append(columns)

    def build(self) -> Timeline:
        works = _joined(self._works, WORK_COLUMNS)
        ordered = np.lexsort((works["order"], works["end"], works["start"]))
        wide = {"start", "end", "order", "bytes"}
        return Timeline(
            sources=tuple(self._sources),
            names=tuple(self._names),
            works=Works(
                copy=works.pop("copy")[ordered] != 0,
                **{  # type: ignore[arg-type]
                    name: column[ordered] if name in wide else _narrow(column[ordered])
                    for name, column in works.items()
                },
            ),
            calls=Calls(
                **{
                    name: column if name in wide else _narrow(column)  # type: ignore[arg-type]
                    for name, column in _joined(self._calls, CALL_COLUMNS).items()
                }
            ),
            streams=tuple(self.streams),
            processes=tuple(self._processes),
            agents=tuple(self._agents[index] for index in sorted(self._agents)),
            warnings=tuple(self._warnings),
        )


def _joined(parts: list[Columns], names: tuple[str, ...]) -> Columns:
    if len(parts) == 1:
        return {name: parts[0].pop(name) for name in names}
    empty = np.empty(0, np.int64)
    return {name: np.concatenate([part.pop(name) for part in parts] or [empty]) for name in names}


def _narrow(column: npt.NDArray[np.int64]) -> Ids:
    return np.maximum(column, NONE).astype(np.int32)
