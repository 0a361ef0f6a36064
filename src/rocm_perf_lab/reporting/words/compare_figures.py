"""What a comparison says of a row, in the words that terminal, Markdown and JUnit share."""

from __future__ import annotations

from rocm_perf_lab.contracts.profiling.comparison import KernelComparison, ResourceChange, TimeComparison
from rocm_perf_lab.reporting.words.figures import digits

_SHORT = {
    "arch_vgprs": "VGPRs",
    "accum_vgprs": "AGPRs",
    "sgprs": "SGPRs",
    "scratch_bytes_per_lane": "scratch bytes",
    "vgpr_spills": "VGPR spills",
    "sgpr_spills": "SGPR spills",
    "code_bytes": "code bytes",
    "lds_bytes": "LDS bytes",
    "theoretical_occupancy": "occupancy",
    "achieved_occupancy": "achieved occupancy",
}
# Counters of two runs differ a little in what was achieved; less than this is not worth a line. Chosen.
_ACHIEVED_CHANGE = 0.01


def change(time: TimeComparison) -> str:
    """+3.1%: longer."""
    return "" if time.ratio is None else f"{100 * (time.ratio - 1):+.1f}%"


def interval(time: TimeComparison) -> str:
    if time.interval_low is None or time.interval_high is None:
        return ""
    if time.exact:
        return "exact"
    return f"{100 * (time.interval_low - 1):+.1f}% to {100 * (time.interval_high - 1):+.1f}%"


def verdict(kernel: KernelComparison) -> str:
    return kernel.time.verdict if kernel.time else kernel.status


def resource_changes(kernel: KernelComparison) -> list[str]:
    """What differs: ``VGPRs 32 -> 48``."""
    return [_resource(one) for one in kernel.resources if one.changed and _worth_it(one)]


def _worth_it(one: ResourceChange) -> bool:
    if one.name != "achieved_occupancy" or one.base is None or one.new is None:
        return True
    return abs(one.new - one.base) >= _ACHIEVED_CHANGE


def _resource(one: ResourceChange) -> str:
    return f"{_SHORT.get(one.name, one.name)} {_value(one.name, one.base)} -> {_value(one.name, one.new)}"


def _value(name: str, value: float | None) -> str:
    if value is None:
        return "unknown"
    if name.endswith("occupancy"):
        return f"{100 * value:.0f}%" if value >= 0.1 else f"{digits(100 * value)}%"
    return f"{value:g}" if value < 1e6 else f"{value:.0f}"
