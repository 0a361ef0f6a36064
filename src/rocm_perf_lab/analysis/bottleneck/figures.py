"""The shares that labels are given by."""

from __future__ import annotations

from dataclasses import dataclass, fields


@dataclass(frozen=True, kw_only=True)
class BottleneckShares:
    """Each from 0 to 1, None where it is not known. The meaning is in contracts.profiling.bottleneck."""

    memory: float | None = None
    compute: float | None = None
    lanes: float | None = None
    lds: float | None = None
    issue: float | None = None
    occupied: float | None = None
    waiting: float | None = None
    outside: float | None = None

    def __post_init__(self) -> None:
        for name in NAMES:
            value = getattr(self, name)
            if value is not None and not 0 <= value <= 1:
                raise ValueError(f"{name} is a share from 0 to 1, not {value}")

    @property
    def known(self) -> dict[str, float]:
        return {name: value for name in NAMES if (value := getattr(self, name)) is not None}

    @property
    def busiest(self) -> tuple[float, str] | None:
        """The unit of which most is used."""
        used = [(value, name) for name in UNITS if (value := getattr(self, name)) is not None]
        return max(used) if used else None


NAMES = tuple(field.name for field in fields(BottleneckShares))
# Figures of units that can be used up.
UNITS = ("memory", "compute", "lds", "issue")
