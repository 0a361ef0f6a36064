"""Where a kernel stands under its device's ceilings: work and traffic from counters, time from traces."""

from .ceilings import ceilings, unexplained_ceilings
from .counted import TimedLaunches
from .place import roofline
from .wanted import wanted_counters

__all__ = ["TimedLaunches", "ceilings", "roofline", "unexplained_ceilings", "wanted_counters"]
