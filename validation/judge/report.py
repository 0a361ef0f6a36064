"""The committed tables: RESULTS.md and DEVIATIONS.md."""

from __future__ import annotations

import fnmatch
from collections.abc import Sequence
from typing import Any

from .compare import FigureResult, PairResult, RowResult, Summary, summary

LISTED_FROM = 0.20  # rows that are off by more are deviations


def percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def summary_line(name: str, one: Summary) -> str:
    shares = " | ".join(percent(share) for share in (one.median, one.p90, one.worst))
    return f"| {name} | {one.rows} | {one.failed} | {shares} |"


def row_tables(results: Sequence[RowResult], goals: dict[str, float]) -> list[str]:
    whole = summary(results)
    met = whole.median <= goals["median"] and whole.p90 <= goals["p90"]
    inside = sum(1 for result in results if result.inside_measured_range)
    lines = [
        "## Kernel times of MI300A",
        "",
        "Error of a row: |simulated − measured average| / measured average. "
        f"Goal: median {percent(goals['median'])}, 90th percentile {percent(goals['p90'])}: "
        f"**{'met' if met else 'not met'}**. "
        f"{inside} of {whole.rows} rows lie between the measured minimum and maximum. "
        f"The slowest row took {max(result.seconds for result in results):.0f} s of processor time.",
        "",
        "| rows | count | failed | median | 90th percentile | worst |",
        "|---|---|---|---|---|---|",
        summary_line("**all**", whole),
    ]
    for subset, name in (("fit", "programs fitted on"), ("held-out", "held-out programs")):
        mine = [result for result in results if result.subset == subset]
        if mine:
            lines.append(summary_line(f"**{name}**", summary(mine)))
    for program in dict.fromkeys(result.program for result in results):
        mine = [result for result in results if result.program == program]
        lines.append(summary_line(f"{program} ({mine[0].subset})", summary(mine)))
    return lines


def figure_tables(results: Sequence[FigureResult]) -> list[str]:
    right = sum(1 for result in results if result.inside)
    lines = [
        "## Latencies, bandwidths and instruction rates of MI300X",
        "",
        f"{right} of {len(results)} inside their published band.",
        "",
        "| figure | simulated | band | | source |",
        "|---|---|---|---|---|",
    ]
    for result in results:
        figure = result.figure
        value = "none" if result.value is None else f"{result.value:.2f}"
        lines.append(
            f"| {figure.name} | {value} {figure.unit} | {figure.low:g} – {figure.high:g} | "
            f"{'inside' if result.inside else '**outside**'} | {figure.source} |"
        )
    return lines


def pair_tables(results: Sequence[PairResult]) -> list[str]:
    right = sum(1 for result in results if result.right)
    lines = [
        "## Variant pairs",
        "",
        f"{right} of {len(results)} pairs have the winner of the hardware, by at least the ratio asked for.",
        "",
        "| pair | winner | ms | loser | ms | ratio | at least | |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for result in results:
        pair = result.pair
        numbers = [
            "none" if value is None else f"{value:.{digits}f}"
            for value, digits in ((result.winner_ms, 4), (result.loser_ms, 4), (result.ratio, 2))
        ]
        lines.append(
            f"| {pair.name} | {pair.winner} | {numbers[0]} | {pair.loser} | {numbers[1]} | {numbers[2]} | "
            f"{pair.at_least:g} | {'right' if result.right else '**wrong**'} |"
        )
    return lines


def reason_for(result: RowResult, reasons: Sequence[dict[str, Any]]) -> str:
    if result.problem:
        return result.problem
    for entry in reasons:
        if entry["program"] != result.program or not any(
            fnmatch.fnmatchcase(result.size, pattern) for pattern in entry["sizes"]
        ):
            continue
        sign = entry.get("sign")
        percent_off = result.signed_percent or 0.0
        if sign is None or (sign == "+") == (percent_off > 0):
            return str(entry["reason"])
    return "not explained yet"


def deviations(
    rows: Sequence[RowResult],
    figures: Sequence[FigureResult],
    pairs: Sequence[PairResult],
    reasons: Sequence[dict[str, Any]],
) -> list[str]:
    listed = [result for result in rows if result.error > LISTED_FROM]
    lines = [
        "# Known deviations of the timing model",
        "",
        "Written by `python validation/run.py --write`; reasons come from `validation/reasons.json`.",
        "A deviation listed here is known, not accepted for good.",
        "",
        f"## Rows of the MI300A table that are off by more than {percent(LISTED_FROM)}",
        "",
        f"{len(listed)} of {len(rows)} rows.",
        "",
        "| program | size | simulated ms | off by | suspected reason |",
        "|---|---|---|---|---|",
    ]
    for result in listed:
        off = "no time" if result.signed_percent is None else f"{result.signed_percent:+.0f} %"
        simulated = "–" if result.simulated_ms is None else f"{result.simulated_ms:.4f}"
        lines.append(
            f"| {result.program} | {result.size} | {simulated} | {off} | {reason_for(result, reasons)} |"
        )
    outside = [result for result in figures if not result.inside]
    lines += ["", "## Figures outside their published band", "", f"{len(outside)} of {len(figures)}."]
    for item in outside:
        value = "none" if item.value is None else f"{item.value:.2f}"
        lines.append(
            f"- {item.figure.name}: {value} {item.figure.unit}, "
            f"published {item.figure.low:g} – {item.figure.high:g}"
        )
    wrong = [result for result in pairs if not result.right]
    lines += [
        "",
        "## Pairs whose winner is wrong or wins by too little",
        "",
        f"{len(wrong)} of {len(pairs)}.",
    ]
    for one in wrong:
        ratio = "no time" if one.ratio is None else f"ratio {one.ratio:.2f}, at least {one.pair.at_least:g}"
        lines.append(f"- {one.pair.name}: {ratio}")
    return lines
