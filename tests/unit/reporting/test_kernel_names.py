"""Names that fit a table and still tell kernels apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocm_perf_lab.reporting.words.kernel_names import short_name, short_names

TORCH = (
    "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, "
    "std::array<char*, 3ul> >(int, at::native::CUDAFunctor_add<float>, std::array<char*, 3ul>)"
)


@pytest.mark.parametrize(
    ("name", "width", "short"),
    [
        ("vector_add(float const*, float const*, float*, int)", 30, "vector_add"),
        ("void offset<float>(float*, float, int)", 30, "offset<float>"),
        ("kernel", 30, "kernel"),
        ("scale.kd", 30, "scale"),
        ("(anonymous namespace)::fill(int*)", 30, "fill"),
        ("void ns::inner::copy<double, 4>(double*) [clone .kd]", 30, "ns::inner::copy<double, 4>"),
        ("void ns::inner::copy<double, 4>(double*)", 20, "copy<double, 4>"),
        (TORCH, 80, "vectorized_elementwise_kernel<4, CUDAFunctor_add<float>, array<char*, 3ul> >"),
        (TORCH, 40, "vectorized_elementwise_kernel<…>"),
        (TORCH, 20, "vectorized_el…nel<…>"),
        ("main::{lambda(int)#1}::operator()(int) const", 40, "main::{lambda(int)#1}::operator()"),
        ("Cijk_Ailk_Bljk_HHS_BH_MT128x128x32_SE", 20, "Cijk_Ailk_Blj…x32_SE"),
        ("unsigned int reduce<unsigned int>(unsigned int*)", 30, "reduce<unsigned int>"),
    ],
)
def test_forms(name: str, width: int, short: str) -> None:
    assert short_name(name, width) == short


def test_no_two_alike() -> None:
    names = [f"void very::long::name_of_a_kernel<{kind}>(int)" for kind in ("float", "double", "half")]
    for width in (12, 18, 24, 40):
        shown = short_names(names, width)
        assert len(set(shown)) == 3, shown
        assert max(map(len, shown)) <= width
    assert short_names(["same(int)", "same(float)"], 20) == ["same", "same #2"]


@given(
    st.lists(st.text(alphabet="ab<>(){}[]:, *&#", min_size=1, max_size=60), max_size=8), st.integers(12, 60)
)
def test_any_text_fits(names: list[str], width: int) -> None:
    assert all(len(name) <= width for name in short_names(names, width))
