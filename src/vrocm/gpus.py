"""The GPUs that the virtual ROCm can stand for."""

from __future__ import annotations

from dataclasses import dataclass

from . import data


@dataclass(frozen=True)
class Device:
    name: str
    """What the variable ``VROCM_DEVICE`` calls it."""
    architecture: str


def devices() -> tuple[Device, ...]:
    """The GPUs that ``VROCM_DEVICE`` can name; the first is the one that there is without it."""
    return tuple(Device(gpu.name, gpu.architecture.name) for gpu in data.gpus().values())
