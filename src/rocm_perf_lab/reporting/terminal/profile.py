"""A profile on one screen of 80 columns and 24 lines."""

from __future__ import annotations

import re
import shlex
import textwrap
from collections.abc import Sequence
from pathlib import Path

from rocm_perf_lab.contracts.profiling.analysis import AnalysisDocument
from rocm_perf_lab.contracts.profiling.kernel import KernelProfile
from rocm_perf_lab.contracts.profiling.profile import ProfileDocument
from rocm_perf_lab.contracts.profiling.stability import Stability
from rocm_perf_lab.reporting.terminal.printable import printable
from rocm_perf_lab.reporting.terminal.roofline import origin_in_words, rate
from rocm_perf_lab.reporting.words.bottleneck import held_back, labels
from rocm_perf_lab.reporting.words.figures import count, cut, digits, duration, percent
from rocm_perf_lab.reporting.words.kernel_names import short_name, short_names
from rocm_perf_lab.reporting.words.next_steps import next_steps
from rocm_perf_lab.reporting.words.origin_line import origin_line, unfinished_line

WIDTH = 80
LINES = 23  # of 24: the prompt needs one
LABEL = 11
FAR_FROM_ROOFS = 0.1  # so far that what bounds it in the end says little of why it is slow
MOST_TEXT = 10
MOST_NEXT = 3
MOST_WARNINGS = 2
# Widths of the columns behind the name.
SHARE, TOTAL, CALLS, MEAN, OCCUPANCY, LABELLED = 8, 10, 7, 10, 14, 10
NAME_IN_TEXT = 28


def render(
    profile: ProfileDocument, folder: Path, width: int = WIDTH, analysis: AnalysisDocument | None = None
) -> str:
    unfinished = textwrap.wrap(printable(unfinished_line(profile) or ""), width)
    above = [*unfinished, origin_line(profile), _command(profile), "", *_runtime(profile)]
    texts = [
        *_resources(profile),
        *_roofline(profile),
        *_held_back(analysis),
        *_next(profile, analysis),
        *_warnings(profile),
    ]
    below = [*_wrapped(texts, width), f"{'kept':<{LABEL}}{_shown(folder)}"]
    room = LINES - len(above) - len(below) - 3  # two empty lines and the table's head
    table = ["", *_table(profile, labels(analysis), width, room), ""] if profile.kernels else []
    return "".join(cut(line, width) + "\n" for line in (*above, *table, *below))


def _wrapped(texts: Sequence[tuple[str, str]], width: int) -> list[str]:
    """Texts behind their labels, folded, as many lines as the screen has for them."""
    lines = []
    for label, text in texts:
        folded = textwrap.wrap(text, width - LABEL, break_long_words=False) or [""]
        lines += [f"{'' if index else label:<{LABEL}}{part}" for index, part in enumerate(folded)]
    return lines[:MOST_TEXT]


def _command(profile: ProfileDocument) -> str:
    chosen = profile.setting.kernel_filter
    return shlex.join(profile.setting.command) + (f"   (kernels that match {chosen!r})" if chosen else "")


def _runtime(profile: ProfileDocument) -> list[str]:
    if profile.stability is None:
        wall = profile.wall_ms
        return [f"{'wall time':<{LABEL}}{duration(wall.mean_ms)}   {_scatter(wall)}"] if wall else []
    launched = count(sum(kernel.launches for kernel in profile.kernels), "launch", "launches")
    return [
        f"{'GPU time':<{LABEL}}{duration(profile.stability.mean_ms)}   {_scatter(profile.stability)}",
        f"{'':<{LABEL}}{launched} of {count(len(profile.kernels), 'kernel')} in a run",
    ]


def _scatter(stability: Stability) -> str:
    if stability.cv is None or stability.interval_low_ms is None or stability.interval_high_ms is None:
        return f"stability unknown ({count(stability.runs, 'run')})"
    text = f"{stability.classification}: CV {percent(stability.cv)} over {stability.runs} runs"
    if stability.origin == "simulated" and stability.stddev_ms == 0:
        return f"{text}; the simulator repeats"
    low, high = duration(stability.interval_low_ms), duration(stability.interval_high_ms)
    text += f", {low} to {high} (95%)"
    if stability.outliers:
        text += f", {count(len(stability.outliers), 'outlier')}"
    return text


def _table(profile: ProfileDocument, held_by: dict[str, str], width: int, room: int) -> list[str]:
    kernels = profile.kernels
    shown = kernels if len(kernels) <= room else kernels[: room - 1]
    room_for_name = width - SHARE - TOTAL - CALLS - MEAN - OCCUPANCY - (LABELLED if held_by else 0)
    names = short_names([kernel.name for kernel in shown], room_for_name - 1)
    head = _row("kernel", "share", "total", "calls", "mean", "occupancy", room_for_name)
    if held_by:
        head += f"{'held by':>{LABELLED}}"
    lines = [head]
    for kernel, name in zip(shown, names, strict=True):
        label = f"{held_by.get(kernel.name, ''):>{LABELLED}}" if held_by else ""
        lines.append(_kernel(kernel, name, room_for_name) + label)
    rest = kernels[len(shown) :]
    if rest:
        share, total = sum(kernel.share for kernel in rest), sum(kernel.total_ms for kernel in rest)
        calls = str(sum(kernel.launches for kernel in rest))
        label = f"and {count(len(rest), 'kernel')} more"
        lines.append(_row(label, percent(share), duration(total), calls, "", "", room_for_name))
    return lines


def _kernel(kernel: KernelProfile, name: str, room: int) -> str:
    mean = duration(kernel.mean_ms)
    return _row(
        name,
        percent(kernel.share),
        duration(kernel.total_ms),
        str(kernel.launches),
        mean,
        _occupancy(kernel),
        room,
    )


def _row(name: str, share: str, total: str, calls: str, mean: str, occupancy: str, room: int) -> str:
    columns = f"{share:>{SHARE}}{total:>{TOTAL}}{calls:>{CALLS}}{mean:>{MEAN}}{occupancy:>{OCCUPANCY}}"
    return f"{cut(name, room):<{room}}{columns}"


def _occupancy(kernel: KernelProfile) -> str:
    """Of the wave slots, what may be taken and by what it is limited."""
    occupied = kernel.occupancy
    if occupied is None or occupied.theoretical is None:
        return "unknown"
    full = occupied.theoretical >= 1
    return f"{100 * occupied.theoretical:.0f}%" + ("" if full else f" {occupied.limiter}")


def _resources(profile: ProfileDocument) -> list[tuple[str, str]]:
    """What the first kernel takes of a compute unit; the others' is in profile.json."""
    if not profile.kernels:
        return []
    kernel = profile.kernels[0]
    of = kernel.resources
    static, dynamic = of.lds_static_bytes, of.lds_dynamic_bytes
    lds = None if static is None and dynamic is None else (static or 0) + (dynamic or 0)
    figures = [
        text
        for value, text in (
            (of.arch_vgprs, f"{of.arch_vgprs} VGPRs"),
            (of.accum_vgprs or None, f"{of.accum_vgprs} accumulation VGPRs"),
            (of.sgprs, f"{of.sgprs} SGPRs"),
            (lds, f"{lds} B LDS"),
            (of.scratch_bytes_per_lane or None, f"{of.scratch_bytes_per_lane} B scratch a lane"),
            (of.vgpr_spills or None, f"{of.vgpr_spills} VGPRs spilled"),
            (of.sgpr_spills or None, f"{of.sgpr_spills} SGPRs spilled"),
        )
        if value is not None
    ]
    known = ", ".join(figures) or of.missing.get("arch_vgprs", "not known")
    return [("resources", f"{short_name(kernel.name, NAME_IN_TEXT)}: {known}")]


def _roofline(profile: ProfileDocument) -> list[tuple[str, str]]:
    if not profile.kernels:
        return []
    roofline = profile.roofline
    if roofline is None:
        return [("roofline", profile.missing.get("roofline", "not known"))]
    name = short_name(profile.kernels[0].name, NAME_IN_TEXT)
    if roofline.share_of_roof is None:
        place = f"undecided: {roofline.missing.get('bound', 'not known')}"
    elif roofline.share_of_roof < FAR_FROM_ROOFS:
        place = (
            f"far below all roofs; the nearest is {roofline.bound_by}, at {percent(roofline.share_of_roof)}"
        )
    else:
        place = (
            f"{roofline.bound} bound ({roofline.bound_by}), at {percent(roofline.share_of_roof)} of that roof"
        )
    lines = [("roofline", f"{name}: {place}")]
    rates = []
    if roofline.achieved_gflops is not None:
        rates.append(f"{digits(roofline.achieved_gflops)} GFLOP/s")
    if roofline.achieved_gbps is not None:
        rates.append(f"{digits(roofline.achieved_gbps)} GB/s")
    if roofline.arithmetic_intensity is not None:
        rates.append(f"{digits(roofline.arithmetic_intensity)} FLOP/byte")
    if profile.occupancy and profile.occupancy.achieved is not None:
        rates.append(f"achieved occupancy {percent(profile.occupancy.achieved)}")
    roof = next((one for one in roofline.ceilings if one.name == roofline.bound_by), None)
    if roof:
        rates.append(f"roof {rate(roof.value, roof.unit)} ({origin_in_words(roof)})")
    if roofline.suspects:
        rates.append(f"{count(len(roofline.suspects), 'suspect figure')}")
    return [*lines, ("", ", ".join(rates))] if rates else lines


def _held_back(analysis: AnalysisDocument | None) -> list[tuple[str, str]]:
    if analysis is None or not analysis.kernels:
        return []
    kernel = analysis.kernels[0]
    text = held_back(kernel)
    return [("held by", f"{short_name(kernel.name, NAME_IN_TEXT)}: {text}")] if text else []


def _next(profile: ProfileDocument, analysis: AnalysisDocument | None) -> list[tuple[str, str]]:
    steps = [
        re.sub(r"\{(.*)\}", lambda found: short_name(found[1], NAME_IN_TEXT), step)
        for step in next_steps(profile, analysis)[:MOST_NEXT]
    ]
    return _list("next", steps)


def _warnings(profile: ProfileDocument) -> list[tuple[str, str]]:
    warnings = list(profile.warnings)
    if profile.dropped_counters:
        some = ", ".join(list(profile.dropped_counters)[:2])
        warnings.append(f"{count(len(profile.dropped_counters), 'counter')} not collected ({some} …)")
    if len(warnings) > MOST_WARNINGS:
        rest = len(warnings) - MOST_WARNINGS + 1
        warnings = [*warnings[: MOST_WARNINGS - 1], f"{rest} more warnings are in profile.json"]
    return _list("warning", warnings)


def _list(label: str, texts: Sequence[str]) -> list[tuple[str, str]]:
    return [("" if index else label, text) for index, text in enumerate(texts)]


def _shown(folder: Path) -> str:
    """The folder as one would type it from here."""
    try:
        return str(folder.relative_to(Path.cwd()))
    except ValueError:
        return str(folder)
