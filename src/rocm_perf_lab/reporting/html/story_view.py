"""All that the page of an optimization shows, as plain data: what was tried, refused and taken, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rocm_perf_lab.contracts.changes.change_bundle import BundledSide, ChangeBundleDocument
from rocm_perf_lab.contracts.changes.optimization import (
    AcceptedChange,
    OptimizationDocument,
    TimeChange,
    TriedChange,
)
from rocm_perf_lab.contracts.changes.proposal_refusal import REASONS
from rocm_perf_lab.reporting.terminal.optimize import ENDS, PLACES
from rocm_perf_lab.reporting.words.figures import byte_size, count, digits, duration, percent
from rocm_perf_lab.reporting.words.kernel_names import short_name
from rocm_perf_lab.reporting.words.refusal_counts import refusal_counts

WIDTH, ROW, LEFT, RIGHT, TOP = 900, 22, 330, 110, 26
MOST_BARS = 60
_NAME_WIDTH = 32
_MARGIN = 0.03  # of the chart's width, on both sides
_LINES = {"+": "added", "-": "removed", "@": "place"}
# Counters that say most about what unrolling and the like change.
_COUNTERS = {
    "SQ_WAVE_CYCLES": "cycles of waves",
    "SQ_WAIT_ANY": "cycles of waiting",
    "SQ_INSTS_VALU": "vector instructions",
    "SQ_INSTS_SALU": "scalar instructions",
    "SQ_INSTS_VMEM": "vector memory instructions",
    "SQ_LDS_BANK_CONFLICT": "LDS bank conflicts",
}


@dataclass(frozen=True)
class Bar:
    """A trial that was timed: its ratio and the interval of it, in pixels."""

    y: float
    label: str
    low: float
    high: float
    at: float
    result: str
    figure: str
    title: str


@dataclass(frozen=True)
class IntervalChart:
    height: int
    same: float
    """Where the ratio is 1."""
    ticks: tuple[tuple[float, str], ...]
    bars: tuple[Bar, ...]
    left_out: int


@dataclass(frozen=True)
class ChangeView:
    title: str
    kernel: str
    place: str
    reasoning: str
    times: tuple[tuple[str, str, str, str, str], ...]
    """What, before, after, change, interval."""
    figures: tuple[tuple[str, str, str], ...]
    """Of the code and its counters: what, before, after; empty where they were not kept."""
    facts: tuple[tuple[str, str], ...]
    diff: tuple[tuple[str, str], ...]
    """Kind and text of each line."""


@dataclass(frozen=True)
class TrialRow:
    number: str
    kernel: str
    what: str
    came_to: str
    result: str
    ratio: str
    why: str


@dataclass(frozen=True)
class StoryView:
    title: str
    simulated: bool
    figures: tuple[tuple[str, str, str], ...]
    """Name, value, note."""
    facts: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]
    chart: IntervalChart | None
    changes: tuple[ChangeView, ...]
    reasons: tuple[tuple[str, str, str], ...]
    """How often, code, meaning."""
    trials: tuple[TrialRow, ...]
    left_out: tuple[tuple[str, str], ...]


def story_view(document: OptimizationDocument, claims: Mapping[int, ChangeBundleDocument]) -> StoryView:
    """``claims``: of bundles that are there, by the place of the change in ``accepted``."""
    return StoryView(
        title=document.source,
        simulated=document.origin == "simulated",
        figures=tuple(_figures(document)),
        facts=tuple(_facts(document)),
        notes=document.notes,
        chart=_chart(document.tried),
        changes=tuple(
            _change(change, document.tried[change.trial], claims.get(at), document.dry_run)
            for at, change in enumerate(document.accepted)
        ),
        reasons=tuple((str(number), code, REASONS[code]) for code, number in refusal_counts(document)),
        trials=tuple(_row(number, tried) for number, tried in enumerate(document.tried, 1)),
        left_out=tuple((left.kernel, str(left.refusal)) for left in document.left_out),
    )


def _figures(document: OptimizationDocument) -> Iterator[tuple[str, str, str]]:
    stays = [change for change in document.accepted if change.place in ("written", "kept")]
    times = [time for one in stays if (time := document.tried[one.trial].whole_time) is not None]
    if times:
        before, after = times[0].before_ms, times[-1].after_ms
        note = f"{duration(before)} before, {duration(after)} now: first dispatch to last"
        yield "the whole program", _saved(after / before), note
    else:
        yield "the whole program", "as before", "nothing was accepted"
    places = Counter(one.place for one in document.accepted)
    yield "accepted", str(len(stays)), ", ".join(f"{number} {place}" for place, number in places.items())
    refused = sum(tried.result == "refused" for tried in document.tried)
    yield "tried", str(len(document.tried)), f"{refused} refused"
    yield "ended", document.end, ENDS[document.end] if document.end != "nothing improves" else ""


def _facts(document: OptimizationDocument) -> Iterator[tuple[str, str]]:
    yield "command", " ".join(document.command)
    yield "build", document.build
    yield "proposer", document.proposer
    yield "timed", "by replays, then in the application" if document.via == "replay" else "in the application"
    yield "source before", document.before_sha256
    yield "source now", document.present_sha256
    if document.files is not None:
        yield "journal", document.files.journal
        if document.files.patch is not None:
            yield "all changes", document.files.patch


def _chart(tried: Sequence[TriedChange]) -> IntervalChart | None:
    timed = [
        (number, one, time)
        for number, one in enumerate(tried, 1)
        if (time := one.kernel_time or one.replay_time) is not None and time.ratio is not None
    ]
    if not timed:
        return None
    bounds = [edge for _, _, time in timed for edge in _interval(time)]
    low, high = min(0.95, *bounds), max(1.05, *bounds)
    low, high = low - _MARGIN * (high - low), high + _MARGIN * (high - low)
    shown = timed[:MOST_BARS]

    def at(ratio: float) -> float:
        return LEFT + (ratio - low) / (high - low) * (WIDTH - LEFT - RIGHT)

    return IntervalChart(
        height=TOP + ROW * len(shown) + 24,
        same=at(1.0),
        ticks=tuple((at(tick), f"{tick:.2f}") for tick in _ticks(low, high)),
        bars=tuple(
            _bar(number, one, time, TOP + ROW * place + ROW / 2, at)
            for place, (number, one, time) in enumerate(shown)
        ),
        left_out=len(timed) - len(shown),
    )


def _bar(number: int, one: TriedChange, time: TimeChange, y: float, at: Callable[[float], float]) -> Bar:
    low, high = _interval(time)
    assert time.ratio is not None
    return Bar(
        y=y,
        label=f"{number}: {one.proposal}",
        low=at(low),
        high=at(high),
        at=at(time.ratio),
        result=one.result,
        figure=_saved(time.ratio),
        title=f"{one.kernel}: {one.proposal}: {_in_words(time)}: {time.verdict}",
    )


def _interval(time: TimeChange) -> tuple[float, float]:
    assert time.ratio is not None
    return (
        time.ratio if time.ratio_low is None else time.ratio_low,
        time.ratio if time.ratio_high is None else time.ratio_high,
    )


def _ticks(low: float, high: float) -> list[float]:
    step = next(size for size in (0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 1e9) if (high - low) / size <= 8)
    first = int(low / step) + 1
    return [round(step * place, 4) for place in range(first, int(high / step) + 1)]


def _change(
    change: AcceptedChange, tried: TriedChange, claims: ChangeBundleDocument | None, dry_run: bool
) -> ChangeView:
    facts = [("results", tried.results), ("checkers", tried.checkers), ("by replays", tried.replays)]
    if change.bundle is not None:
        facts += [("verify it", f"rocm-perf verify {change.bundle}"), ("its SHA-256", change.bundle_sha256)]
    return ChangeView(
        title=str(tried.proposal),
        kernel=tried.kernel,
        place="would be accepted" if dry_run else PLACES[change.place],
        reasoning=tried.proposal.reasoning,
        times=tuple(_times(tried)),
        figures=tuple(_before_and_after(claims.before, claims.after)) if claims is not None else (),
        facts=tuple((name, value) for name, value in facts if value),
        diff=tuple((_kind(line), line) for line in change.diff.splitlines()),
    )


def _kind(line: str) -> str:
    return "place" if line.startswith(("---", "+++")) else _LINES.get(line[:1], "same")


def _times(tried: TriedChange) -> Iterator[tuple[str, str, str, str, str]]:
    named = (
        ("kernel", tried.kernel_time),
        ("whole program", tried.whole_time),
        ("process", tried.process_time),
        ("replays", tried.replay_time),
    )
    for name, time in named:
        if time is not None and time.ratio is not None:
            yield name, duration(time.before_ms), duration(time.after_ms), _saved(time.ratio), _in_words(time)


def _before_and_after(before: BundledSide, after: BundledSide) -> Iterator[tuple[str, str, str]]:
    one, other = before.resources, after.resources
    for name, old, new in (
        ("vector registers", one.arch_vgprs, other.arch_vgprs),
        ("scalar registers", one.sgprs, other.sgprs),
        (
            "spilled registers",
            _sum(one.vgpr_spills, one.sgpr_spills),
            _sum(other.vgpr_spills, other.sgpr_spills),
        ),
    ):
        if old is not None and new is not None:
            yield name, str(old), str(new)
    for name, old, new in (
        ("static LDS", one.lds_static_bytes, other.lds_static_bytes),
        ("scratch per lane", one.scratch_bytes_per_lane, other.scratch_bytes_per_lane),
        ("code", one.code_bytes, other.code_bytes),
    ):
        if old is not None and new is not None:
            yield name, byte_size(old), byte_size(new)
    if before.traffic_bytes is not None and after.traffic_bytes is not None:
        yield "traffic", byte_size(round(before.traffic_bytes)), byte_size(round(after.traffic_bytes))
    for counter, name in _COUNTERS.items():
        if counter in before.counters and counter in after.counters:
            yield f"{name} ({counter})", digits(before.counters[counter]), digits(after.counters[counter])


def _sum(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one + other


def _row(number: int, tried: TriedChange) -> TrialRow:
    time = tried.kernel_time or tried.replay_time
    return TrialRow(
        number=str(number),
        kernel=short_name(tried.kernel, _NAME_WIDTH),
        what=str(tried.proposal),
        came_to=_came_to(tried),
        result=tried.result,
        ratio=_saved(time.ratio) if time is not None and time.ratio is not None else "",
        why="; ".join(map(str, tried.refusals)),
    )


def _came_to(tried: TriedChange) -> str:
    """The last step that it passed or that refused it."""
    if tried.kernel_time is not None:
        return "timed in the application"
    if tried.replay_time is not None:
        return "timed by replays"
    if tried.results is not None:
        return "results compared"
    if tried.checkers is not None:
        return "checked"
    return "guards and builds"


def _saved(ratio: float) -> str:
    """``41.5% less``."""
    if abs(ratio - 1) < 5e-4:
        return "the same"
    return f"{percent(abs(1 - ratio))} {'less' if ratio < 1 else 'more'}"


def _in_words(time: TimeChange) -> str:
    if time.exact:
        return f"{time.ratio:.4f}, repeats exactly"
    if time.ratio_low is None or time.ratio_high is None:
        return f"{time.ratio:.4f}, too few pairs for an interval"
    return (
        f"{time.ratio_low:.4f} … {time.ratio_high:.4f} at {percent(time.level)}, {count(time.pairs, 'pair')}"
    )
