"""Which roof is nearest: what the kernel would have to wait for if everything else were free."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from rocm_perf_lab.contracts.profiling.roofline import Traffic, Work

# Below this share of the nearest roof it is latency, launch overhead or too little parallel work that costs
# the time, whichever roof is nearest. Chosen.
FAR_FROM_ROOF = 0.1


@dataclass(frozen=True)
class RooflineVerdict:
    bound: Literal["compute", "memory"]
    bound_by: str
    share: float
    notes: tuple[str, ...]


def verdict(
    work: Sequence[Work], traffic: Sequence[Traffic], suspect: Collection[str], missing: Collection[str]
) -> RooflineVerdict | str:
    """The nearest roof, or why none can be named. ``suspect`` and ``missing`` hold names of figures."""
    obstacle = _obstacle(work, traffic, suspect, missing)
    if obstacle:
        return obstacle
    usable = [one for one in traffic if f"traffic {one.level}" not in suspect and not one.upper_bound]
    candidates: list[tuple[float, Literal["compute", "memory"], str]] = [
        (one.share_of_ceiling, "memory", one.ceiling)
        for one in usable
        if one.share_of_ceiling is not None and one.ceiling is not None
    ]
    for unit in ("valu", "mfma"):
        shares = [
            (one.share_of_ceiling, one.ceiling)
            for one in work
            if one.unit == unit and one.share_of_ceiling is not None and one.ceiling is not None
        ]
        if shares:
            candidates.append((sum(share for share, _ in shares), "compute", max(shares)[1]))
    share, bound, name = max(candidates)
    if share > 1:
        return f"the types of work on one pipe add up to {share:.2f} of its peak rates"
    return RooflineVerdict(bound, name, share, tuple(_notes(share, usable)))


def _obstacle(
    work: Sequence[Work], traffic: Sequence[Traffic], suspect: Collection[str], missing: Collection[str]
) -> str | None:
    if "launches" in suspect:
        return "counter passes and timing runs did not launch the kernel equally often"
    memory = next((one for one in traffic if one.level == "hbm"), None)
    if memory is None:
        return "the traffic to memory is not known"
    doubtful = sorted(name for name in suspect if name == "traffic hbm" or name.startswith("work "))
    if doubtful:
        return f"suspect: {', '.join(doubtful)}"
    if any(name.startswith("work") for name in missing):
        return (
            f"not all work was counted: {', '.join(sorted(one for one in missing if one.startswith('work')))}"
        )
    without = [f"{one.unit} {one.type}" for one in work if one.share_of_ceiling is None]
    if memory.share_of_ceiling is None:
        without.append("hbm")
    return f"no ceiling is known for: {', '.join(without)}" if without else None


def _notes(share: float, usable: Sequence[Traffic]) -> list[str]:
    notes = []
    absent = [level for level in ("lds", "l2") if level not in {one.level for one in usable}]
    if absent:
        notes.append(f"the nearest roof was looked for without: {', '.join(absent)}")
    if share < FAR_FROM_ROOF:
        notes.append(
            f"at {share:.1%} of the nearest roof the time goes to latency, launch overhead or too few waves"
        )
    return notes
