"""Which GPU the program will see."""

from __future__ import annotations

import os

from ..gpus import devices
from .errors import RequestRefused


def architecture() -> str:
    known = {device.name: device.architecture for device in devices()}
    asked = os.environ.get("VROCM_DEVICE") or next(iter(known))
    found = {name.upper(): architecture for name, architecture in known.items()}.get(asked.upper())
    if not found:
        raise RequestRefused(f"VROCM_DEVICE={asked} is not a known GPU; known are {', '.join(known)}")
    return found


def count() -> int:
    value = os.environ.get("VROCM_DEVICES", "1")
    return max(1, int(value)) if value.isdigit() else 1
