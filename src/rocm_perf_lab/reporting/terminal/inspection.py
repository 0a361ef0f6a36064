"""What is in a capture, for a terminal: kernel, arguments and the memory they lead to, regions, verdict."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from rocm_perf_lab.contracts.captures.inspection import (
    Changes,
    InspectedArgument,
    InspectedRegion,
    InspectionDocument,
    PointedBuffer,
)
from rocm_perf_lab.reporting.terminal.capture import (
    KINDS,
    WIDTH,
    head,
    labelled,
    memory,
    text,
    told,
)
from rocm_perf_lab.reporting.words.figures import byte_size, count, cut_middle, percent

MOST_REGIONS = 12
MOST_RANGES = 3
MOST_ITEMS = 8
MOST_VALUE_LINES = 4
_INDENT = 6
# Hidden arguments that repeat what the packet says.
_GEOMETRY = tuple(
    f"hidden_{name}"
    for name in ("block_count", "group_size", "remainder", "global_offset", "grid_dims", "none")
)


def render(document: InspectionDocument, width: int = WIDTH) -> str:
    lines = [
        *head(document.capture, width),
        *_resources(document, width),
        *_verdict(document, width),
        "",
        *_arguments(document, width),
        "",
        *memory(document.capture),
        "",
        *_regions(document),
        "",
        *labelled("kept", _kept(document), width),
    ]
    for warning in document.warnings:
        lines += labelled("warning", warning, width)
    return text(lines, width)


def _kept(document: InspectionDocument) -> str:
    checked = "every checksum is right" if document.verified else "checksums of memory not looked at"
    size = byte_size(document.capture.folder_bytes)
    return f"{document.folder} ({size}, format {document.format_version}; {checked})"


def _resources(document: InspectionDocument, width: int) -> list[str]:
    of, occupied = document.resources, document.occupancy
    if of is None:
        return labelled("registers", f"not known: {document.missing['resources']}", width)
    parts = [
        f"{of.arch_vgprs} VGPRs" if of.arch_vgprs is not None else "",
        f"{of.accum_vgprs} AGPRs" if of.accum_vgprs else "",
        f"{of.sgprs} SGPRs" if of.sgprs is not None else "",
        f"LDS {byte_size((of.lds_static_bytes or 0) + (of.lds_dynamic_bytes or 0))}",
        f"scratch {byte_size(of.scratch_bytes_per_lane)} a lane" if of.scratch_bytes_per_lane else "",
        f"{of.vgpr_spills} VGPRs spilled" if of.vgpr_spills else "",
    ]
    if occupied is not None and occupied.theoretical is not None:
        by = "" if occupied.theoretical >= 1 else f", limited by {occupied.limiter}"
        parts.append(f"occupancy {percent(occupied.theoretical)}{by}")
    return labelled("registers", ", ".join(part for part in parts if part), width)


def _verdict(document: InspectionDocument, width: int) -> list[str]:
    of = document.capture.verdict
    counted = ", ".join(f"{number} {outcome}" for outcome, number in of.outcomes.items() if number)
    state = "complete" if of.complete else "NOT COMPLETE, and so not replayable"
    lines = labelled("verdict", f"{state} ({counted})" if counted else state, width)
    telling = [item for item in document.verdict if item.outcome != "captured" or item.reason]
    telling.sort(key=lambda item: ("refused", "left out", "rebound", "captured").index(item.outcome))
    for item in telling[:MOST_ITEMS]:
        lines += labelled("", told(item), width)
    if len(telling) > MOST_ITEMS:
        lines += labelled("", f"and {len(telling) - MOST_ITEMS} more (--json has all)", width)
    return lines


def _arguments(document: InspectionDocument, width: int) -> list[str]:
    explicit = [one for one in document.arguments if not one.hidden]
    if not explicit:
        return ["arguments  none"]
    lines = ["arguments"]
    for argument in explicit:
        lines += _argument(argument, width)
    return [*lines, *_hidden([one for one in document.arguments if one.hidden], width)]


def _argument(argument: InspectedArgument, width: int) -> list[str]:
    name = f" {argument.name}" if argument.name else ""
    typed = argument.type or f"({argument.size} bytes, {argument.value_kind})"
    indent = " " * _INDENT
    lines = textwrap.wrap(
        f"{cut_middle(typed + name, width // 2)} = {argument.value}",
        width,
        initial_indent=f"{argument.index:>4}  ",
        subsequent_indent=indent,
    )
    if len(lines) > MOST_VALUE_LINES:
        lines = [*lines[: MOST_VALUE_LINES - 1], indent + "…"]
    if argument.buffer is not None:
        lines += [
            " " * _INDENT + line
            for line in textwrap.wrap(_buffer(argument, argument.buffer), width - _INDENT)
        ]
    elif "buffer" in argument.missing and argument.value_kind == "global_buffer":
        lines.append(indent + argument.missing["buffer"])
    return lines


def _buffer(argument: InspectedArgument, buffer: PointedBuffer) -> str:
    elements = ""
    if buffer.elements is not None and argument.element_type:
        elements = f" = {buffer.elements} {argument.element_type.removesuffix(' const')}"
    inside = f" from byte {buffer.offset} of its region" if buffer.offset else ""
    changed = changes(buffer.changes) if buffer.changes else buffer.missing["changes"]
    return f"{KINDS[buffer.kind]}, {byte_size(buffer.bytes)}{elements}{inside}; {changed}"


def changes(of: Changes) -> str:
    if not of.bytes:
        return "unchanged"
    shown = [f"{one.offset} to {one.offset + one.bytes - 1}" for one in of.ranges[:MOST_RANGES]]
    more = of.ranges_in_all - len(shown)
    return (
        f"{byte_size(of.bytes)} changed, within {'bytes' if of.bytes > 1 else 'byte'} {', '.join(shown)}"
        + (f" and {count(more, 'range')} more" if more else "")
    )


def _hidden(hidden: Sequence[InspectedArgument], width: int) -> list[str]:
    telling = [one for one in hidden if not one.value_kind.startswith(_GEOMETRY)]
    if not telling:
        return []
    shown = ", ".join(f"{one.value_kind.removeprefix('hidden_')} {one.value}" for one in telling)
    return textwrap.wrap(
        f"hidden: {shown}", width, initial_indent=" " * _INDENT, subsequent_indent=" " * _INDENT
    )


def _regions(document: InspectionDocument) -> list[str]:
    regions = sorted(document.regions, key=_weight, reverse=True)
    head_line = f"{'region':<16}{'kind':<17}{'bytes':>11}{'stored':>11}{'changed':>11}  arguments"
    lines = [head_line, *(_region(one) for one in regions[:MOST_REGIONS])]
    if len(regions) > MOST_REGIONS:
        lines.append(f"and {count(len(regions) - MOST_REGIONS, 'region')} more (--json has all)")
    return lines


def _weight(region: InspectedRegion) -> tuple[bool, int, int]:
    """Those that matter first: what arguments point into, then what changed, then size."""
    return bool(region.arguments), region.changes.bytes if region.changes else 0, region.bytes


def _region(region: InspectedRegion) -> str:
    changed = "alias" if region.changes is None else byte_size(region.changes.bytes)
    arguments = ", ".join(str(index) for index in region.arguments)
    return (
        f"{region.base:<16}{KINDS[region.kind]:<17}{byte_size(region.bytes):>11}"
        f"{byte_size(region.stored_bytes):>11}{changed:>11}  {arguments}"
    )
