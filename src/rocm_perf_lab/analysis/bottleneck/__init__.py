"""What holds a kernel back, by rules over shares of time and capacity: the same figures, the same label."""

from .classify import classify
from .figures import BottleneckShares
from .headroom import headroom
from .thresholds import LABELS, THRESHOLDS, Thresholds

__all__ = ["LABELS", "THRESHOLDS", "BottleneckShares", "Thresholds", "classify", "headroom"]
