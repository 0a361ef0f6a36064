"""The critical path as plain data: what the time from begin to end was spent in, and whom it waited for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rocm_perf_lab.contracts.profiling.dag import Criticality, DagDocument, Share
from rocm_perf_lab.reporting.words.figures import count, duration, percent
from rocm_perf_lab.reporting.words.kernel_names import short_name
from rocm_perf_lab.units import ms

MOST_WORKS = 15
NAME_WIDTH = 44

ABSENT = "the critical path was not looked for"


@dataclass(frozen=True)
class PathPart:
    what: str
    time: str
    share: float


@dataclass(frozen=True)
class WorkOnPath:
    name: str
    short: str
    launches: str
    """Of how many launches how many are on the path."""
    on_path: str
    weight: float
    slack: str
    """The least total slack of its launches."""
    gain: str
    """What the whole would take less if it took half the time."""


@dataclass(frozen=True)
class PathView:
    missing: str | None
    headline: str = ""
    breakdown: tuple[PathPart, ...] = ()
    works: tuple[WorkOnPath, ...] = ()
    idle: tuple[PathPart, ...] = ()
    """The time in which a GPU ran no kernel, by cause."""
    notes: tuple[str, ...] = ()


def path_view(dag: DagDocument | None) -> PathView:
    if dag is None:
        return PathView(missing=ABSENT)
    works = sorted((*dag.kernels, *dag.copies), key=lambda work: -work.on_path_ns)
    return PathView(
        missing=None,
        headline=_headline(dag),
        breakdown=_parts(dag.breakdown),
        works=tuple(_work(work) for work in works[:MOST_WORKS]),
        idle=_parts(_idle(dag)),
        notes=tuple(_notes(dag)),
    )


def _headline(dag: DagDocument) -> str:
    return (
        f"From the first call or kernel to the end: {_time(dag.span_ns)}. The critical path spends "
        f"{_time(dag.critical_path_ns)} of it ({percent(dag.critical_path_ns / max(1, dag.span_ns))}) in "
        f"kernels and copies; it has {count(dag.path.steps, 'step')}. In all there are {dag.works:,} kernels "
        f"and copies and {count(dag.calls, 'host call')}."
    )


def _idle(dag: DagDocument) -> list[Share]:
    total: dict[str, int] = {}
    for gpu in dag.gpus:
        for cause in gpu.causes:
            total[cause.what] = total.get(cause.what, 0) + cause.ns
    all_of_it = sum(total.values()) or 1
    by_length = sorted(total.items(), key=lambda item: -item[1])
    return [Share(what=cause, ns=ns, share=ns / all_of_it) for cause, ns in by_length]


def _parts(shares: Sequence[Share]) -> tuple[PathPart, ...]:
    return tuple(PathPart(part.what, _time(part.ns), part.share) for part in shares if part.ns > 0)


def _work(work: Criticality) -> WorkOnPath:
    return WorkOnPath(
        name=work.name,
        short=short_name(work.name, NAME_WIDTH),
        launches=f"{work.on_path_launches:,} of {work.launches:,}",
        on_path=_time(work.on_path_ns),
        weight=work.weight,
        slack=_time(work.total_slack.least_ns),
        gain="–" if work.gain_at_2x_ns is None else _time(work.gain_at_2x_ns),
    )


def _notes(dag: DagDocument) -> list[str]:
    notes = list(dag.unknown)
    if not dag.host_calls:
        notes.append("the trace has no host calls: most dependencies are inferred from queues and times")
    if dag.inferred_share > 0:
        notes.append(f"{percent(dag.inferred_share)} of the dependencies are inferred, not told by the trace")
    return notes


def _time(ns: int) -> str:
    return duration(ms(ns))
