"""Hardware counters: how many fit into one run, and what work and traffic follow from them."""

from .blocks import block_of, block_slots
from .formula import Formula, MissingCounters, Part, total_of, value_of
from .lanes import ACTIVE_LANE_COUNTERS
from .traffic import LevelTraffic, traffic_formulas
from .work import WorkFormula, uncounted_work, valu_width, work_formulas

__all__ = [
    "ACTIVE_LANE_COUNTERS",
    "Formula",
    "LevelTraffic",
    "MissingCounters",
    "Part",
    "WorkFormula",
    "block_of",
    "block_slots",
    "total_of",
    "traffic_formulas",
    "uncounted_work",
    "valu_width",
    "value_of",
    "work_formulas",
]
