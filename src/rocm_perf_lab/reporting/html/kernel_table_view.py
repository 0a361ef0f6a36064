"""The table of kernels as plain data: cells with what is shown and what is sorted by, and details below."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields

from rocm_perf_lab.contracts.profiling.analysis import KernelAnalysis
from rocm_perf_lab.contracts.profiling.kernel import KernelProfile
from rocm_perf_lab.contracts.profiling.roofline import Roofline
from rocm_perf_lab.contracts.section import Section
from rocm_perf_lab.reporting.run_documents import RunDocuments, analyses
from rocm_perf_lab.reporting.words.figures import count, digits, duration, percent
from rocm_perf_lab.reporting.words.kernel_names import short_names
from rocm_perf_lab.reporting.words.summary import rate

NAME_WIDTH = 60
MOST_KERNELS = 2000
MOST_DETAILS = 40  # kernels with details; the others have their row
MOST_GROUPS = 12
NOTHING = "–"


@dataclass(frozen=True)
class Column:
    key: str
    title: str
    numeric: bool
    help: str


@dataclass(frozen=True)
class Cell:
    text: str
    value: float | str
    """What is sorted by; unknown figures are below all others."""
    why: str | None = None
    """Why there is nothing."""


@dataclass(frozen=True)
class KernelTable:
    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Row:
    number: int
    name: str
    short: str
    share: float
    cells: dict[str, Cell]
    facts: tuple[str, ...]
    tables: tuple[KernelTable, ...]
    missing: tuple[tuple[str, str], ...]
    """(figure, why it is missing)."""
    detailed: bool


@dataclass(frozen=True)
class KernelTableView:
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    left_out: str | None


_COLUMNS = (
    Column("share", "share", True, "Of the GPU time of all kernels"),
    Column(
        "label", "held back by", False, "What holds it back, by the rules of docs/how-it-works/bottleneck.md"
    ),
    Column("total", "total", True, "Of one run: mean over the runs of the sum of end - start"),
    Column("launches", "calls", True, "Launches in one run"),
    Column("mean", "mean", True, "Of one launch, over all runs"),
    Column("cv", "CV", True, "Scatter of the total over the runs: standard deviation / mean"),
    Column("occupancy", "occupancy", True, "Wave slots that can be taken, and what limits them"),
    Column("achieved", "achieved", True, "Wave slots that were taken on average, from counters"),
    Column("registers", "VGPRs", True, "Vector registers per lane, and accumulation registers"),
    Column("lds", "LDS", True, "Bytes per workgroup, static and dynamic"),
    Column("spills", "spills", True, "Registers that live in memory for want of room"),
    Column("bound", "bound by", False, "The nearest roof"),
    Column("roof", "of roof", True, "How near it is"),
)


def kernel_table_view(run: RunDocuments) -> KernelTableView:
    kernels = run.profile.kernels
    shown = kernels[:MOST_KERNELS]
    names = short_names([kernel.name for kernel in shown], NAME_WIDTH) if len(shown) <= 400 else None
    known = analyses(run)
    used = _used_columns(shown) | ({"label"} if known else set())
    return KernelTableView(
        columns=tuple(column for column in _COLUMNS if column.key in used),
        rows=tuple(
            _row(number, kernel, names[number] if names else _cut(kernel.name), used, known.get(kernel.name))
            for number, kernel in enumerate(shown)
        ),
        left_out=(
            f"{len(kernels) - len(shown):,} more kernels are in profile.json"
            if len(kernels) > len(shown)
            else None
        ),
    )


def _cut(name: str) -> str:
    from rocm_perf_lab.reporting.words.kernel_names import short_name

    return short_name(name, NAME_WIDTH)


def _used_columns(kernels: Sequence[KernelProfile]) -> set[str]:
    """Columns in which no kernel has anything are left out; other parts of the page say how to get them."""
    used = {"share", "total", "launches", "mean", "occupancy", "registers", "lds"}
    for kernel in kernels:
        if kernel.stability.cv is not None:
            used.add("cv")
        if kernel.occupancy and kernel.occupancy.achieved is not None:
            used.add("achieved")
        if kernel.resources.vgpr_spills or kernel.resources.sgpr_spills:
            used.add("spills")
        if kernel.roofline:
            used |= {"bound", "roof"}
    return used


def _row(
    number: int, kernel: KernelProfile, short: str, used: set[str], analysis: KernelAnalysis | None
) -> Row:
    detailed = number < MOST_DETAILS
    label = analysis.bottleneck.label if analysis else NOTHING
    return Row(
        number=number,
        name=kernel.name,
        short=short,
        share=kernel.share,
        cells={key: cell for key, cell in (*_cells(kernel), ("label", Cell(label, label))) if key in used},
        facts=tuple(_facts(kernel)) if detailed else (),
        tables=(*_reasons(analysis), *_tables(kernel)) if detailed else (),
        missing=tuple(_missing(kernel)) if detailed else (),
        detailed=detailed,
    )


def _cells(kernel: KernelProfile) -> Iterator[tuple[str, Cell]]:
    yield "share", Cell(percent(kernel.share), kernel.share)
    yield "total", Cell(duration(kernel.total_ms), kernel.total_ms)
    yield "launches", Cell(f"{kernel.launches:,}", kernel.launches)
    yield "mean", Cell(duration(kernel.mean_ms), kernel.mean_ms)
    scatter = kernel.stability
    yield "cv", _cell(scatter.cv, percent, scatter.missing.get("cv"))
    occupied = kernel.occupancy
    if occupied is None or occupied.theoretical is None:
        why = kernel.missing.get("occupancy") if occupied is None else occupied.missing.get("theoretical")
        yield "occupancy", _cell(None, percent, why)
    else:
        limiter = "" if occupied.theoretical >= 1 else f" {occupied.limiter}"
        yield "occupancy", Cell(f"{100 * occupied.theoretical:.0f}%{limiter}", occupied.theoretical)
    achieved_missing = occupied.missing.get("achieved") if occupied else kernel.missing.get("occupancy")
    yield "achieved", _cell(occupied.achieved if occupied else None, percent, achieved_missing)
    yield from _resource_cells(kernel)
    yield from _roofline_cells(kernel)


def _resource_cells(kernel: KernelProfile) -> Iterator[tuple[str, Cell]]:
    resources = kernel.resources
    if resources.arch_vgprs is None:
        yield "registers", _cell(None, str, resources.missing.get("arch_vgprs"))
    else:
        accum = "" if not resources.accum_vgprs else f"+{resources.accum_vgprs}"
        yield (
            "registers",
            Cell(f"{resources.arch_vgprs}{accum}", resources.arch_vgprs + (resources.accum_vgprs or 0)),
        )
    lds = None
    if resources.lds_static_bytes is not None:
        lds = resources.lds_static_bytes + (resources.lds_dynamic_bytes or 0)
    yield "lds", _cell(lds, lambda number: f"{number:,.0f}", resources.missing.get("lds_static_bytes"))
    spills = None
    if resources.vgpr_spills is not None or resources.sgpr_spills is not None:
        spills = (resources.vgpr_spills or 0) + (resources.sgpr_spills or 0)
    yield "spills", _cell(spills, lambda number: f"{number:.0f}", resources.missing.get("vgpr_spills"))


def _roofline_cells(kernel: KernelProfile) -> Iterator[tuple[str, Cell]]:
    roofline = kernel.roofline
    why = kernel.missing.get("roofline") if roofline is None else roofline.missing.get("bound")
    if roofline is None or roofline.bound_by is None:
        yield "bound", Cell(NOTHING, "", why)
        yield "roof", Cell(NOTHING, -1.0, why)
    else:
        yield "bound", Cell(roofline.bound_by, roofline.bound_by)
        yield "roof", _cell(roofline.share_of_roof, percent, roofline.missing.get("share_of_roof"))


def _cell(value: float | None, shown: object, why: str | None) -> Cell:
    assert callable(shown)
    return Cell(NOTHING, -1.0, why) if value is None else Cell(str(shown(value)), value)


def _facts(kernel: KernelProfile) -> Iterator[str]:
    median = "" if kernel.median_ms is None else f", median {duration(kernel.median_ms)}"
    yield f"A launch takes {duration(kernel.min_ms)} to {duration(kernel.max_ms)}{median}."
    occupied = kernel.occupancy
    if occupied and occupied.theoretical is not None:
        waves = f"{occupied.waves_per_simd or 0:g}"
        limits = ", ".join(
            f"{name} {groups}" for name, groups in sorted(occupied.limits.items(), key=lambda one: one[1])
        )
        yield (
            f"Occupancy: {waves} of {occupied.max_waves_per_simd} waves per SIMD, limited by "
            f"{occupied.limiter}; workgroups of {occupied.threads_per_block} threads per {occupied.unit} by "
            f"each limit: {limits}."
        )
        if occupied.next_step:
            yield f"Next step of occupancy: {occupied.next_step.change}."
    resources = kernel.resources
    if resources.sgprs is not None:
        scratch = resources.scratch_bytes_per_lane
        more = f", {scratch} bytes of scratch per lane" if scratch else ""
        yield f"Scalar registers: {resources.sgprs}{more}."
    if kernel.roofline and kernel.roofline.active_lane_share is not None:
        yield f"Active lanes of vector instructions: {percent(kernel.roofline.active_lane_share)}."
    if kernel.roofline:
        yield from (f"Note: {note}." for note in kernel.roofline.notes)


def _reasons(analysis: KernelAnalysis | None) -> Iterator[KernelTable]:
    if analysis is None:
        return
    found = analysis.bottleneck
    yield KernelTable(
        f"{found.label}: why (certainty {found.certainty}, {percent(found.confidence)})",
        ("evidence",),
        tuple((one.statement,) for one in found.evidence),
    )
    if analysis.headroom:
        head = analysis.headroom
        yield KernelTable(
            "Headroom",
            ("next limit", "time", "at the limit", "derivation"),
            ((head.ceiling, duration(head.time_ms), duration(head.floor_ms), head.derivation),),
        )
    if found.changes:
        yield KernelTable(
            "What would change the label",
            ("figure", "now", "at", "label then"),
            tuple((one.figure, percent(one.now), percent(one.at), one.label) for one in found.changes),
        )


def _tables(kernel: KernelProfile) -> Iterator[KernelTable]:
    if len(kernel.groups) > 1:
        yield _groups(kernel)
    if kernel.roofline:
        yield from _roofline_tables(kernel.roofline)


def _groups(kernel: KernelProfile) -> KernelTable:
    rows = [
        (
            "×".join(map(str, group.grid)),
            "×".join(map(str, group.block)),
            NOTHING if group.lds_bytes is None else f"{group.lds_bytes:,}",
            f"{group.launches:,}",
            duration(group.total_ms),
            duration(group.mean_ms),
            percent(group.occupancy.theoretical)
            if group.occupancy and group.occupancy.theoretical is not None
            else NOTHING,
        )
        for group in kernel.groups[:MOST_GROUPS]
    ]
    more = f" (the first {MOST_GROUPS} of {len(kernel.groups)})" if len(kernel.groups) > MOST_GROUPS else ""
    return KernelTable(
        f"Launches by geometry{more}",
        ("grid (work-items)", "workgroup", "LDS bytes", "calls", "total", "mean", "occupancy"),
        tuple(rows),
    )


def _roofline_tables(roofline: Roofline) -> Iterator[KernelTable]:
    if roofline.work:
        yield KernelTable(
            "Work",
            ("type", "operations", "rate", "of roof", "formula"),
            tuple(
                (
                    f"{work.unit} {work.type}",
                    f"{work.operations:,.0f}",
                    rate(work.gflops, "GOP/s" if work.type == "i8" else "GFLOP/s"),
                    NOTHING if work.share_of_ceiling is None else percent(work.share_of_ceiling),
                    work.formula,
                )
                for work in roofline.work
            ),
        )
    if roofline.traffic:
        yield KernelTable(
            "Traffic",
            ("level", "bytes", "rate", "FLOP/byte", "of roof", "formula"),
            tuple(
                (
                    moved.level + (" (at most)" if moved.upper_bound else ""),
                    f"{moved.total_bytes:,.0f}",
                    rate(moved.gbps, "GB/s"),
                    NOTHING if moved.arithmetic_intensity is None else digits(moved.arithmetic_intensity),
                    NOTHING if moved.share_of_ceiling is None else percent(moved.share_of_ceiling),
                    moved.formula,
                )
                for moved in roofline.traffic
            ),
        )
    if roofline.counters:
        rows = tuple((name, f"{value:,.0f}") for name, value in sorted(roofline.counters.items()))
        yield KernelTable(
            f"{count(len(rows), 'counter')}, sums over the launches of one run", ("counter", "value"), rows
        )


def _missing(kernel: KernelProfile) -> Iterator[tuple[str, str]]:
    yield from kernel.missing.items()
    for field in fields(kernel):
        part = getattr(kernel, field.name)
        if isinstance(part, Section):
            yield from ((f"{field.name}.{name}", why) for name, why in part.missing.items())
