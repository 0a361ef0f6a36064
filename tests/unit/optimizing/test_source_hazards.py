"""Barriers, atomics and the like: found in code, through macros, functions and includes; else never."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rocm_perf_lab.optimizing.source.hazards import hazards
from rocm_perf_lab.optimizing.source.kernel import kernel_of
from rocm_perf_lab.optimizing.source.model import SourceKernel
from rocm_perf_lab.optimizing.source.read import read_unit

DANGEROUS = ["__syncthreads();", "atomicAdd(out, 1.f);", "__shfl_down(1.f, 2);", 'asm volatile("s_nop 0");']


def kinds(found: SourceKernel, loop: int = 0) -> set[str]:
    span = found.loops[loop].span if found.loops else found.function.body
    return {hazard.kind for hazard in hazards(found.unit, found.function, span)}


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("__syncthreads();", {"barrier"}),
        ("__threadfence_block();", {"barrier"}),
        ("__builtin_amdgcn_s_barrier();", {"barrier"}),
        ("auto g = cooperative_groups::this_thread_block(); g.sync();", {"barrier"}),
        ("atomicAdd(&out[0], 1.0f);", {"atomic"}),
        ("unsafeAtomicAdd(&out[0], 1.0f);", {"atomic"}),
        ("__hip_atomic_fetch_add(out, 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);", {"atomic"}),
        ("__atomic_store_n(out, 1, 0);", {"atomic"}),
        ("out[i] = __shfl_xor(in[i], 1);", {"wave"}),
        ("out[i] = __ballot(n) != 0;", {"wave"}),
        ("*(volatile float*)out = 1;", {"volatile"}),
        ('asm volatile("s_nop 0");', {"assembly"}),
        ("out[i] = unknown_function(in[i]);", {"unseen"}),
        ("out[i] = cub::BlockReduce<float, 64>(t).Sum(in[i]);", {"unseen"}),
        ("(*table[i])(n);", {"unseen"}),
        ("BARRIER;", {"barrier"}),
        ("MAYBE;", {"barrier"}),
        ("PASTE(threads)();", {"unseen"}),
        ("FROM_THE_COMMAND_LINE;", {"unseen"}),
        ("SYNC_ALL(3);", {"barrier"}),
        ("with_barrier(n);", {"barrier"}),
        ("deeper(n);", {"barrier"}),
        ("counts(out);", {"atomic"}),
        ("Box box; box.close(n);", {"barrier"}),
        ("uses_dynamic(n);", {"dynamic_shared"}),
        ("out[i] = expf(in[i]) + fmaxf(sqrtf(in[i]), __expf(2)) + min(n, 3) + float(n);", set()),
        ("float4 v = make_float4(1, 2, 3, 4); out[i] = v.x + helper(v.y);", set()),
        ("out[i] = __popc(n) + __float_as_int(in[i]) + __fmaf_rn(1.f, 2.f, 3.f);", set()),
        ("Point p{1, 2}; out[i] = p.x; int sync = 3; int wait = sync; out[i] += wait;", set()),
        ('printf("__syncthreads(); atomicAdd(%d)", n);', set()),
        ("// __syncthreads();\n out[i] = 1; /* atomicAdd(out, 1); */", set()),
        ("out[i] = tile[i];", {"dynamic_shared"}),
        ("out[i] = alias[i];", {"dynamic_shared"}),
        ("out[i] = copy;", set()),
    ],
)
def test_kinds(kernel, statement: str, expected: set[str]) -> None:
    before = """
        #define BARRIER __syncthreads()
        #ifdef FAST
        #define MAYBE __syncthreads()
        #else
        #define MAYBE
        #endif
        #define PASTE(x) __sync##x
        #define SYNC_ALL(x) do { BARRIER; } while (0)
        struct Point { float x, y; };
        __device__ void with_barrier(int n) { if (n) __syncthreads(); }
        __device__ void deeper(int n) { with_barrier(n); }
        __device__ void counts(float* p) { atomicAdd(p, 1.f); }
        __device__ float helper(float x) { /* __syncthreads(); */ return x; }
        struct Box { __device__ void close(int n) { __syncthreads(); } };
        __device__ float uses_dynamic(int n) { extern __shared__ float inner[]; return inner[n]; }
    """
    found = kernel(
        "extern __shared__ float tile[];\nfloat* alias = tile + 4;\nfloat copy = tile[0];\n"
        f"for (int i = 0; i < n; ++i) {{ {statement} }}",
        before=before,
    )
    assert kinds(found) == expected


def test_lambdas_are_followed(kernel) -> None:
    body = "auto f = [&](int x) { __syncthreads(); return x; };\nfor (int i = 0; i < n; ++i) out[i] = f(i);"
    assert kinds(kernel(body)) == {"barrier"}
    body = "auto f = [&](int x) { return x + 1; };\nfor (int i = 0; i < n; ++i) out[i] = f(i);"
    assert kinds(kernel(body)) == set()


def test_a_callable_parameter_is_not_seen(kernel) -> None:
    found = kernel(
        "for (int i = 0; i < n; ++i) out[i] = op(in[i]);",
        parameters="const float* in, float* out, int n, Op op",
        head="template <class Op> __global__ void",
    )
    assert kinds(found) == {"unseen"}


def test_recursion_ends(kernel) -> None:
    before = "__device__ int b(int n) { return a(n); }\n__device__ int a(int n) { return b(n); }"
    assert kinds(kernel("for (int i = 0; i < n; ++i) out[i] = a(i);", before=before)) == set()


def test_local_includes_are_followed(tmp_path: Path) -> None:
    (tmp_path / "deep.h").write_text("#pragma once\n__device__ inline void rest() { __syncthreads(); }\n")
    (tmp_path / "helper.h").write_text('#include "deep.h"\n#include "helper.h"\n#define PAUSE rest()\n')
    (tmp_path / "k.hip").write_text(
        '#include "helper.h"\n#include "missing.h"\n'
        "__global__ void k(int n) { for (int i = 0; i < n; ++i) PAUSE; }"
    )
    unit = read_unit(tmp_path / "k.hip")
    found = kernel_of(unit, unit.kernels[0])
    (hazard,) = hazards(unit, found.function, found.loops[0].span)
    assert hazard.kind == "barrier"
    assert hazard.via == ("rest",)
    assert hazard.place.endswith("deep.h:2")
    assert unit.unseen_includes == ("missing.h",)


def test_only_the_part_that_was_asked_for(kernel) -> None:
    found = kernel(
        "for (int i = 0; i < n; ++i) out[i] = 1;\n__syncthreads();\nfor (;;) { atomicAdd(out, 1.f); }"
    )
    assert kinds(found, 0) == set()
    assert kinds(found, 1) == {"atomic"}


WRAPPERS = st.sampled_from(["// {}\n", "/* {} */", "const char* s = {!r};", 'const char* s = R"q({})q";'])


@given(st.lists(st.tuples(WRAPPERS, st.sampled_from(DANGEROUS)), min_size=1, max_size=4), st.booleans())
@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_comments_and_strings_neither_trigger_nor_hide(kernel, hidden, real: bool) -> None:
    quoted = []
    for number, (wrapper, statement) in enumerate(hidden):
        plain = statement.replace('"', "")
        text = wrapper.format(plain) if "!r" not in wrapper else f'const char* s = "{plain}";'
        quoted.append(text.replace("* s", f"* s{number}"))
    body = "\n".join([*quoted, "__syncthreads();" if real else "", *quoted[:0]])
    found = kernel(f"for (int i = 0; i < n; ++i) {{\n{body}\nout[i] = 1; }}")
    assert kinds(found) == ({"barrier"} if real else set())
