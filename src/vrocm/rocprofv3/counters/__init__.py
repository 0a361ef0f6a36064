"""Hardware counters: which there are, what they are made of, and how many fit in one run.

``table.json`` has a row for every counter of every architecture. A hardware counter is an expression
(``counts``) over what the virtual GPU counts for a dispatch (native/sim/counters), a derived one over other
counters. A counter that the model cannot give says why (``unavailable``).
"""

from .catalogue import Catalogue, Counter, load
from .groups import check_group

__all__ = ["Catalogue", "Counter", "check_group", "load"]
