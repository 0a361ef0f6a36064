"""The document of a timeline's critical path."""

from __future__ import annotations

import math
import re
from collections import Counter

import numpy as np
import numpy.typing as npt

from rocm_perf_lab.analysis.critical_path.edges import EdgeConfidence, EdgeType
from rocm_perf_lab.analysis.critical_path.gaps import Gaps, find_gaps
from rocm_perf_lab.analysis.critical_path.graph import Graph, build_graph
from rocm_perf_lab.analysis.critical_path.order import streams_are_known
from rocm_perf_lab.analysis.critical_path.path_steps import breakdown, path_steps
from rocm_perf_lab.analysis.critical_path.solve import (
    free_slack,
    longest_chain_ns,
    total_slack,
)
from rocm_perf_lab.analysis.critical_path.whatif import Change, predict, time_on_path
from rocm_perf_lab.contracts.profiling.dag import (
    Criticality,
    DagDocument,
    EdgeStatistics,
    Gap,
    GpuIdle,
    Share,
    SlackRange,
)
from rocm_perf_lab.contracts.section import Origin
from rocm_perf_lab.rocpd.timeline.rows import NONE, Timeline, Works

LONGEST_GAPS = 20
# A replay takes most of a second for a million launches: of a long trace fewer are made.
_REPLAYED_EDGES = 10_000_000
_MOST_REPLAYS = 40
_WITHIN = (EdgeType.WORK, EdgeType.CALL, EdgeType.BEGIN, EdgeType.END)

Ints = npt.NDArray[np.int64]


def dag_document(timeline: Timeline, origin: Origin | None = None) -> DagDocument:
    """Everything about the critical path of one execution."""
    return describe(build_graph(timeline), origin or origin_of(timeline))


def origin_of(timeline: Timeline) -> Origin:
    return "simulated" if any(agent.virtual for agent in timeline.agents) else "measured"


def describe(graph: Graph, origin: Origin) -> DagDocument:
    timeline = graph.timeline
    criticality = _Criticality(graph, origin)
    on_path = time_on_path(graph)
    return DagDocument(
        origin=origin,
        databases=timeline.sources,
        host_calls=len(timeline.calls) > 0,
        begin_ns=graph.begin_ns,
        span_ns=graph.span_ns,
        critical_path_ns=int(on_path.sum()),
        longest_chain_ns=longest_chain_ns(graph),
        breakdown=breakdown(graph),
        processes=len(timeline.processes),
        works=len(timeline.works),
        calls=len(timeline.calls),
        kernels=criticality.of(False),
        copies=criticality.of(True),
        path=path_steps(graph),
        gpus=tuple(_idle(graph, gaps) for gaps in find_gaps(graph)),
        edges=_statistics(graph),
        inferred_share=inferred_share(graph),
        unknown=unknown(graph),
    )


def inferred_share(graph: Graph) -> float:
    """Of the dependencies between different works and calls: those that are not certain."""
    edges = graph.edges
    between = ~np.isin(edges.type, _WITHIN)
    inferred = int(np.count_nonzero(between & (edges.confidence != EdgeConfidence.CERTAIN)))
    return inferred / max(1, int(np.count_nonzero(between)))


class _Criticality:
    def __init__(self, graph: Graph, origin: Origin) -> None:
        self._graph, self._origin = graph, origin
        works, layout = graph.timeline.works, graph.layout
        ends = layout.work_end(np.arange(len(works)))
        self._duration = works.end - works.start
        self._total = total_slack(graph)[ends]
        self._free = np.minimum(free_slack(graph)[ends], self._total)
        self._on_path = time_on_path(graph)
        self._overlapped = overlapped_ns(works)
        self._replays = min(_MOST_REPLAYS, _REPLAYED_EDGES // max(1, len(graph.edges)))

    def of(self, copies: bool) -> tuple[Criticality, ...]:
        """Of every kernel, or of every kind of copy; by time on the path."""
        works = self._graph.timeline.works
        mine = np.flatnonzero(works.copy == copies)
        ordered = mine[np.argsort(works.name[mine], kind="stable")]
        groups = np.split(ordered, np.flatnonzero(np.diff(works.name[ordered])) + 1) if len(ordered) else []
        groups.sort(key=lambda rows: (-int(self._on_path[rows].sum()), -int(self._duration[rows].sum())))
        return tuple(self._one(rows, rank, copies) for rank, rows in enumerate(groups))

    def _one(self, rows: Ints, rank: int, copies: bool) -> Criticality:
        graph = self._graph
        name = graph.timeline.names[graph.timeline.works.name[rows[0]]]
        on_path = int(self._on_path[rows].sum())
        potential, gain, missing = self._predicted(name, on_path, rank, copies)
        return Criticality(
            origin=self._origin,
            missing=missing,
            name=name,
            kind="copy" if copies else "kernel",
            launches=len(rows),
            total_ns=int(self._duration[rows].sum()),
            on_path_launches=int(np.count_nonzero(self._on_path[rows])),
            on_path_ns=on_path,
            weight=on_path / max(1, graph.span_ns),
            total_slack=_range(self._total[rows]),
            free_slack=_range(self._free[rows]),
            critical_launches=int(np.count_nonzero(self._total[rows] == 0)),
            overlapped_ns=int(self._overlapped[rows].sum()),
            overlap_potential_ns=potential,
            gain_at_2x_ns=gain,
        )

    def _predicted(
        self, name: str, on_path: int, rank: int, copies: bool
    ) -> tuple[int | None, int | None, dict[str, str]]:
        if on_path == 0:
            return 0, 0, {}
        chosen = re.compile(rf"\A{re.escape(name)}\Z")
        found: dict[str, int | None] = {}
        # Of kernels the gain comes first: it is what ranks them.
        for figure, speedup, most in (
            ("gain_at_2x_ns", 2.0, self._replays // 2 if copies else self._replays),
            ("overlap_potential_ns", math.inf, self._replays // 2),
        ):
            change = Change(kernel=chosen, speedup=speedup, copies=copies)
            found[figure] = predict(self._graph, change).gain_ns if rank < most else None
        reason = f"not replayed in so long a trace; at most {on_path} ns"
        missing = {figure: reason for figure, value in found.items() if value is None}
        return found["overlap_potential_ns"], found["gain_at_2x_ns"], missing


def _range(slack: Ints) -> SlackRange:
    return SlackRange(least_ns=int(slack.min()), median_ns=int(np.median(slack)), most_ns=int(slack.max()))


def _idle(graph: Graph, gaps: Gaps) -> GpuIdle:
    works, names = graph.timeline.works, graph.timeline.names
    length = gaps.end - gaps.start
    causes: Counter[str] = Counter()
    for cause, ns in zip(gaps.cause, length.tolist(), strict=True):
        causes[cause] += ns
    idle = int(length.sum())
    longest = np.argsort(-length, kind="stable")[:LONGEST_GAPS].tolist()
    return GpuIdle(
        agent=gaps.agent,
        busy_ns=gaps.busy_ns,
        idle_ns=idle,
        gaps=len(length),
        causes=tuple(Share(what=what, ns=ns, share=ns / max(1, idle)) for what, ns in causes.most_common()),
        longest=tuple(
            Gap(
                start_ns=int(gaps.start[number]) - graph.begin_ns,
                end_ns=int(gaps.end[number]) - graph.begin_ns,
                cause=gaps.cause[number],
                before=names[works.name[gaps.next_work[number]]],
            )
            for number in longest
        ),
    )


def _statistics(graph: Graph) -> tuple[EdgeStatistics, ...]:
    edges, times = graph.edges, graph.times
    observed = times[edges.target] - times[edges.source]
    determining = np.zeros(len(edges), bool)
    determining[graph.determined_by[graph.determined_by >= 0]] = True
    on_path = np.zeros(len(edges), bool)
    on_path[graph.path] = True
    found = []
    for type_ in EdgeType:
        mine = edges.type == type_
        contradicted = graph.contradicted.get(type_.label, 0)
        if not mine.any() and not contradicted:
            continue
        levels = np.bincount(edges.confidence[mine], minlength=3)
        binding = observed[mine & determining]
        found.append(
            EdgeStatistics(
                type=type_.label,
                count=int(np.count_nonzero(mine)),
                certain=int(levels[EdgeConfidence.CERTAIN]),
                likely=int(levels[EdgeConfidence.LIKELY]),
                possible=int(levels[EdgeConfidence.POSSIBLE]),
                contradicted=contradicted,
                median_delay_ns=int(np.median(binding)) if len(binding) else 0,
                on_path=int(np.count_nonzero(mine & on_path)),
                on_path_ns=int(observed[mine & on_path].sum()),
            )
        )
    return tuple(found)


def unknown(graph: Graph) -> tuple[str, ...]:
    """What the trace does not tell, in sentences."""
    timeline = graph.timeline
    works = timeline.works
    told = list(timeline.warnings)
    if not len(timeline.calls):
        told.append(
            "The trace has no calls of the host: launches, waits and events are not known, and order between "
            "streams is inferred from times (trace with --hip-runtime-trace --memory-copy-trace too)."
        )
    else:
        lost = int(np.count_nonzero(works.call == NONE))
        if lost:
            told.append(
                f"{lost} of {len(works)} kernels and copies have no call that is known to have made them."
            )
        if not works.copy.any():
            told.append("There are no copies: none were made, or --memory-copy-trace was not given.")
    if not streams_are_known(timeline):
        told.append(
            "All kernels are on one stream and several queues: streams were not traced, queues count."
        )
    if any(stream.blocking is None for stream in timeline.streams) and len(timeline.calls):
        told.append("For some streams it is not known whether they wait for the null stream: taken as not.")
    if len({process.host for process in timeline.processes}) > 1:
        told.append(
            "Processes ran on several hosts, whose clocks may differ: order between them is not used."
        )
    for type_, count in sorted(graph.contradicted.items()):
        told.append(f"{count} dependencies of type {type_} are denied by the observed times and left out.")
    return tuple(told)


def overlapped_ns(works: Works) -> Ints:
    """For every kernel and copy the part of its time in which another of the same GPU went on too."""
    found = np.zeros(len(works), np.int64)
    for agent in np.unique(works.agent):
        mine = np.flatnonzero(works.agent == agent)
        start, end = works.start[mine], works.end[mine]
        moments = np.concatenate((start, end))
        change = np.concatenate((np.ones(len(mine), np.int64), np.full(len(mine), -1, np.int64)))
        order = np.argsort(moments, kind="stable")
        moments, running = moments[order], np.cumsum(change[order])
        # shared[i]: the time up to moments[i] in which two or more were running.
        shared = np.concatenate(([0], np.cumsum(np.where(running[:-1] > 1, np.diff(moments), 0))))
        found[mine] = shared[np.searchsorted(moments, end)] - shared[np.searchsorted(moments, start)]
    return found
