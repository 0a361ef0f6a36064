"""Which GPU the program will see."""

from __future__ import annotations

import os

from .errors import Refused

# VROCM_DEVICE -> architecture (native/sim/gpu_model.cpp).
ARCHITECTURES = {"MI300X": "gfx942", "MI325X": "gfx942", "MI300A": "gfx942", "MI250X": "gfx90a"}


def architecture() -> str:
    asked = os.environ.get("VROCM_DEVICE") or "MI300X"
    found = ARCHITECTURES.get(asked.upper())
    if not found:
        raise Refused(f"VROCM_DEVICE={asked} is not a known GPU; known are {', '.join(ARCHITECTURES)}")
    return found


def count() -> int:
    value = os.environ.get("VROCM_DEVICES", "1")
    return max(1, int(value)) if value.isdigit() else 1
