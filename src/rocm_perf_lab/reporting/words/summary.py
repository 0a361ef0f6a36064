"""What a run amounts to, in plain words: the data that the page, Markdown and the terminal show on top."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from typing import Literal

from rocm_perf_lab.analysis.bottleneck import RULES, UNKNOWN
from rocm_perf_lab.contracts.profiling.analysis import KernelAnalysis
from rocm_perf_lab.contracts.profiling.kernel import KernelProfile
from rocm_perf_lab.contracts.profiling.profile import ProfileDocument
from rocm_perf_lab.contracts.profiling.roofline import Roofline
from rocm_perf_lab.contracts.profiling.stability import Stability
from rocm_perf_lab.reporting.run_documents import RunDocuments, analyses
from rocm_perf_lab.reporting.words.figures import count, digits, duration, percent
from rocm_perf_lab.reporting.words.kernel_names import short_name, short_names
from rocm_perf_lab.reporting.words.next_steps import next_steps
from rocm_perf_lab.reporting.words.origin_line import origin_line, unfinished_line
from rocm_perf_lab.units import ms

Tone = Literal["good", "fair", "poor", "unknown"]

# Where the words change. They choose colours and sentences; nothing is computed from them.
NEAR_A_ROOF = 0.8
FAR_FROM_ROOFS = 0.1
FAR_SPEEDUP = 3.0
WORTH_A_VERDICT = 0.01  # share of GPU time
MOST_VERDICTS = 8
NAME_WIDTH = 48

_PLACES = {"lds": "the LDS", "l1": "the vector L1 cache", "l2": "the L2 cache", "hbm": "memory"}
_ORIGINS = {"measured": "measured", "simulated": "measured on the virtual GPU", "spec": "data sheet"}


@dataclass(frozen=True)
class Figure:
    """One of the large numbers on top."""

    label: str
    value: str
    note: str


@dataclass(frozen=True)
class KernelVerdict:
    kernel: str
    short: str
    share: float
    tone: Tone
    label: str
    """A word or two, such as "memory bound"."""
    words: str


@dataclass(frozen=True)
class Summary:
    unfinished: str | None
    """Why, and what is missing; None of a run that came to its end."""
    simulated: bool
    origin: str
    """A sentence: on what, and whether measured or simulated."""
    command: str
    started: str | None
    figures: tuple[Figure, ...]
    verdicts: tuple[KernelVerdict, ...]
    rest: str | None
    """Of the kernels that have no verdict."""
    next_steps: tuple[str, ...]


def summary(run: RunDocuments) -> Summary:
    profile = run.profile
    shown = [kernel for kernel in profile.kernels if kernel.share >= WORTH_A_VERDICT][:MOST_VERDICTS]
    names = short_names([kernel.name for kernel in shown], NAME_WIDTH)
    known = analyses(run)
    return Summary(
        unfinished=unfinished_line(profile),
        simulated=profile.origin == "simulated",
        origin=origin_line(profile),
        command=shlex.join(profile.setting.command),
        started=profile.setting.started,
        figures=(*_figures(profile), *_path_figure(run)),
        verdicts=tuple(
            _verdict(kernel, name, known.get(kernel.name)) for kernel, name in zip(shown, names, strict=True)
        ),
        rest=_rest(profile, len(shown)),
        next_steps=tuple(_with_short_names(step) for step in next_steps(profile, run.analysis)),
    )


def _figures(profile: ProfileDocument) -> list[Figure]:
    figures = []
    if profile.stability is not None:
        figures.append(
            Figure("GPU time of a run", duration(profile.stability.mean_ms), "sum over all kernels")
        )
        figures.append(_scatter(profile.stability))
    elif profile.wall_ms is not None:
        figures.append(Figure("wall time", duration(profile.wall_ms.mean_ms), "of the process"))
        figures.append(_scatter(profile.wall_ms))
    if profile.kernels:
        launches = sum(kernel.launches for kernel in profile.kernels)
        figures.append(Figure("launches", f"{launches:,}", f"of {count(len(profile.kernels), 'kernel')}"))
        first = profile.kernels[0]
        figures.append(
            Figure("largest kernel", percent(first.share), f"of GPU time: {short_name(first.name, 28)}")
        )
    return figures


def _path_figure(run: RunDocuments) -> list[Figure]:
    if run.dag is None:
        return []
    share = percent(run.dag.critical_path_ns / max(1, run.dag.span_ns))
    return [
        Figure("begin to end", duration(ms(run.dag.span_ns)), f"{share} in kernels and copies of the path")
    ]


def _scatter(stability: Stability) -> Figure:
    runs = count(stability.runs, "run")
    if stability.cv is None or stability.classification is None:
        return Figure("stability", "unknown", f"{runs}; more are needed to tell")
    if stability.origin == "simulated" and stability.stddev_ms == 0:
        return Figure("stability", "repeats", f"the simulator gives the same time in {runs}")
    return Figure("stability", stability.classification, f"CV {percent(stability.cv)} over {runs}")


def _verdict(kernel: KernelProfile, short: str, analysis: KernelAnalysis | None) -> KernelVerdict:
    tone, label, words = _analysed(analysis) if analysis else _words(kernel)
    return KernelVerdict(kernel.name, short, kernel.share, tone, label, words)


def _analysed(analysis: KernelAnalysis) -> tuple[Tone, str, str]:
    """The label of analysis.json, what speaks for it, and what there is to gain."""
    found, headroom = analysis.bottleneck, analysis.headroom
    evidence = "; ".join(one.statement for one in found.evidence[:2])
    words = f"{evidence[:1].upper()}{evidence[1:]}." if evidence else "No figure speaks for a label."
    if headroom:
        words += (
            f" At its next limit ({headroom.ceiling}) it would take {duration(headroom.floor_ms)} instead of "
            f"{duration(headroom.time_ms)}: {headroom.speedup:.1f} times as fast."
        )
    others = [one.label for one in found.runners_up[:1] if one.score > 0 and one.label != UNKNOWN.label]
    second = f"; next comes {others[0]}" if others else ""
    words += f" Certainty: {found.certainty}{second}."
    if RULES[found.label].colour == "grey":
        return "unknown", found.label, words
    near = headroom is not None and headroom.speedup <= 1 / NEAR_A_ROOF
    far = headroom is not None and headroom.speedup >= FAR_SPEEDUP
    return "good" if near else "poor" if far else "fair", found.label, words


def _words(kernel: KernelProfile) -> tuple[Tone, str, str]:
    roofline = kernel.roofline
    if roofline is None:
        why = kernel.missing.get("roofline", "no counters were collected")
        return "unknown", "not known", f"What bounds it is not known: {why}."
    if roofline.share_of_roof is None or roofline.bound_by is None:
        why = roofline.missing.get("bound", "no figure could be compared with a roof")
        return "unknown", "undecided", f"What bounds it is undecided: {why}."
    near = percent(roofline.share_of_roof)
    roof = _place(roofline)
    if roofline.share_of_roof < FAR_FROM_ROOFS:
        return (
            "poor",
            "far below all roofs",
            f"It keeps nothing busy: the nearest roof is {roof}, at {near}. Latency, or too little work in "
            f"flight, holds it back{_idle_slots(kernel)}.",
        )
    bound = f"{roofline.bound} bound"
    if roofline.share_of_roof >= NEAR_A_ROOF:
        less = "moving fewer bytes" if roofline.bound == "memory" else "doing fewer operations"
        return "good", bound, f"It runs at {near} of {roof}: only {less} makes it faster."
    return (
        "fair",
        bound,
        f"It runs at {near} of {roof}, the nearest roof: there is room before that is reached"
        f"{_idle_slots(kernel)}.",
    )


def _place(roofline: Roofline) -> str:
    roof = next((one for one in roofline.ceilings if one.name == roofline.bound_by), None)
    if roof is None:
        return str(roofline.bound_by)
    name = _PLACES.get(roof.name, roof.name)
    origin = _ORIGINS.get(roof.origin, roof.origin)
    return f"{name} ({rate(roof.value, roof.unit)}, {origin})"


def _idle_slots(kernel: KernelProfile) -> str:
    occupied = kernel.occupancy
    if occupied is None or occupied.achieved is None:
        return ""
    return f"; {percent(occupied.achieved)} of the wave slots were taken"


def rate(value: float, unit: str) -> str:
    """In units of 10^12 from there on: 5.30 TB/s."""
    return f"{digits(value / 1000)} T{unit[1:]}" if value >= 1000 else f"{digits(value)} {unit}"


def _rest(profile: ProfileDocument, shown: int) -> str | None:
    others = profile.kernels[shown:]
    if not others:
        return None
    share = percent(sum(kernel.share for kernel in others))
    return f"{count(len(others), 'more kernel')} with {share} of GPU time"


def _with_short_names(step: str) -> str:
    return re.sub(r"\{(.*)\}", lambda found: short_name(found[1], NAME_WIDTH), step)
