"""Which counters go together in one execution of the program: groups that hardware can keep."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from rocm_perf_lab.arch.counters import block_of, block_slots

# rocprofv3 --list-avail lists counters in three ways, from one release to another: a block of lines for each
# that names it, or that begins with its GPU (ROCm 6); or the names alone, in columns below "PMC:". "Name:" by
# itself is a GPU's. docs/guide/hardware.md has the sources.
_LISTED = re.compile(
    r"^(?:[ \t]*(?:Counter_Name|counter_name)[ \t]*:|gpu-agent:\d+\nName:)[ \t]*(\w+)[ \t]*$", re.MULTILINE
)
_COLUMNS = re.compile(r"^PMC[ \t]*:[ \t]*\n((?:[ \t\w]*(?:\n|\Z))*)", re.MULTILINE)
_NOT_AVAILABLE = re.compile(r"^\s*Not available\s*:\s*(.+?)\s*$", re.MULTILINE)

NOT_OFFERED = "rocprofv3 does not list it for this device"


@dataclass(frozen=True)
class CounterPlan:
    groups: tuple[tuple[str, ...], ...]
    dropped: dict[str, str]
    """Counter -> why it is not collected."""


def plan_counters(wanted: Iterable[str], architecture: str, offered: Mapping[str, str] | None) -> CounterPlan:
    """Packs the counters that the device offers into legal groups.

    ``offered``: counter -> reason why it cannot be had, empty where it can; None when the device did not
    tell, and then all are tried.
    """
    available, dropped = [], {}
    for counter in dict.fromkeys(wanted):
        reason = "" if offered is None else offered.get(counter, NOT_OFFERED)
        if reason:
            dropped[counter] = reason
        else:
            available.append(counter)
    return CounterPlan(pack(available, block_slots(architecture)), dropped)


def pack(counters: Sequence[str], slots: Mapping[str, int]) -> tuple[tuple[str, ...], ...]:
    """Groups of which each takes no more of a block than it has slots: every counter goes to the first group
    with room, so that those that are wanted together stay together where they can.

    A counter that is derived from others takes slots that its name does not tell; it gets a group of its own.
    """
    groups: list[list[str]] = []
    used: list[dict[str, int] | None] = []  # None: closed
    for counter in counters:
        block = block_of(counter)
        if not block:
            groups.append([counter])
            used.append(None)
            continue
        for group, taken in zip(groups, used, strict=True):
            if taken is not None and taken.get(block, 0) < slots.get(block, 1):
                group.append(counter)
                taken[block] = taken.get(block, 0) + 1
                break
        else:
            groups.append([counter])
            used.append({block: 1})
    return tuple(tuple(group) for group in groups)


def halves(group: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """A refused group in two, to be tried again."""
    middle = (len(group) + 1) // 2
    return tuple(group[:middle]), tuple(group[middle:])


def parse_available(text: str) -> dict[str, str] | None:
    """The counters that ``rocprofv3 --list-avail`` names, with the reason where one cannot be had."""
    found = list(_LISTED.finditer(text))
    offered = {}
    for index, match in enumerate(found):
        end = found[index + 1].start() if index + 1 < len(found) else len(text)
        reason = _NOT_AVAILABLE.search(text, match.end(), end)
        offered[match[1]] = reason[1] if reason else ""
    for columns in _COLUMNS.findall(text):
        offered.update(dict.fromkeys(columns.split(), ""))
    return offered or None
