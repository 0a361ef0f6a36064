"""Names of kernels as the compiler makes them, and the definitions they belong to."""

from __future__ import annotations

from pathlib import Path

import pytest

from rocm_perf_lab.cxx_names import demangle
from rocm_perf_lab.optimizing.building.built import read_built
from rocm_perf_lab.optimizing.guards.code_object import is_instance
from rocm_perf_lab.optimizing.source.match import find_kernel
from rocm_perf_lab.optimizing.source.read import read_unit

# The size of its group memory says which definition a kernel of the code object was made from.
SOURCE = """
#include <hip/hip_runtime.h>
#include <hip/hip_fp16.h>
#include <cstdint>
#define USE(count) __shared__ char use[count]; use[threadIdx.x] = 1; __syncthreads(); *p = use[threadIdx.y];
#define ENTRY extern "C" __global__
struct Point { float x, y; };
enum class Mode : int { fast, exact };
using Real = float;
namespace a { inline namespace v1 {
template <typename T, int N> __global__ void scale(int* p, T const* in) { USE(64) }
template <> __global__ void scale<double, 2>(int* p, const double* in) { USE(65) }
}}
namespace { __global__ void hidden(int* p, size_t n) { USE(66) } }
__global__ void over(int* p, float x) { USE(67) }
__global__ void over(int* p, double x) { USE(68) }
__global__ void over(int* p, unsigned x) { USE(69) }
__global__ void over(int* p, const unsigned char* x) { USE(70) }
__global__ void over(int* p, uint64_t x, int16_t y) { USE(71) }
ENTRY void plain(int* p) { USE(72) }
__global__ __launch_bounds__(64) void points(int* p, const Point* many, Point one, Mode mode) { USE(73) }
__global__ void alias(int* p, Real* __restrict__ x, const int n) { USE(74) }
template <typename... Ts> __global__ void pack(int* p, Ts... rest) { USE(75) }
template <template <class> class C, bool B> __global__ void odd(int* p, C<int>* c) { USE(76) }
template <class T> struct Box { T value; };
__global__ void table(int* p, float (*rows)[16], const Box<Box<int>>& box, void* const* many) { USE(77) }
static __global__ void internal(int* p, long long n, __half h) { USE(78) }
int main() {
    int* p = nullptr;
    a::scale<float, 4><<<1, 64>>>(p, nullptr);
    a::scale<Point, 1><<<1, 64>>>(p, nullptr);
    a::scale<double, 2><<<1, 64>>>(p, nullptr);
    a::scale<double, 3><<<1, 64>>>(p, nullptr);
    hidden<<<1, 64>>>(p, 1);
    pack<<<1, 64>>>(p, 1, 2.0f, Point{});
    pack<<<1, 64>>>(p);
    odd<Box, true><<<1, 64>>>(p, nullptr);
    internal<<<1, 64>>>(p, 1, __half{});
}
"""


def test_every_kernel_of_a_program_has_its_definition(run, tmp_path: Path) -> None:
    source = tmp_path / "names.hip"
    source.write_text(SOURCE)
    run("hipcc", "-O1", source, "-o", tmp_path / "names")
    unit = read_unit(source)
    built = read_built(tmp_path / "names")
    assert len(built.kernels) >= 17
    for (_, symbol), compiled in built.kernels.items():
        for name in (symbol, demangle(symbol), f"{symbol}.kd", f"{demangle(symbol)} [clone .kd]"):
            found = find_kernel(unit, name)
            used = found.function.body.of(unit.main.text)
            assert f"USE({compiled.metadata.lds_static_bytes})".encode() in used, (name, found.function.line)
            assert is_instance(found.function, symbol)


@pytest.mark.parametrize("name", ["over(int*, short)", "a::v1::scale(int*)", "void plain<int>(int*)"])
def test_names_that_no_kernel_has(tmp_path: Path, name: str) -> None:
    from rocm_perf_lab.optimizing.refused import Refused

    source = tmp_path / "names.hip"
    source.write_text(SOURCE)
    with pytest.raises(Refused):
        find_kernel(read_unit(source), name)
