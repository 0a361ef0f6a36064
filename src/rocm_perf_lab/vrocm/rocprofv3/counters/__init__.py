"""Hardware counters: which there are, on which block, and how many fit in one run.

Each architecture is a JSON file beside this one::

    {"counters": [{"name": "SQ_WAVES", "block": "SQ", "description": "…"},
                  {"name": "FETCH_SIZE", "expression": "(TCC_EA0_RDREQ_sum*64)/1024", "description": "…"}]}

A counter with an expression is derived from others and occupies their slots.
"""

from .catalogue import Catalogue, Counter, load
from .groups import check_group

__all__ = ["Catalogue", "Counter", "check_group", "load"]
