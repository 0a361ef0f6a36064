"""Where labels begin. All thresholds are in this table."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Thresholds:
    """Chosen; none is measured. A unit that is used above its threshold holds the kernel back."""

    memory: float = 0.6  # of the nearest memory ceiling; copies reach about 0.7 of a data sheet's
    compute: float = 0.6  # of the time of the SIMDs
    lds: float = 0.6  # of the time of the compute units
    issue: float = 0.6  # of the scalar or branch slots of the SIMDs
    lanes: float = 0.5  # below: more than half of the vector work is done for lanes that are switched off
    occupied: float = 0.3  # below: too few waves to hide what each of them waits for
    waiting: float = 0.5  # of the waves' time
    outside: float = 0.5  # of the time of a launch
    # What is said where neither memory nor compute was counted, unless another label scores higher.
    unknown: float = 0.5
    # A lead of so much makes the confidence full, if all figures are known.
    clear_margin: float = 0.3
    # A lead below this can be noise of 1 % in every figure: see docs/how-it-works/bottleneck.md.
    noise_margin: float = 0.06
    # Words for the confidence.
    high: float = 0.7
    medium: float = 0.4


THRESHOLDS = Thresholds()
