"""What holds a kernel back, by rules over shares of time and capacity: the same figures, the same label."""

from .classify import classify
from .figures import BottleneckShares
from .headroom import headroom
from .labels import LABELS, RULES, UNKNOWN
from .thresholds import THRESHOLDS, Thresholds

__all__ = [
    "LABELS",
    "RULES",
    "THRESHOLDS",
    "UNKNOWN",
    "BottleneckShares",
    "Thresholds",
    "classify",
    "headroom",
]
