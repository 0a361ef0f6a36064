"""The GPUs that the virtual ROCm can stand for."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Device:
    name: str
    """What the variable ``VROCM_DEVICE`` calls it."""
    architecture: str


def devices() -> tuple[Device, ...]:
    """The GPUs that ``VROCM_DEVICE`` can name; the first is the one that there is without it."""
    # native/sim/gpu_model.cpp
    return (
        Device("MI300X", "gfx942"),
        Device("MI325X", "gfx942"),
        Device("MI300A", "gfx942"),
        Device("MI250X", "gfx90a"),
    )
