"""Unrolling: what it writes, and every reason for which it does not."""

from __future__ import annotations

import pytest

from rocm_perf_lab.optimizing.refused import Refused
from rocm_perf_lab.optimizing.transforms.catalogue import apply_transform
from rocm_perf_lab.optimizing.transforms.request import TransformRequest

SUM = "float sum = 0;\nfor (int i = 0; i < n; ++i) sum += in[i];\nout[0] = sum;"


def refused(name: str, found, **request) -> str:
    with pytest.raises(Refused) as caught:
        apply_transform(name, found, TransformRequest(**request))
    return caught.value.refusal.code


def body_of(changed) -> str:
    return changed.function.body.of(changed.text).decode()


@pytest.mark.parametrize("factor", range(2, 9))
def test_by_pragma(kernel, factor: int) -> None:
    before = kernel(SUM)
    changed = apply_transform("unroll", before, TransformRequest(loop=0, factor=factor))
    assert f"#pragma unroll {factor}\nfor (int i = 0; i < n; ++i) sum += in[i];" in body_of(changed)
    assert changed.text.replace(f"#pragma unroll {factor}\n".encode(), b"") == before.text


def test_a_pragma_takes_the_place_of_the_old_one(kernel) -> None:
    found = kernel("#pragma unroll 2\nfor (int i = 0; i < n; ++i) out[i] = 0;")
    changed = apply_transform("unroll", found, TransformRequest(loop=0, factor=4))
    assert body_of(changed).count("#pragma") == 1
    assert "#pragma unroll 4\nfor" in body_of(changed)
    assert refused("unroll", found, loop=0, factor=2) == "already-so"


def test_a_pragma_has_a_line_of_its_own(kernel) -> None:
    found = kernel("if (n > 3) for (int i = 0; i < n; ++i) out[i] = 0;")
    assert "if (n > 3) \n#pragma unroll 4\nfor" in body_of(
        apply_transform("unroll", found, TransformRequest(loop=0, factor=4))
    )


def test_by_rewriting(kernel) -> None:
    changed = apply_transform("unroll_rewrite", kernel(SUM), TransformRequest(loop=0, factor=2))
    assert body_of(changed) == (
        "{\nfloat sum = 0;\n{\nint i = 0;\nfor (; (i < n) && (unsigned)(n) - (unsigned)(i) > 1u;) {\n"
        "{ sum += in[i]; } ++i;\n{ sum += in[i]; } ++i;\n}\n"
        "for (; i < n; ++i) sum += in[i];\n}\nout[0] = sum;\n}"
    )


def test_rewriting_keeps_comments_and_strange_layout(kernel) -> None:
    found = kernel(
        "for (int i = 0 /* a */; // b\n i < n; // c\n ++i) { out[i] = 1; // d }\n out[i] += 2; } // e"
    )
    changed = apply_transform("unroll_rewrite", found, TransformRequest(loop=0, factor=3))
    assert body_of(changed).count("out[i] += 2;") == 4
    assert changed.blind == ()


def test_inner_and_outer_loops(kernel) -> None:
    found = kernel("for (int i = 0; i < n; ++i) {\n  for (int j = 0; j < 8; ++j) out[i] += in[j];\n}")
    for loop in (0, 1):
        for name in ("unroll", "unroll_rewrite"):
            changed = apply_transform(name, found, TransformRequest(loop=loop, factor=4))
            assert changed.text != found.text


BEFORE = """
#define LEAVE break
#define SKIP if (n) continue
__device__ void pauses(int n) { __syncthreads(); }
__device__ void counts(float* p) { atomicAdd(p, 1.f); }
__device__ void changes(int& x) { x++; }
__device__ int limit;
"""
LOOP = "for (int i = 0; i < n; ++i) "


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (LOOP + "{ __syncthreads(); }", "barrier-in-loop"),
        (LOOP + "{ pauses(n); }", "barrier-in-loop"),
        (LOOP + "{ for (int j = 0; j < 3; ++j) pauses(n); }", "barrier-in-loop"),
        (LOOP + "atomicAdd(out, 1.f);", "atomic-in-loop"),
        (LOOP + "counts(out);", "atomic-in-loop"),
        ("extern __shared__ float t[];\n" + LOOP + "out[i] = t[i];", "dynamic-shared-in-loop"),
        (
            "volatile float* v = out;\nfor (int i = 0; i < n; ++i) { *(volatile float*)v = 1; }",
            "volatile-in-loop",
        ),
        (LOOP + 'asm volatile("s_nop 0");', "assembly-in-loop"),
        (LOOP + "out[i] = elsewhere(i);", "unseen-call"),
    ],
)
@pytest.mark.parametrize("name", ["unroll", "unroll_rewrite"])
def test_regions(kernel, name: str, body: str, code: str) -> None:
    assert refused(name, kernel(body, before=BEFORE), loop=0, factor=4) == code


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (LOOP + "out[i] = __shfl_xor(in[i], 1);", "wave-divergent"),
        (LOOP + "{ if (in[i] > 3) break; out[i] = 1; }", "break-in-loop"),
        (LOOP + "{ if (in[i] > 3) LEAVE; out[i] = 1; }", "break-in-loop"),
        (LOOP + "{ if (in[i] > 3) continue; out[i] = 1; }", "continue-in-loop"),
        (LOOP + "{ SKIP; out[i] = 1; }", "continue-in-loop"),
        (LOOP + "{ switch (n) { case 1: continue; } out[i] = 1; }", "continue-in-loop"),
        (LOOP + "{ goto done; } done: ;", "goto-in-loop"),
        (LOOP + "{ again: if (in[i] > 3) goto again; }", "goto-in-loop"),
        (LOOP + "{ out[i] = 1; i += 2; }", "index-modified"),
        (LOOP + "{ int* p = &i; *p = 3; }", "index-modified"),
        (LOOP + "{ int& r = i; r = 3; }", "index-modified"),
        (LOOP + "{ changes(i); }", "index-modified"),
        (LOOP + "{ out[i] = 1; n -= 1; }", "bound-changes"),
        (LOOP + "{ changes(n); }", "bound-changes"),
        ("auto f = [&]() { n = 3; };\n" + LOOP + "{ f(); out[i] = 1; }", "bound-changes"),
        ("int* p = &n;\n" + LOOP + "{ *p = 3; }", "bound-changes"),
        ("for (int i = 0; i < in[0]; ++i) out[i] = 1;", "bound-changes"),
        ("for (int i = 0; i < limit; ++i) out[i] = 1;", "bound-changes"),
        ("for (int i = 0; i < int(sqrtf(n)); ++i) out[i] = 1;", "bound-changes"),
        ("for (int i = 0; i != n; ++i) out[i] = 1;", "loop-not-counted"),
        ("for (int i = 0; i < n; i *= 2) out[i] = 1;", "loop-not-counted"),
        ("for (int i = 0; i < n; --i) out[i] = 1;", "loop-not-counted"),
        ("for (int i = 0, j = 0; i < n; ++i) out[i] = 1;", "loop-not-counted"),
        ("for (int i = 0; i < n && in[i] > 0; ++i) out[i] = 1;", "loop-not-counted"),
        ("int i = 0;\nfor (; i < n; ++i) out[i] = 1;", "loop-not-counted"),
        ("while (n > 3) { --n; out[n] = 1; }", "loop-not-counted"),
        ("for (short i = 0; i < n; ++i) out[i] = 1;", "type-unknown"),
        ("for (auto i = 0; i < n; ++i) out[i] = 1;", "type-unknown"),
        ("for (float i = 0; i < n; ++i) out[0] = i;", "type-unknown"),
        ("size_t step = n;\nfor (size_t i = 0; i < 99u; i += step) out[i] = 1;", "type-unknown"),
        (LOOP + "{ __shared__ float t[4]; t[0] = i; out[i] = t[0]; }", "shared-declared-in-loop"),
        (LOOP + "{ static int s; out[i] = s; }", "shared-declared-in-loop"),
    ],
)
def test_rewriting_only(kernel, body: str, code: str) -> None:
    found = kernel(body, before=BEFORE)
    assert refused("unroll_rewrite", found, loop=0, factor=4) == code
    if code != "goto-in-loop":
        apply_transform("unroll", found, TransformRequest(loop=0, factor=4))


def test_wave_operations_in_loops_of_constant_length(kernel) -> None:
    found = kernel("float s = in[0];\nfor (int i = 32; i > 0; i -= 8) s += __shfl_xor(s, i);\nout[0] = s;")
    apply_transform("unroll_rewrite", found, TransformRequest(loop=0, factor=4))


@pytest.mark.parametrize("factor", [None, 0, 1, 9, -2])
def test_factors(kernel, factor: int | None) -> None:
    assert refused("unroll", kernel(SUM), loop=0, factor=factor) == "factor-out-of-range"


def test_factors_beyond_the_trip_count(kernel) -> None:
    found = kernel("for (int i = 0; i < 3; ++i) out[i] = 0;")
    assert refused("unroll", found, loop=0, factor=4) == "factor-exceeds-trips"
    apply_transform("unroll", found, TransformRequest(loop=0, factor=3))


@pytest.mark.parametrize("number", [None, 1, -1, 7])
def test_loops_that_are_not_there(kernel, number: int | None) -> None:
    assert refused("unroll", kernel(SUM), loop=number, factor=4) == "no-such-loop"


@pytest.mark.parametrize("name", ["unroll", "unroll_rewrite"])
def test_bodies_that_cannot_be_seen(kernel, name: str) -> None:
    found = kernel("#if X\n__syncthreads();\n#endif\n" + SUM)
    assert refused(name, found, loop=0, factor=4) == "preprocessor-in-body"
