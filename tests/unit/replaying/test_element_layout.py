"""Types by name, and how values are shown."""

from __future__ import annotations

import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocm_perf_lab.capturing.element_layout import Scalar, layout_of, numbers, scalar_of, shown


@pytest.mark.parametrize(
    ("name", "kind", "size"),
    [
        ("float", "float", 4),
        ("double const", "float", 8),
        ("const __half", "float", 2),
        ("_Float16", "float", 2),
        ("__hip_bfloat16", "bfloat", 2),
        ("unsigned long volatile", "unsigned", 8),
        ("uint8_t", "unsigned", 1),
        ("long long", "signed", 8),
        ("float*", "pointer", 8),
        ("Node const*", "pointer", 8),
    ],
)
def test_scalars(name: str, kind: str, size: int) -> None:
    layout = layout_of(name)
    assert layout is not None
    (field,) = layout.fields
    assert (field.scalar.kind, field.scalar.size, layout.stride, field.path) == (kind, size, size, "")


@pytest.mark.parametrize(
    ("name", "stride", "paths"),
    [
        ("HIP_vector_type<float, 4u>", 16, [".x", ".y", ".z", ".w"]),
        ("HIP_vector_type<double, 2u> const", 16, [".x", ".y"]),
        ("float3", 12, [".x", ".y", ".z"]),
        ("uchar4", 4, [".x", ".y", ".z", ".w"]),
        ("__half2", 4, [".x", ".y"]),
        ("hipDoubleComplex", 16, [".x", ".y"]),
    ],
)
def test_vectors(name: str, stride: int, paths: list[str]) -> None:
    layout = layout_of(name)
    assert layout is not None
    assert layout.stride == stride
    assert [field.path for field in layout.fields] == paths
    assert [field.offset for field in layout.fields] == [
        index * stride // len(paths) for index in range(len(paths))
    ]


@pytest.mark.parametrize("name", ["Node", "void", "std::complex<float>", "T", ""])
def test_names_that_do_not_tell(name: str) -> None:
    assert layout_of(name) is None


@given(st.floats(width=32))
def test_floats_are_shown_with_enough_digits(value: float) -> None:
    scalar = scalar_of("float")
    assert scalar is not None
    raw = struct.pack("<f", value)
    assert struct.pack("<f", float(shown(scalar, raw))) == raw or value != value


@given(st.integers(0, 0xFFFF))
def test_bfloat_is_the_upper_half_of_a_float(bits: int) -> None:
    scalar = Scalar("__hip_bfloat16", "bfloat", 2)
    (value,) = numbers(scalar, np.frombuffer(struct.pack("<H", bits), np.uint8)[None, :])
    (expected,) = struct.unpack("<f", struct.pack("<I", bits << 16))
    assert value == expected or (value != value and expected != expected)


def test_other_values_are_shown() -> None:
    assert shown(Scalar("int", "signed", 4), b"\xff\xff\xff\xff") == "-1"
    assert shown(Scalar("unsigned long", "unsigned", 8), b"\xff" * 8) == str(2**64 - 1)
    assert shown(Scalar("Node*", "pointer", 8), struct.pack("<Q", 0x7F0000001000)) == "0x00007f0000001000"
    assert shown(Scalar("byte", "raw", 1), b"\x0a") == "0x0a"
