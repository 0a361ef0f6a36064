"""Kernels of a source: names, scopes, templates, attributes, parameters, and where their body is."""

from __future__ import annotations

from pathlib import Path

import pytest

from rocm_perf_lab.optimizing.source.kernel import kernel_of
from rocm_perf_lab.optimizing.source.model import SourceFunction, Unit
from rocm_perf_lab.optimizing.source.read import read_unit

EXAMPLES = Path(__file__).parents[3] / "examples"
SOURCE = r"""
#include <hip/hip_runtime.h>
#define KERNEL extern "C" __global__
#define BOUNDS __launch_bounds__(256)
// __global__ void in_a_comment(int n) {}
const char* text = "__global__ void in_a_string(int n) {}";
const char* raw = R"x(__global__ void in_a_raw_string(int n) { " })x";
namespace outer { namespace inner {
template <typename T, int N = 4>
__global__ void __launch_bounds__(256, 2) scale(T* __restrict__ out, const T* in, int n = (3)) {
    auto next = [=] __host__ __device__(int x) { return x + 1; };
    out[0] = in[next(0)];
}
}}
namespace a::b { __global__ void nested(float (*table)[4], void (*call)(int)) {} }
namespace { __global__ void hidden(int) {} }
extern "C" __global__ void plain(float* p) { p[0] = 1; }
extern "C" { __launch_bounds__(64) __global__ void grouped(float* p) { p[0] = 1; } }
KERNEL void by_macro(float* p) { p[1] = 2; }
__global__ BOUNDS void bounded(int n) { __shared__ __align__(16) float tile[4]; tile[0] = n; }
template <class T> __global__ void BOUNDS bounded_template(T n) {}
template <> __global__ void outer::inner::scale<int, 3>(int*, const int*, int) {}
__global__ void __attribute__((amdgpu_flat_work_group_size(1, 256))) with_attribute(int n) {}
__device__ __noinline__ float helper(float x) { return x; }
struct Functor { __device__ float operator()(float x) const { return x; } };
void host(int n) { plain<<<1, 64, 0, 0>>>(nullptr); outer::inner::scale<float><<<dim3(1), 2>>>(0, 0, n); }
"""


@pytest.fixture
def unit(tmp_path: Path) -> Unit:
    path = tmp_path / "all.hip"
    path.write_text(SOURCE)
    return read_unit(path)


def named(unit: Unit, name: str) -> SourceFunction:
    return next(function for function in unit.main.functions if function.qualified_name == name)


def test_all_kernels_and_no_others(unit: Unit) -> None:
    assert [kernel.qualified_name for kernel in unit.kernels] == [
        "outer::inner::scale",
        "a::b::nested",
        "(anonymous namespace)::hidden",
        "plain",
        "grouped",
        "by_macro",
        "bounded",
        "bounded_template",
        "outer::inner::scale",
        "with_attribute",
    ]
    assert not any(kernel_of(unit, kernel).blind for kernel in unit.kernels)


def test_templates(unit: Unit) -> None:
    first, special = (kernel for kernel in unit.kernels if kernel.name == "scale")
    assert first.template_parameters == ("typename T", "int N = 4")
    assert first.specialised is None
    assert special.template_parameters == ()
    assert special.specialised == ("int", "3")
    assert named(unit, "plain").template_parameters is None


@pytest.mark.parametrize(
    ("name", "bounds"),
    [
        ("outer::inner::scale", ("256", "2")),
        ("grouped", ("64",)),
        ("bounded", ("256",)),
        ("bounded_template", ("256",)),
        ("plain", None),
    ],
)
def test_launch_bounds(unit: Unit, name: str, bounds: tuple[str, ...] | None) -> None:
    assert named(unit, name).launch_bounds == bounds


def test_extern_c(unit: Unit) -> None:
    assert [kernel.name for kernel in unit.kernels if kernel.is_extern_c] == ["plain", "grouped", "by_macro"]


def test_parameters(unit: Unit) -> None:
    out, into, count = named(unit, "outer::inner::scale").parameters
    assert (out.name, out.pointee, out.is_const, out.is_restrict) == ("out", "T", False, True)
    assert (into.name, into.pointee, into.is_const, into.is_restrict) == ("in", "T", True, False)
    assert (count.name, count.type, count.is_pointer) == ("n", "int", False)
    table, call = named(unit, "a::b::nested").parameters
    assert (table.name, call.name) == ("table", "call")
    assert table.is_pointer
    assert table.pointee is None


def test_heads_and_bodies_are_those_of_the_text(unit: Unit) -> None:
    text = unit.main.text
    plain = named(unit, "plain")
    assert plain.head.of(text) == b'extern "C" __global__ void plain(float* p) '
    assert plain.body.of(text) == b"{ p[0] = 1; }"
    assert named(unit, "by_macro").head.of(text).startswith(b"KERNEL void by_macro(")
    assert named(unit, "outer::inner::scale").head.of(text).startswith(b"template <typename T")


def test_device_functions(unit: Unit) -> None:
    assert named(unit, "helper").is_device
    assert not named(unit, "helper").is_kernel
    assert not named(unit, "host").is_device
    assert named(unit, "Functor::operator()").is_device


@pytest.mark.parametrize("example", sorted(EXAMPLES.rglob("*.hip")), ids=lambda path: path.stem)
def test_examples_are_understood(example: Path) -> None:
    unit = read_unit(example)
    assert unit.kernels
    assert unit.unseen_includes == ()
    for kernel in unit.kernels:
        assert kernel_of(unit, kernel).blind == ()


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("#if FAST\n  out[0] = 1;\n#else\n  out[0] = 2;\n#endif", "preprocessor-in-body"),
        ("#define X 3\n  out[0] = X;", "preprocessor-in-body"),
        ("/* a */ #if FAST\n  out[0] = 1;\n#endif", "preprocessor-in-body"),
        ("  out[0] = = 3;", "source-unparsed"),
        ("  BEGIN out[0] = 1; }", "kernel-in-macro"),
    ],
)
def test_what_cannot_be_seen_is_said(read_text, body: str, code: str) -> None:
    unit = read_text(f"#define BEGIN if (true) {{\n__global__ void k(float* out) {{\n{body}\n}}\n")
    found = next(kernel for kernel in unit.kernels if kernel.name == "k")
    assert code in {refusal.code for refusal in kernel_of(unit, found).blind}


def test_unroll_pragmas_are_no_obstacle(read_text) -> None:
    unit = read_text(
        "__global__ void k(float* p, int n) {\n#pragma unroll 4\nfor (int i = 0; i < n; ++i) p[i] = 0;\n}"
    )
    kernel = kernel_of(unit, unit.kernels[0])
    assert kernel.blind == ()
    assert kernel.loops[0].pragma is not None
    assert kernel.loops[0].pragma.of(unit.main.text).startswith(b"#pragma unroll 4")


def test_macros_as_statements(read_text) -> None:
    unit = read_text(
        "#define PAUSE(x) __syncthreads();\n#define WHEN(x) if (x)\n"
        "__global__ void one(float* p) { PAUSE(1) }\n"
        "__global__ void two(float* p, int n) { for (int i = 0; i < n; ++i) { PAUSE(1) p[i] = 1; } }\n"
        "__global__ void three(float* p) { WHEN(p[0] > 1) return; p[0] = 1; }\n"
    )
    from rocm_perf_lab.optimizing.source.hazards import hazards

    one, two, three = (kernel_of(unit, kernel) for kernel in unit.kernels)
    assert (one.blind, two.blind) == ((), ())
    assert [hazard.kind for hazard in hazards(unit, one.function, one.function.body)] == ["barrier"]
    assert [hazard.kind for hazard in hazards(unit, two.function, two.loops[0].span)] == ["barrier"]
    assert three.blind[0].code == "source-unparsed"


def test_macros_that_are_numbers_stay_in_the_tree(read_text) -> None:
    unit = read_text(
        "#define BLOCK 256\n#define NOTHING\n"
        "NOTHING __global__ void k(float* p) { p[(threadIdx.x + BLOCK) * BLOCK] = BLOCK; }\n"
    )
    assert kernel_of(unit, unit.kernels[0]).blind == ()
