"""Transforms behind --allow: what they write, and every reason for which they do not."""

from __future__ import annotations

import pytest

from rocm_perf_lab.optimizing.refused import Refused
from rocm_perf_lab.optimizing.transforms.catalogue import TRANSFORMS, apply_transform
from rocm_perf_lab.optimizing.transforms.request import DistinctPointers, LaunchEvidence, TransformRequest

ALL = tuple(TRANSFORMS)
DISTINCT = LaunchEvidence(distinct_pointers=DistinctPointers(frozenset({0, 1}), 3), block_sizes=(64, 256))
LOOP = "for (int i = 0; i < n; ++i) "


def refused(name: str, found, allowed=ALL, **request) -> str:
    with pytest.raises(Refused) as caught:
        apply_transform(name, found, TransformRequest(**request), allowed)
    return caught.value.refusal.code


def text_of(changed) -> str:
    return changed.text.decode()


@pytest.mark.parametrize("name", [name for name, each in TRANSFORMS.items() if each.needs_allow])
def test_all_but_unrolling_must_be_allowed(kernel, name: str) -> None:
    assert refused(name, kernel(LOOP + "out[i] = in[i];"), allowed=(), loop=0) == "not-allowed"


def test_restrict(kernel) -> None:
    found = kernel("out[0] = in[0];", parameters="const float* in, float *__restrict__ out, int n = (3)")
    changed = apply_transform("restrict_const", found, TransformRequest(evidence=DISTINCT), ALL)
    assert "k(const float* __restrict__ in, float *__restrict__ out, int n = (3)) {" in text_of(changed)
    assert refused("restrict_const", found) == "aliasing-unknown"
    some = LaunchEvidence(distinct_pointers=DistinctPointers(frozenset({0}), 3))
    assert refused("restrict_const", found, evidence=some) == "aliasing-unknown"
    assert refused("restrict_const", changed, evidence=DISTINCT) == "already-so"
    assert refused("restrict_const", kernel("", parameters="int n"), evidence=DISTINCT) == "nothing-to-change"


def test_launch_bounds(kernel) -> None:
    found = kernel("out[0] = 1;")
    changed = apply_transform("launch_bounds", found, TransformRequest(evidence=DISTINCT), ALL)
    assert "__global__ void __launch_bounds__(256) k(" in text_of(changed)
    assert changed.function.launch_bounds == ("256",)
    assert refused("launch_bounds", found) == "block-size-unknown"
    assert refused("launch_bounds", changed, evidence=DISTINCT) == "already-so"


def test_vector_loads(kernel) -> None:
    found = kernel("float sum = 0;\n" + LOOP + "sum += in[i];\nout[0] = sum;")
    text = text_of(apply_transform("vector_loads", found, TransformRequest(loop=0), ALL))
    assert "const float4 loaded0 = *reinterpret_cast<const float4*>(in + i);" in text
    for part in "xyzw":
        assert f"{{ sum += loaded0.{part}; }} ++i;" in text
    assert (
        "for (; (i < n) && reinterpret_cast<unsigned long long>(in + i) % 16 != 0; ++i) sum += in[i];" in text
    )


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (LOOP + "out[i] = in[i];", "aliasing-unknown"),
        (LOOP + "{ out[0] += in[i]; }", "aliasing-unknown"),
        ("float* p = out; float s = 0;\n" + LOOP + "{ s += in[i]; p[3] = s; }", "aliasing-unknown"),
        ("float s = 0;\n" + LOOP + "{ if (s > 3) s += in[i]; }", "nothing-to-change"),
        ("float s = 0;\n" + LOOP + "{ s += s > 3 ? in[i] : 0; }", "nothing-to-change"),
        ("float s = 0;\n" + LOOP + "{ s += in[i + 1]; }", "nothing-to-change"),
        ("float s = 0;\nfor (int i = 0; i < n; i += 2) { s += in[i]; }", "nothing-to-change"),
        ("float s = 0;\nfor (int i = n; i > 0; --i) { s += in[i]; }", "nothing-to-change"),
        ("float s = 0;\n" + LOOP + "{ s += in[i]; ++in; }", "bound-changes"),
        (LOOP + "{ __syncthreads(); }", "barrier-in-loop"),
        ("float s = 0;\n" + LOOP + "{ s += in[i]; if (s > 3) break; }", "break-in-loop"),
    ],
)
def test_vector_loads_refused(kernel, body: str, code: str) -> None:
    assert refused("vector_loads", kernel(body), loop=0) == code


def test_vector_loads_with_writes_elsewhere(kernel) -> None:
    found = kernel("const float* x = in + n;\nfloat* y = out + n;\n" + LOOP + "y[i] = x[i] * 2;")
    changed = apply_transform("vector_loads", found, TransformRequest(loop=0, evidence=DISTINCT), ALL)
    assert "{ y[i] = loaded0.w * 2; } ++i;" in text_of(changed)
    restricted = kernel(
        LOOP + "out[i] = in[i];", parameters="const float* __restrict__ in, float* __restrict__ out, int n"
    )
    apply_transform("vector_loads", restricted, TransformRequest(loop=0), ALL)
    own = kernel("float t[64];\n" + LOOP + "t[i % 64] = in[i];")
    apply_transform("vector_loads", own, TransformRequest(loop=0), ALL)
    same = kernel("float t[64]; float* p = t;\n" + LOOP + "t[i % 64] = p[i] + 1;")
    assert refused("vector_loads", same, loop=0, evidence=DISTINCT) == "aliasing-unknown"


def test_hoisting(kernel) -> None:
    found = kernel("float s = 0;\n" + LOOP + "s += in[n] * in[i] + in[n];\nout[0] = s;")
    text = text_of(apply_transform("hoist_loads", found, TransformRequest(loop=0), ALL))
    assert (
        "if (i < n) {\nconst auto hoisted0 = in[n];\nfor (; i < n; ++i) s += hoisted0 * in[i] + hoisted0;"
        in text
    )


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (LOOP + "out[i] = in[3];", "aliasing-unknown"),
        ("float s = 0;\n" + LOOP + "s += in[i];", "nothing-to-change"),
        ("float s = 0;\n" + LOOP + "{ int j = i; s += in[j]; }", "nothing-to-change"),
        ("float s = 0;\n" + LOOP + "{ if (s > 2) s += in[3]; }", "nothing-to-change"),
        ("float s = 0;\n" + LOOP + "{ s += s > 2 && in[3]; }", "nothing-to-change"),
        ("float s = 0;\n" + LOOP + "{ if (s > 2) break; s += in[3]; }", "nothing-to-change"),
        ("float s = 0;\n" + LOOP + "{ s += in[n]; n = 3; }", "nothing-to-change"),
        ("float s = 0;\nwhile (s < n) s += in[3];", "loop-not-counted"),
    ],
)
def test_hoisting_refused(kernel, body: str, code: str) -> None:
    assert refused("hoist_loads", kernel(body), loop=0) == code


def test_padding(kernel) -> None:
    found = kernel("__shared__ float t[16][16], u[4];\nt[n][0] = in[0];\nu[0] = 1;\nout[0] = t[0][n] + u[0];")
    assert "t[16][(16) + 1], u[4];" in text_of(apply_transform("lds_padding", found, TransformRequest(), ALL))


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("__shared__ float t[16][17 + 1]; out[0] = t[0][n];", "already-so"),
        ("__shared__ float t[16]; out[0] = t[n];", "nothing-to-change"),
        ("float t[16][16]; out[0] = t[n][0];", "nothing-to-change"),
        ("__shared__ float t[16][16]; float* p = t[0]; out[0] = p[n];", "array-escapes"),
        ("__shared__ float t[16][16]; float* p = &t[0][0]; out[0] = p[n];", "array-escapes"),
        ("__shared__ float t[16][16]; out[0] = sizeof(t);", "array-escapes"),
        ("__shared__ float t[16][16]; float (*p)[16] = t; out[0] = p[n][0];", "array-escapes"),
        ("__shared__ float t[16][16]; out[0] = t[0][n]; { int t = 3; out[1] = t; }", "array-escapes"),
        ("__shared__ float tile[16][16]; out[0] = tile[0][n] + FIRST;", "array-escapes"),
    ],
)
def test_padding_refused(kernel, body: str, code: str) -> None:
    assert refused("lds_padding", kernel(body, before="#define FIRST tile[0][0]")) == code
