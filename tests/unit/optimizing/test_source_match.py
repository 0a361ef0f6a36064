"""Names of kernels in profiles, and the definitions they belong to."""

from __future__ import annotations

import pytest

from rocm_perf_lab.optimizing.refused import Refused
from rocm_perf_lab.optimizing.source.match import find_kernel, parse_profiled_name

SOURCE = """
#define MAKE(name, type) __global__ void name(type* p) { *p = 0; }
__global__ void softmax(const float* in, float* out, int rows, int columns) {}
namespace a { namespace b {
template <typename T, int N> __global__ void scale(T* out, T const* in, int n) {}
template <> __global__ void scale<int, 3>(int* out, const int* in, int n) {}
__global__ void over(float* p, int n) {}
__global__ void over(double* p, int n) {}
__global__ void over(float* p, unsigned n) {}
__global__ void over(float* p, int n, int m) {}
}}
namespace { __global__ void hidden(size_t n) {} }
extern "C" __global__ void plain(float* p) {}
template <typename... Ts> __global__ void pack(Ts... all) {}
template <typename T> __global__ void same(T* p) {}
template <typename T> __global__ void same(T p) {}
using Real = float;
__global__ void alias(Real* p, uint32_t n) {}
MAKE(made, float)
#if X
__global__ void twice(int n) {}
#else
__global__ void twice(int n) { }
#endif
"""


@pytest.mark.parametrize(
    ("profiled", "line"),
    [
        ("softmax(float const*, float*, int, int)", 3),
        ("_Z7softmaxPKfPfii", 3),
        ("_Z7softmaxPKfPfii.kd", 3),
        ("softmax(float const*, float*, int, int) [clone .kd]", 3),
        ("softmax", 3),
        ("void a::b::scale<float, 4>(float*, float const*, int)", 5),
        ("void a::b::scale<int, 4>(int*, int const*, int)", 5),
        ("void a::b::scale<int, 3>(int*, int const*, int)", 6),
        ("_ZN1a1b5scaleIfLi4EEEvPT_PKS2_i", 5),
        ("_ZN1a1b5scaleIiLi3EEEvPT_PKS2_i", 6),
        ("a::b::over(float*, int)", 7),
        ("a::b::over(double*, int)", 8),
        ("a::b::over(float*, unsigned int)", 9),
        ("a::b::over(float*, int, int)", 10),
        ("(anonymous namespace)::hidden(unsigned long)", 12),
        ("plain", 13),
        ("void pack<int, float>(int, float)", 14),
        ("alias(float*, unsigned int)", 18),
    ],
)
def test_found(read_text, profiled: str, line: int) -> None:
    assert find_kernel(read_text(SOURCE), profiled).function.line == line


@pytest.mark.parametrize(
    ("profiled", "code"),
    [
        ("nothing(int)", "kernel-not-found"),
        ("softmax(float const*, float*, int)", "kernel-not-found"),
        ("void softmax<float>(float const*, float*, int, int)", "kernel-not-found"),
        ("a::softmax(float const*, float*, int, int)", "kernel-not-found"),
        ("over", "kernel-ambiguous"),
        ("twice(int)", "kernel-ambiguous"),
        ("made(float*)", "kernel-in-macro"),
    ],
)
def test_refused(read_text, profiled: str, code: str) -> None:
    source = (
        SOURCE
        if code == "kernel-in-macro"
        else SOURCE.replace("MAKE(made, float)\n", "").replace("#define", "//")
    )
    with pytest.raises(Refused) as caught:
        find_kernel(read_text(source), profiled)
    assert caught.value.refusal.code == code


def test_a_kernel_of_an_include_is_said_to_be_there(read_text, tmp_path) -> None:
    (tmp_path / "k.h").write_text("__global__ void k(int n) {}")
    with pytest.raises(Refused, match=r"k\.h: name that file"):
        find_kernel(read_text('#include "k.h"\n'), "k(int)")


def test_parts_of_a_name() -> None:
    found = parse_profiled_name(
        "void a::(anonymous namespace)::f<std::pair<int, x::y>, (int)4>(int (*)(int), g<h>*)"
    )
    assert found.scope == ("a", "")
    assert found.name == "f"
    assert found.template_arguments == ("std::pair<int, x::y>", "(int)4")
    assert found.parameters == ("int (*)(int)", "g<h>*")


def test_a_kernel_that_the_parser_lost_is_not_called_missing(read_text) -> None:
    with pytest.raises(Refused) as caught:
        find_kernel(read_text("__global__ void broken(int n) { UNKNOWN(n) }\n"), "broken(int)")
    assert caught.value.refusal.code == "source-unparsed"
