"""Defects from what the virtual GPU wrote, line by line; equal ones of several dispatches are one."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from rocm_perf_lab.checking.device_lines import DeviceLines
from rocm_perf_lab.checking.host_lines import HostLines
from rocm_perf_lab.checking.request import CLASSES
from rocm_perf_lab.contracts.check import CheckedAllocation, Defect, ThreadPlace
from rocm_perf_lab.errors import BadInput


@dataclass(frozen=True)
class CheckFindings:
    started: bool  # the virtual GPU was in use at all
    defects: tuple[Defect, ...]  # by class, then in the order of the run
    notes: tuple[str, ...]  # what was not looked at


def read_findings(lines: Iterable[str], host_lines: HostLines) -> CheckFindings:
    started = False
    notes: dict[str, None] = {}
    device_lines = DeviceLines()
    found: dict[tuple[object, ...], Defect] = {}
    for line in lines:
        row = _row(line)
        if "start" in row:
            started = True
            continue
        if "note" in row:
            notes[row["note"]] = None
            continue
        defect = _defect(row, host_lines, device_lines)
        key = _key(defect)
        known = found.get(key)
        found[key] = (
            defect
            if known is None
            else replace(known, count=known.count + defect.count, dispatches=known.dispatches + 1)
        )
    order = {name: rank for rank, name in enumerate(CLASSES)}
    defects = sorted(found.values(), key=lambda defect: order[defect.defect])
    return CheckFindings(started, tuple(defects), tuple(notes))


def _row(line: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except ValueError:
        row = None
    if not isinstance(row, dict):
        raise BadInput(f"the virtual GPU wrote a line that cannot be read: {line[:80]!r}", "report it")
    return row


def _key(defect: Defect) -> tuple[object, ...]:
    """What makes two findings the same: class, kernel and instruction; of leaks, the allocation."""
    if defect.place is None:
        assert defect.allocation is not None
        return defect.defect, defect.allocation.where, defect.allocation.base
    return defect.defect, defect.kernel, defect.place.code_offset, defect.place.instruction


def _defect(row: dict[str, Any], host_lines: HostLines, device_lines: DeviceLines) -> Defect:
    other = row.get("other")
    in_kernel = row.get("kernel") is not None
    return Defect(
        defect=row["class"],
        kernel=row.get("kernel"),
        place=_place(row, device_lines) if in_kernel else None,
        other=_place(other, device_lines) if other else None,
        other_access=other["access"] if other else None,
        space=row.get("space"),
        access=row.get("access"),
        bytes=row.get("bytes"),
        address=row.get("address"),
        allocation=_allocation(row.get("allocation"), host_lines),
        explanation=row["explanation"],
        count=row["count"],
        dispatches=1 if in_kernel else 0,
        suppressed_by=None,
    )


def _place(row: dict[str, Any], device_lines: DeviceLines) -> ThreadPlace:
    return ThreadPlace(
        workgroup=tuple(row["workgroup"]),
        thread=tuple(row["thread"]),
        wave=row["wave"],
        lanes=tuple(row["lanes"]),
        source=device_lines.line_of(row.get("code_object"), row["code_offset"], row["source"]),
        instruction=row["instruction"],
        code_offset=row["code_offset"],
    )


def _allocation(row: dict[str, Any] | None, host_lines: HostLines) -> CheckedAllocation | None:
    if row is None:
        return None
    where = row["where"]
    return CheckedAllocation(
        base=row["base"],
        bytes=row["bytes"],
        kind=row["kind"],
        freed=row["freed"],
        where=host_lines.line_of(where) if where else None,
    )
