"""A few lines about a document, for clients that show text: what it found, and what can be asked next."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rocm_perf_lab.contracts.profiling.analysis import KernelAnalysis
from rocm_perf_lab.reporting.words.bottleneck import held_back
from rocm_perf_lab.reporting.words.figures import duration

MOST_NAMED = 5
Document = Mapping[str, Any]


def profile(document: Document, run: str) -> str:
    lines = [f"unfinished: {one}" for one in document["unfinished"]]
    lines += [f"{_total(document)}; run folder: {run}"]
    lines += [
        f"{one['share']:.0%} {one['name']}: {duration(one['total_ms'])}, launches: {one['launches']}"
        for one in document["kernels"][:MOST_NAMED]
    ]
    more = len(document["kernels"]) - MOST_NAMED
    lines += [f"and {more} more kernels"] if more > 0 else []
    lines += [f"warning: {one}" for one in document["warnings"]]
    return "\n".join([*lines, "explain says what holds the kernels back"])


def _total(document: Document) -> str:
    return f"GPU time of one run {duration(document['runtime_ms'])} ({document['origin']})"


def explanation(kernels: list[KernelAnalysis]) -> str:
    lines = []
    unknown: dict[str, str] = {}
    for kernel in kernels:
        words = held_back(kernel) or "what holds it back is not known"
        lines.append(f"{kernel.share:.0%} {kernel.name}: {words}")
        lines += [f"  {one.statement}" for one in kernel.bottleneck.evidence[1:]]
        unknown |= kernel.missing
    # Mostly the same of all kernels; the document has it for each.
    lines += [f"not known: {name}: {reason}" for name, reason in unknown.items()]
    return "\n".join(lines)


def whatif(document: Document) -> str:
    if document["ranking"]:
        lines = [f"kernels by what {document['ranking_speedup']:g} times the speed of each would gain:"]
        for one in document["ranking"][:MOST_NAMED]:
            gain = "not known" if one["gain_ns"] is None else duration(one["gain_ns"] / 1e6)
            lines.append(f"{gain}: {one['name']}")
        return "\n".join(lines)
    return (
        f"{', '.join(document['changes'])}: {duration(document['span_ns'] / 1e6)} become "
        f"{duration(document['predicted_ns'] / 1e6)}, {document['speedup']:.3g} times as fast"
    )


def comparison(document: Document) -> str:
    total = document["total"]
    lines = [f"in total: {total['verdict']}: {total['reason']}"]
    lines += [
        f"{kernel['name']}: {kernel['time']['verdict']}"
        for kernel in document["kernels"][:MOST_NAMED]
        if kernel["time"]
    ]
    if document["regressions"]:
        lines.append(f"slower by more than allowed: {', '.join(document['regressions'])}")
    return "\n".join(lines)


def capture(document: Document) -> str:
    found = document["capture"]
    complete = "complete" if found["verdict"]["complete"] else "not complete: see verdict"
    return f"{found['kernel']}, dispatch {found['dispatch_index']}, {complete}; folder: {document['folder']}"


def replay(document: Document) -> str:
    timing = document["timing"]
    text = (
        f"{document['kernel']['demangled']}: median {timing['median']:g} µs of "
        f"{document['execution']['iterations']} ({timing['origin']})"
    )
    fidelity = document["fidelity"]
    return text if fidelity is None else f"{text}; against the program: {fidelity['reason']}"


def validation(document: Document) -> str:
    text = f"{document['kernel']}: {document['verdict']}: {document['reason']}"
    variant = document["variant"]
    if variant is None:
        return text
    text += f"\nvariant: {'passed' if variant['passed'] else 'failed'}: {variant['reason']}"
    time = variant["time"]
    return text if time is None else f"{text}\ntime: {time['verdict']}: {time['reason']}"


def check(document: Document) -> str:
    open_ones = [defect for defect in document["defects"] if not defect["suppressed_by"]]
    if not open_ones:
        return "no defect was found"
    lines = [f"{len(open_ones)} defects"]
    lines += [
        f"{one['defect']} in {one['kernel'] or 'the program'}: {one['explanation']}" for one in open_ones
    ]
    return "\n".join(lines)


def optimization(document: Document) -> str:
    lines = [
        f"{len(document['accepted'])} of {len(document['tried'])} changes accepted; end: {document['end']}"
    ]
    for change in document["accepted"]:
        tried = document["tried"][change["trial"]]
        lines.append(f"{tried['kernel']}: {tried['proposal']['transform']}, {change['place']}")
    if document["files"] is not None:
        lines.append(f"folder: {document['files']['folder']}")
        lines += [f"diff: {document['files']['patch']}"] if document["files"]["patch"] else []
    return "\n".join([*lines, *document["notes"]])


def tuning(document: Document, run: str) -> str:
    best = document["best"]["configuration"]
    speedup = document["speedup"]
    than = "" if speedup is None else f", {speedup:.3g} times as fast as the baseline"
    values = ", ".join(f"{name}={value}" for name, value in best.items())
    return f"best of {document['evaluated']}: {values}{than}; folder: {run}"
