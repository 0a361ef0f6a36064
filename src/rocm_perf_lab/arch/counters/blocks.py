"""Hardware blocks that count, and how many counters each can keep at the same time."""

from __future__ import annotations

from vrocm.counter_slots import SLOTS as _GFX9_SLOTS
from vrocm.counter_slots import counter_slots

# RDNA: no published figures were found. One at a time is always legal, and costs runs instead of errors.
_RDNA_SLOTS = dict.fromkeys(("SQ", "TA", "TD", "TCP", "GL1C", "GL2C", "GCEA", "CPC", "CPF", "SPI", "GRBM"), 1)
# The instruction and scalar caches (SQC) count with the slots of their SQ.
_SHARED = {"SQC": "SQ"}
# Blocks with many instances: the name with this ending is their sum.
_SUMMED = frozenset(("TA", "TD", "TCP", "TCC", "GL1C", "GL2C"))


def block_slots(architecture: str) -> dict[str, int]:
    """For each hardware block: how many counters one run of a program can take from it."""
    return dict(counter_slots(architecture) if architecture.startswith("gfx9") else _RDNA_SLOTS)


def block_of(counter: str) -> str:
    """The block that keeps a counter; empty for one that is derived from others (``FETCH_SIZE``)."""
    prefix = counter.partition("_")[0]
    block = _SHARED.get(prefix, prefix)
    return block if block in _GFX9_SLOTS or block in _RDNA_SLOTS else ""


def summed(counter: str) -> str:
    """The name under which the tracer gives the sum over all instances of the counter's block."""
    return f"{counter}_sum" if block_of(counter) in _SUMMED else counter
