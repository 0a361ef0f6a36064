"""Guards of the source: only the body, the same signature, the same synchronisation, waves of 64 lanes."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rocm_perf_lab.optimizing.guards.changed_text import check_changed_text
from rocm_perf_lab.optimizing.guards.synchronisation import check_synchronisation, check_wave_size
from rocm_perf_lab.optimizing.refused import Refused

SOURCE = """#include <hip/hip_runtime.h>
__device__ float twice(float x) { return 2 * x; }
__global__ void k(const float* in, float* out, int n) { out[0] = twice(in[0]); }
int main() { k<<<1, 64>>>(nullptr, nullptr, 3); }
"""
BODY = "{ out[0] = twice(in[0]); }"


@pytest.fixture
def chosen(read_text):
    from rocm_perf_lab.optimizing.source.match import find_kernel

    return find_kernel(read_text(SOURCE), "k(float const*, float*, int)")


def refused(chosen, text: str, **options) -> str:
    with pytest.raises(Refused) as caught:
        check_changed_text(chosen, text.encode(), **options)
    return caught.value.refusal.code


def test_another_body_is_fine(chosen) -> None:
    changed = check_changed_text(chosen, SOURCE.replace(BODY, "{ if (n) { out[0] = 1; } }").encode())
    assert changed.function.body.of(changed.text) == b"{ if (n) { out[0] = 1; } }"


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        (BODY, BODY, "nothing-changed"),
        ("2 * x", "3 * x", "outside-body-changed"),
        ("<<<1, 64>>>", "<<<1, 32>>>", "outside-body-changed"),
        ("#include", "# include", "outside-body-changed"),
        ("nullptr, 3); }\n", "nullptr, 3); }", "outside-body-changed"),
        ("int n)", "int m)", "signature-changed"),
        ("int n)", "long n)", "signature-changed"),
        ("const float* in", "const float* __restrict__ in", "signature-changed"),
        ("__global__ void k", "__global__ void __launch_bounds__(64) k", "signature-changed"),
        ("void k(", "void k2(", "signature-changed"),
        (BODY, "{ out[0] = 1; } __device__ int hidden; void f() { }", "body-not-closed"),
        (BODY, "{ out[0] = 1; } __global__ void extra(int n) { }", "body-not-closed"),
        (BODY, "{ out[0] = 1; }}", "body-not-closed"),
        (BODY, "{ out[0] = 1; ", "body-not-closed"),
        (BODY, "{ out[0] = 1;\n#define twice(x) 0\n}", "preprocessor-in-body"),
        (BODY, "{ out[0] = = 1; }", "source-unparsed"),
    ],
)
def test_refused(chosen, old: str, new: str, code: str) -> None:
    assert refused(chosen, SOURCE.replace(old, new)) == code


def test_heads_change_only_as_allowed(chosen) -> None:
    restricted = SOURCE.replace("const float* in", "const float* __restrict__ in")
    bounded = SOURCE.replace("void k(", "void __launch_bounds__(64) k(")
    check_changed_text(chosen, restricted.encode(), "restrict")
    check_changed_text(chosen, bounded.encode(), "launch-bounds")
    assert refused(chosen, restricted, head_change="launch-bounds") == "signature-changed"
    assert refused(chosen, bounded, head_change="restrict") == "signature-changed"
    assert (
        refused(chosen, bounded.replace("int n", "long n"), head_change="launch-bounds")
        == "signature-changed"
    )


@given(st.data())
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_no_byte_outside_of_the_body_may_change(chosen, data) -> None:
    body = chosen.function.body
    outside = [place for place in range(len(SOURCE)) if not body.start <= place < body.end]
    place = data.draw(st.sampled_from(outside))
    other = data.draw(st.sampled_from([c for c in "aZ0 ;{}*/\n" if c != SOURCE[place]]))
    with pytest.raises(Refused):
        check_changed_text(chosen, (SOURCE[:place] + other + SOURCE[place + 1 :]).encode())


BEFORE = "__device__ void pause() { __syncthreads(); }"


def sync_code(kernel, old: str, new: str) -> str | None:
    before = kernel(old, before=BEFORE)
    start, end = before.function.body.start, before.function.body.end
    text = before.text[:start] + f"{{\n{new}\n}}".encode() + before.text[end:]
    try:
        check_synchronisation(before, check_changed_text(before, text))
    except Refused as problem:
        return problem.refusal.code
    return None


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("__syncthreads(); out[0] = 1;", "out[0] = 1;", False),
        ("__syncthreads(); out[0] = 1;", "out[0] = 1; __syncthreads();", True),
        ("__syncthreads(); out[0] = 1;", "out[0] = 1; /* __syncthreads(); */", False),
        ("__syncthreads(); out[0] = 1;", "for (;;) { __syncthreads(); } out[0] = 1;", False),
        ("pause(); out[0] = 1;", "out[0] = 1;", False),
        ("pause(); pause(); out[0] = 1;", "pause(); out[0] = 1;", False),
        ("atomicAdd(out, 1.f);", "out[0] += 1.f;", False),
        ("atomicAdd(out, 1.f);", "atomicMax(out, 1.f);", False),
        ("__shfl_down(in[0], 4); out[0] = 1;", "out[0] = 1; __shfl_down(in[0], 4);", True),
    ],
)
def test_synchronisation(kernel, old: str, new: str, same: bool) -> None:
    assert sync_code(kernel, old, new) == (None if same else "synchronisation-changed")


@pytest.mark.parametrize(
    ("new", "bad"),
    [
        ("out[threadIdx.x % 32] = 1;", True),
        ("out[threadIdx.x & 31] = 1;", True),
        ("out[threadIdx.x >> 5] = 1;", True),
        ("out[0] = __shfl_xor_sync(0xffffffff, 1.f, 1);", True),
        ("out[0] = __shfl_xor_sync(0xffffffffffffffff, 1.f, 1);", False),
        ("out[threadIdx.x % 64] = 1; // % 32", False),
    ],
)
def test_waves_have_64_lanes(kernel, new: str, bad: bool) -> None:
    before, after = kernel("out[0] = 1;"), kernel(new)
    if bad:
        with pytest.raises(Refused) as caught:
            check_wave_size(before, after)
        assert caught.value.refusal.code == "wave32-assumption"
    else:
        check_wave_size(before, after)
    check_wave_size(after, after)
