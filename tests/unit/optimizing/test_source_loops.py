"""Loops of a kernel: all of them, their nesting, and how often they run where that is known."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rocm_perf_lab.optimizing.source.constants import evaluate
from rocm_perf_lab.optimizing.source.counted import trips
from rocm_perf_lab.optimizing.source.parse import of_type, parse

BEFORE = """
constexpr int kTile = 16, kHalf = kTile / 2;
#define WIDTH (kTile * 4)
enum { kFirst = 3, kSecond };
"""


def test_nesting_and_numbers(kernel) -> None:
    found = kernel("""
        for (int i = 0; i < n; ++i) {       // for (int x = 0; x < 1; ++x)
            while (n) { do { --n; } while (n > 3); }
            for (float v : {1.f, 2.f}) out[i] += v;
        }
        const char* s = "for (;;) {}";
        if (n) for (;;) break;
    """)
    assert [(loop.kind, loop.depth, loop.parent) for loop in found.loops] == [
        ("for", 0, None),
        ("while", 1, 0),
        ("do", 2, 1),
        ("range", 1, 0),
        ("for", 0, None),
    ]
    assert found.loops[0].header == "for (int i = 0; i < n; ++i)"
    assert found.loops[0].line == 5
    assert found.loops[0].last_line == 8


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("for (int i = 0; i < 10; ++i)", 10),
        ("for (int i = 0; i < 10; i += 3)", 4),
        ("for (int i = 0; i <= 9; i = i + 3)", 4),
        ("for (int i = 9; i >= 0; --i)", 10),
        ("for (unsigned i = 8; i > 0; i -= 2)", 4),
        ("for (int i = 0; kTile > i; i++)", 16),
        ("for (int i = kFirst; i < kSecond + kHalf; ++i)", 9),
        ("for (int i = 0; i < WIDTH / 2; i += 0x4)", 8),
        ("for (int i = 5; i < 3; ++i)", 0),
        ("for (int i = 0; i < n; ++i)", None),
        ("for (int i = 8; i > 0; i /= 2)", None),
        ("for (int i = 0; i != 8; ++i)", None),
        ("for (int i = 0; i < 8; i += 0)", None),
        ("for (int i = 0; i < kLocal; ++i)", 7),
        ("for (int i = 0; i < kHidden; ++i)", None),
    ],
)
def test_trip_counts(kernel, head: str, expected: int | None) -> None:
    found = kernel(
        f"const int kLocal = 7; int kHidden = n;\n{head} out[i] = 0;",
        before=BEFORE + "constexpr int kHidden = 4;",
    )
    assert found.loops[0].trips == expected


def test_template_parameters_hide_constants(kernel) -> None:
    found = kernel(
        "for (int i = 0; i < N; ++i) out[i] = 0;",
        before="constexpr int N = 4;",
        head="template <int N> __global__ void",
    )
    assert found.loops[0].trips is None


def test_a_macro_under_a_condition_is_no_constant(kernel) -> None:
    before = "#ifdef BIG\n#define N 64\n#else\n#define N 32\n#endif"
    assert kernel("for (int i = 0; i < N; ++i) out[i] = 0;", before=before).loops[0].trips is None


@given(
    st.integers(-50, 50),
    st.integers(-50, 50),
    st.integers(1, 9),
    st.sampled_from(["<", "<=", ">", ">="]),
)
@settings(max_examples=150)
def test_trip_counts_are_those_of_counting(start: int, bound: int, step: int, comparison: str) -> None:
    up = comparison.startswith("<")
    text = (
        f"void f() {{ for (int i = {start}; i {comparison} {bound}; i {'+' if up else '-'}= {step}) g(); }}"
    )
    count, i = 0, start
    while eval(f"i {comparison} bound"):
        i += step if up else -step
        count += 1
    assert trips(next(of_type(parse(text.encode()).root, "for_statement")), {}) == count


LEAVES = st.integers(0, 200).map(str) | st.sampled_from(["A", "B"])
EXPRESSIONS = st.recursive(
    LEAVES,
    lambda inner: st.tuples(inner, st.sampled_from(["+", "-", "*", "/", "%"]), inner).map(
        lambda parts: f"({parts[0]} {parts[1]} {parts[2]})"
    ),
    max_leaves=6,
)


@given(EXPRESSIONS)
@settings(max_examples=150)
def test_expressions_have_the_value_that_c_gives_them(text: str) -> None:
    tree = parse(f"int x = {text};".encode()).root
    node = next(of_type(tree, "init_declarator")).child_by_field_name("value")
    assert node is not None
    assert evaluate(node, {"A": 12, "B": 5}) == of_c(text)


class CInt(int):
    def __truediv__(self, other: int) -> CInt:  # type: ignore[override]
        return CInt(_quotient(int(self), int(other)))

    def __mod__(self, other: int) -> CInt:
        return CInt(int(self) - _quotient(int(self), int(other)) * int(other))

    def __add__(self, other: int) -> CInt:
        return CInt(int(self) + int(other))

    def __sub__(self, other: int) -> CInt:
        return CInt(int(self) - int(other))

    def __mul__(self, other: int) -> CInt:
        return CInt(int(self) * int(other))


def _quotient(left: int, right: int) -> int:
    if right == 0:
        raise ZeroDivisionError
    size = abs(left) // abs(right)
    return size if (left < 0) == (right < 0) else -size


def of_c(text: str) -> int | None:
    import re

    wrapped = re.sub(r"\d+", lambda found: f"CInt({found[0]})", text)
    try:
        return int(eval(wrapped, {"CInt": CInt, "A": CInt(12), "B": CInt(5)}))
    except ZeroDivisionError:
        return None
