"""Transformed kernels give the same bytes as the original, for any trip count, on the virtual GPU.

All variants of all kernels are compiled into one program, each in a namespace of its own, and run with many
trip counts.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from rocm_perf_lab.optimizing.refused import Refused
from rocm_perf_lab.optimizing.source.kernel import kernel_of
from rocm_perf_lab.optimizing.source.read import read_unit
from rocm_perf_lab.optimizing.transforms.catalogue import TRANSFORMS, apply_transform
from rocm_perf_lab.optimizing.transforms.request import DistinctPointers, LaunchEvidence, TransformRequest

EVIDENCE = LaunchEvidence(distinct_pointers=DistinctPointers(frozenset({0, 1}), 4), block_sizes=(64,))
FACTORS = (2, 3, 4, 7, 8)
HEAD = "__global__ void k(const float* in, float* out, int n, int m)"
START = "int t = threadIdx.x;\nfloat s = 0, r = 1;\n"
END = "\nout[t] = s;\nout[64 + t] = r;"
SEED = 20260101
# By default the compiler fuses multiplications with additions where it sees fit, and it sees fit at other
# places in unrolled code: that rounds differently. Here it is the transforms that are compared.
NO_FUSING = "-ffp-contract=off"

# The loop's variable is used in ways that show which iterations ran, and in which order.
BODIES = {
    "sum": "for (int i = 0; i < n; ++i) s = s * 1.25f + in[i];",
    "braces": "for (int i = 0; i < n; i += 2) { float x = in[i]; s = s * 0.5f + x; r -= s * i; }",
    "from_thread": "for (int i = t; i < n; i += 5) { s += in[i] * i; r = r * 0.75f + s; }",
    "down": "for (int i = n; i > 0; --i) s = s * 1.5f + in[i];",
    "down_to_zero": "for (int i = n - 1; i >= 0; i -= 3) { s = s * 1.5f + in[i]; }",
    "inclusive": "for (int i = 1; i <= n; ++i) s = s * 1.5f + in[i];",
    "unsigned_index": "for (unsigned i = 0; i < n; i++) s = s * 1.25f + in[i];",
    "long_index": "for (long i = 0; i < n; i += 3) s = s * 1.25f + in[i];",
    "size": "for (size_t i = 0; i < size_t(n); ++i) { s = s * 1.25f + in[i]; }",
    "variable_step": "for (int i = 0; i < n; i += m) s = s * 1.25f + in[i];",
    "grid_stride": "for (int i = t; i < n; i += gridDim.x * blockDim.x) s = s * 1.25f + in[i];",
    "near_the_end": "for (unsigned i = 4294967290u; i < 4294967295u; i += 5) s = s * 2 + (i & 7) + in[n];",
    "constant": "for (int i = 0; i < 8; ++i) { s = s * 1.25f + in[i + n]; }",
    "nested": (
        "for (int i = 0; i < n; ++i) for (int j = 0; j < i % 5; ++j) { s = s * 1.1f + in[j]; r += i * j; }"
    ),
    "returns": "for (int i = 0; i < n; ++i) { s += in[i]; if (i == 37 - t % 7) { out[t] = s; return; } }",
    "declares": (
        "for (int i = 0; i < n; ++i) { float a[3] = {in[i], s, r}; s = a[0] + a[1] * .5f; r = a[2] - s; }"
    ),
    "writes": "for (int i = 0; i < n; ++i) out[t * 80 + 129 + i] = in[i] * t + out[t * 80 + 128 + i];",
    "inner_break": (
        "for (int i = 0; i < n; ++i) { for (int j = 0; j < 4; ++j) { if (j > i) break; s += in[j] * i; } }"
    ),
    "switch": (
        "for (int i = 0; i < n; ++i) { switch (i & 3) { case 1: s += in[i]; break; default: s *= 1.5f; } }"
    ),
    "leaves": (
        "for (int i = 0; i < n; ++i) { if (in[i] > 0.9f) break; if (i % 3 == 1) continue; s = s * "
        "1.25f + in[i]; }"
    ),
    "while": "int i = n; while (i > 0) { s = s * 1.5f + in[i]; i -= 1 + (i & 1); }",
    "do": "int i = 0; do { s = s * 1.5f + in[i]; ++i; } while (i < n);",
    "misaligned": (
        "const float* x = in + t;\nfor (int i = 0; i < n; ++i) { s = s * 1.25f + x[i]; r += x[i] * i; }"
    ),
    "copies": (
        "const float* x = in + t;\nfloat* y = out + 128 + t * 80;\nfor (int i = 1; i < n; ++i) y[i] = "
        "x[i] * 2;"
    ),
    "invariant": "for (int i = 0; i < n; ++i) s = s * in[3] + in[i] + in[t & 3];",
    "padded": (
        "__shared__ float tile[8][8];\ntile[t % 8][t / 8] = in[t];\n__syncthreads();\nfor (int i = 0; "
        "i < n % 9; ++i) s = s * 1.25f + tile[t / 8][i & 7];"
    ),
    "wave": "r = in[t];\nfor (int d = 32; d > 0; d -= 8) { r += __shfl_xor(r, d); s += r; }",
    "comment": "for (int i = 0; i < n; ++i) // one }\n s = s * 1.25f + in[i]; // two",
    "if_loop": "if (n > 3) for (int i = 0; i < n; ++i) s = s * 1.25f + in[i]; else s = 7;",
    "lambda": (
        "auto f = [&](int x) { return in[x] + x; };\nfor (int i = 0; i < n; ++i) s = s * 1.25f + f(i);"
    ),
}


def random_loops(count: int) -> dict[str, str]:
    choose = random.Random(SEED)
    found = {}
    for number in range(count):
        kind = choose.choice(["int", "unsigned", "long", "size_t"])
        bound = choose.choice(["n", "n + m", "(unsigned)n", "40"])
        step = choose.choice(["1", "2", "3", "5", "m", "blockDim.x / 32"])
        start = choose.choice(["0", "1", "t", "m"])
        if kind in ("long", "size_t") and step == "m":
            step = "4"
        if choose.random() < 0.5:
            head = f"for ({kind} i = {start}; i {choose.choice(['<', '<='])} {bound}; i += {step})"
        else:
            comparison, last = choose.choice([">", ">="]), choose.choice(["0", "3", "m"])
            head = f"for (int i = n + {start}; i {comparison} {last}; i -= {step})"
        found[f"random_{number}"] = f"{head} {{ s = s * 1.125f + in[i & 63]; r = r * 0.5f - i; }}"
    return found


@dataclass(frozen=True)
class Variant:
    body: str
    what: str
    text: str


def variants(name: str, body: str, place: Path) -> list[Variant]:
    """The original first, then every variant that is not refused."""
    source = place / f"{name}.hip"
    source.write_text(f"{HEAD} {{\n{START}{body}{END}\n}}\n")
    unit = read_unit(source)
    kernel = kernel_of(unit, unit.kernels[0])
    found = [Variant(name, "original", unit.main.text.decode())]
    for transform in TRANSFORMS:
        unrolling = transform.startswith("unroll")
        loops = (
            range(len(kernel.loops)) if unrolling or transform in ("vector_loads", "hoist_loads") else [None]
        )
        for loop in loops:
            for factor in FACTORS if unrolling else [None]:
                request = TransformRequest(loop=loop, factor=factor, evidence=EVIDENCE)
                try:
                    changed = apply_transform(transform, kernel, request, tuple(TRANSFORMS))
                except Refused:
                    continue
                found.append(Variant(name, f"{transform} {loop} {factor}", changed.text.decode()))
    return found


def program(all_variants: list[Variant], counts: list[tuple[int, int]]) -> str:
    kernels = "\n".join(
        f"namespace v{number} {{\n{variant.text}\n}}" for number, variant in enumerate(all_variants)
    )
    first = {variant.body: number for number, variant in reversed(list(enumerate(all_variants)))}
    rows = ", ".join(
        f'{{v{number}::k, {first[variant.body]}, "{variant.body}: {variant.what}"}}'
        for number, variant in enumerate(all_variants)
    )
    pairs = ", ".join(f"{{{n}, {m}}}" for n, m in counts)
    return f"""
#include <hip/hip_runtime.h>
#include <cstdio>
#include <cstring>
#include <vector>
{kernels}
struct Row {{ void (*kernel)(const float*, float*, int, int); int original; const char* name; }};
int main() {{
    const Row rows[] = {{{rows}}};
    const int counts[][2] = {{{pairs}}};
    const size_t inputs = 1024, outputs = 128 + 64 * 80 + 200;
    std::vector<float> in(inputs), out(outputs);
    for (size_t i = 0; i < inputs; ++i) in[i] = float((i * 2654435761u >> 8) % 1000) / 1000 - 0.3f;
    float *din, *dout;
    hipMalloc(&din, inputs * 4);
    hipMalloc(&dout, outputs * 4);
    hipMemcpy(din, in.data(), inputs * 4, hipMemcpyHostToDevice);
    int wrong = 0, done = 0;
    for (auto& count : counts) {{
        std::vector<std::vector<float>> results;
        for (auto& row : rows) {{
            hipMemset(dout, 0, outputs * 4);
            row.kernel<<<1, 64>>>(din, dout, count[0], count[1]);
            if (hipMemcpy(out.data(), dout, outputs * 4, hipMemcpyDeviceToHost) != hipSuccess) return 2;
            results.push_back(out);
            ++done;
            if (std::memcmp(results[row.original].data(), out.data(), outputs * 4) != 0 && ++wrong < 20)
                std::printf("DIFFERS %s with n=%d m=%d\\n", row.name, count[0], count[1]);
        }}
    }}
    std::printf("%d runs, %d differ\\n", done, wrong);
    return wrong != 0;
}}
"""


def test_equal_for_any_trip_count(run, tmp_path: Path) -> None:
    choose = random.Random(SEED)
    sizes = [0, 1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 64, *choose.sample(range(10, 75), 4)]
    counts = [(n, choose.choice([1, 2, 3, 6, 11])) for n in sizes]
    made = [
        variant
        for name, body in {**BODIES, **random_loops(12)}.items()
        for variant in variants(name, body, tmp_path)
    ]
    used = {variant.what.partition(" ")[0] for variant in made}
    assert used == {"original", *TRANSFORMS}
    source = tmp_path / "all.hip"
    source.write_text(program(made, counts))
    run("hipcc", "-O2", NO_FUSING, source, "-o", tmp_path / "all")
    done = run(tmp_path / "all")
    runs = re.search(r"(\d+) runs, 0 differ", done.stdout)
    assert runs is not None, done.stdout
    assert int(runs[1]) == len(made) * len(counts) > 5000


def test_the_comparison_notices_a_wrong_variant(run, tmp_path: Path) -> None:
    """The same program with a variant that loses the remainder."""
    good = variants("sum", BODIES["sum"], tmp_path)[0]
    bad = Variant("sum", "wrong", good.text.replace("i < n;", "i + 3 < n;"))
    (tmp_path / "bad.hip").write_text(program([good, bad], [(8, 1), (9, 1)]))
    run("hipcc", "-O1", tmp_path / "bad.hip", "-o", tmp_path / "bad")
    with pytest.raises(AssertionError, match=r"DIFFERS sum: wrong with n=8"):
        run(tmp_path / "bad")
