"""Every function of one or two variables stays within its bound, with exact and with coarse hardware."""

from __future__ import annotations

import accuracy
import pytest
from host_library import DeviceMath
from references import BINARY, UNARY

# Two ulp in f32 for these, four for the rest. Correctly rounded ones have half an ulp.
TIGHT = {"exp", "log", "sqrt", "sin", "cos", "pow"}
SAMPLES = 120


def bound(name: str, kind: str) -> float:
    if name == "sqrt":
        return 0.5
    return 2.0 if name in TIGHT and kind == "f32" else 4.0


@pytest.mark.parametrize("kind", ["f32", "f64"])
@pytest.mark.parametrize("name", sorted(UNARY))
def test_unary(device_math: DeviceMath, name: str, kind: str) -> None:
    for hardware, worst in accuracy.unary_worst(device_math, name, kind, SAMPLES).items():
        assert worst.error <= bound(name, kind), (name, kind, hardware, worst)


@pytest.mark.parametrize("kind", ["f32", "f64"])
@pytest.mark.parametrize("name", sorted(BINARY))
def test_binary(device_math: DeviceMath, name: str, kind: str) -> None:
    for hardware, worst in accuracy.binary_worst(device_math, name, kind, SAMPLES).items():
        assert worst.error <= bound(name, kind), (name, kind, hardware, worst)
