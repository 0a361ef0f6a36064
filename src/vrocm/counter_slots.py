"""How many counters each hardware block of a GPU can keep at the same time."""

from __future__ import annotations

from collections.abc import Mapping

from . import data


def counter_slots(architecture: str) -> Mapping[str, int]:
    """Counters that one instance of each block can keep at the same time.

    They are the same from gfx906 to gfx950: one that has no file gets those of gfx942.
    """
    known = data.architectures()
    return known.get(architecture, known["gfx942"]).counter_slots


SLOTS = counter_slots("gfx942")
