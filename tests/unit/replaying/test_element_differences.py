"""Differences of buffers against a loop over elements; NaN, infinities, tolerances, structures."""

from __future__ import annotations

import itertools
import math
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocm_perf_lab.capturing.element_layout import ElementLayout, Field, layout_of, scalar_of
from rocm_perf_lab.replaying.memory.element_differences import ElementDifferences
from rocm_perf_lab.replaying.memory.tolerance import Tolerance

VALUES = st.one_of(
    st.floats(width=32), st.sampled_from([0.0, -0.0, 1.0, 1.0000001, math.nan, math.inf, -math.inf])
)


def compared(
    type_name: str, expected: bytes, got: bytes, tolerance: Tolerance, cuts: tuple[int, ...] = ()
) -> ElementDifferences:
    layout = layout_of(type_name)
    assert layout is not None
    result = ElementDifferences(layout, tolerance)
    edges = [0, *sorted(cuts), len(expected) // layout.stride]
    for low, high in itertools.pairwise(edges):
        part = slice(low * layout.stride, high * layout.stride)
        result.add(low, np.frombuffer(expected[part], np.uint8), np.frombuffer(got[part], np.uint8))
    return result


@given(
    st.lists(st.tuples(VALUES, VALUES, st.booleans()), min_size=1, max_size=30),
    st.sampled_from([0.0, 1e-6, 0.5]),
    st.sampled_from([0.0, 1e-3]),
    st.integers(0, 30),
)
def test_floats_against_a_loop(
    pairs: list[tuple[float, float, bool]], rtol: float, atol: float, cut: int
) -> None:
    expected = b"".join(struct.pack("<f", one) for one, _, _ in pairs)
    got = b"".join(struct.pack("<f", one if same else other) for one, other, same in pairs)
    found = compared("float", expected, got, Tolerance(rtol, atol), (min(cut, len(pairs)),))
    wanted_rows = np.frombuffer(expected, "<f4").astype(np.float64)
    got_rows = np.frombuffer(got, "<f4").astype(np.float64)
    differing, beyond, errors = [], [], []
    for index, (e, g) in enumerate(zip(wanted_rows.tolist(), got_rows.tolist(), strict=True)):
        if expected[4 * index : 4 * index + 4] == got[4 * index : 4 * index + 4]:
            continue
        differing.append(index)
        if math.isfinite(e) and math.isfinite(g):
            errors.append(abs(e - g))
        if rtol == atol == 0:
            fine = False
        elif math.isnan(e) or math.isnan(g):
            fine = math.isnan(e) and math.isnan(g)
        elif math.isinf(e) or math.isinf(g):
            fine = e == g
        else:
            fine = abs(e - g) <= atol + rtol * abs(e)
        if not fine:
            beyond.append(index)
    assert found.differing_elements == len(differing)
    assert found.beyond_tolerance == len(beyond)
    assert (found.first.index if found.first else None) == (beyond[0] if beyond else None)
    assert found.max_abs_error == (max(errors) if errors else None)


@given(st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1, max_size=10), st.integers(0, 9))
def test_integers_are_exact_whatever_is_allowed(values: list[int], place: int) -> None:
    place %= len(values)
    other = list(values)
    other[place] ^= 1
    expected, got = (struct.pack(f"<{len(values)}q", *side) for side in (values, other))
    found = compared("long", expected, got, Tolerance(1.0, 1e30))
    assert found.beyond_tolerance == 1
    assert found.first is not None
    assert (found.first.index, found.first.expected, found.first.got) == (
        place,
        str(values[place]),
        str(other[place]),
    )


def test_a_structure_names_its_field_and_padding_means_nothing() -> None:
    number, whole = scalar_of("float"), scalar_of("int")
    assert number is not None
    assert whole is not None
    layout = ElementLayout("Body", 12, (Field(".mass", 0, number), Field(".id", 8, whole)))
    pack = struct.Struct("<f4si").pack
    expected = pack(1.0, b"aaaa", 7) + pack(2.0, b"bbbb", 8)
    got = pack(1.0, b"cccc", 7) + pack(2.0, b"bbbb", 9)
    result = ElementDifferences(layout, Tolerance())
    result.add(10, np.frombuffer(expected, np.uint8), np.frombuffer(got, np.uint8))
    assert (result.differing_elements, result.differing_bytes) == (1, 5)
    assert result.first is not None
    assert (result.first.index, result.first.field, result.first.expected, result.first.got) == (
        11,
        ".id",
        "8",
        "9",
    )


def test_nan_that_appears() -> None:
    expected, got = struct.pack("<2f", 1.0, math.nan), struct.pack("<2f", math.nan, math.nan)
    found = compared("float", expected, got, Tolerance(0.1, 0.1))
    assert (found.nan_changes, found.beyond_tolerance, found.max_abs_error) == (1, 1, None)
    assert found.first is not None
    assert found.first.got == "nan"


@pytest.mark.parametrize("type_name", ["double", "__half", "__hip_bfloat16"])
def test_other_widths(type_name: str) -> None:
    layout = layout_of(type_name)
    assert layout is not None
    one = {"double": struct.pack("<d", 1.0), "__half": struct.pack("<e", 1.0)}.get(type_name, b"\x80\x3f")
    next_up = (int.from_bytes(one, "little") + 1).to_bytes(layout.stride, "little")
    found = compared(type_name, one, next_up, Tolerance())
    assert found.max_rel_error == layout.fields[0].scalar.epsilon
    assert found.beyond_tolerance == 1
    assert (
        compared(type_name, one, next_up, Tolerance(layout.fields[0].scalar.epsilon, 0)).beyond_tolerance == 0
    )


def test_errors_stay_finite() -> None:
    expected, got = struct.pack("<d", 1.7e308), struct.pack("<d", -1.7e308)
    found = compared("double", expected, got, Tolerance())
    assert found.max_abs_error is not None
    assert math.isfinite(found.max_abs_error)
