"""The words for dependencies, and lists of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

import numpy as np
import numpy.typing as npt

Points = npt.NDArray[np.int32]
Times = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


class EdgeType(IntEnum):
    """Why one point in time cannot be before another."""

    WORK = 0  # start to end of a kernel or copy
    CALL = 1  # start to end of a host call, as far as it does not wait
    HOST = 2  # a thread's call, after the one before it
    LAUNCH = 3  # a call, and the work or marker it submitted
    STREAM = 4  # work of one stream, one after the other
    QUEUE = 5  # work of one hardware queue
    EVENT = 6  # hipEventRecord and what waits for the event on the GPU
    SYNC = 7  # the host waits for work or an event
    COPY = 8  # the host waits for a copy that its call made
    DEFAULT_STREAM = 9  # the null stream and the streams that it blocks
    GRAPH = 10  # nodes that one graph launch submitted
    QUEUE_FULL = 11  # a launch that waits for a place in its queue
    THREAD = 12  # a thread's first call, and what follows its last
    PROCESS = 13  # a child process after its parent's call
    TIME = 14  # no reason in the trace but the times themselves
    BEGIN = 15  # the first that is traced, and all that follows nothing
    END = 16  # all that nothing follows, and the last that is traced

    @property
    def label(self) -> str:
        return self.name.lower().replace("_", " ")


class EdgeConfidence(IntEnum):
    CERTAIN = 0  # the trace and the rules of HIP say so
    LIKELY = 1  # inferred from what runtimes usually do
    POSSIBLE = 2  # inferred from times alone

    @property
    def label(self) -> str:
        return self.name.lower()


@dataclass(frozen=True, eq=False)
class Edges:
    """Columns of dependencies: ``target`` is not before ``source`` plus a delay."""

    source: Points
    target: Points
    type: npt.NDArray[np.int8]
    confidence: npt.NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.source)


@dataclass
class EdgeList:
    """Edges in the making; those that observed times contradict are counted and left out."""

    times: Times
    contradicted: dict[EdgeType, int] = field(default_factory=dict)
    _parts: list[tuple[Points, Points, EdgeType, EdgeConfidence]] = field(default_factory=list)

    def add(self, source: Any, target: Any, type_: EdgeType, confidence: EdgeConfidence) -> None:
        source, target = np.asarray(source, np.int32), np.asarray(target, np.int32)
        if not len(source):
            return
        possible = self.times[source] <= self.times[target]
        wrong = len(source) - int(np.count_nonzero(possible))
        if wrong:
            self.contradicted[type_] = self.contradicted.get(type_, 0) + wrong
            source, target = source[possible], target[possible]
        self._parts.append((source, target, type_, confidence))

    def build(self) -> Edges:
        parts = self._parts
        counts = [len(part[0]) for part in parts]
        return Edges(
            source=np.concatenate([part[0] for part in parts]),
            target=np.concatenate([part[1] for part in parts]),
            type=np.repeat(np.array([part[2] for part in parts], np.int8), counts),
            confidence=np.repeat(np.array([part[3] for part in parts], np.int8), counts),
        )
