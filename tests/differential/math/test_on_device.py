"""The device math in running kernels: bit for bit what the host build of the same sources gives.

The host build is what test_accuracy.py compares with mpmath; this test shows that the compiled and emulated
code is the same function. The rounding modes, which the device alone has, are compared with exact results.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import samples
from host_library import DeviceMath
from references import BINARY, UNARY
from tests.commands import SECONDS
from tests.table_rows import rows

import vrocm

TYPES = {"f32": "float", "f64": "double"}
MODES = ("rtz", "rtp", "rtn")
EXACT_UNARY = ["floor", "ceil", "trunc", "rint", "round", "succ", "pred", "fabs", "logb"]
EXACT_BINARY = [
    "fmod",
    "remainder",
    "fdim",
    "fmin",
    "fmax",
    "nextafter",
    "copysign",
    "maxmag",
    "minmag",
    "scalb",
]
EXACT_BINARY += [f"div_{mode}" for mode in MODES]
ROUNDED: dict[str, Callable[..., Fraction]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "fma": lambda a, b, c: a * b + c,
}
ARITY = dict.fromkeys([*UNARY, *EXACT_UNARY, *(f"sqrt_{mode}" for mode in MODES)], 1)
ARITY |= dict.fromkeys([*BINARY, *EXACT_BINARY], 2)
ARITY |= {f"{name}_{mode}": 3 if name == "fma" else 2 for name in ROUNDED for mode in MODES}
ARITY |= {"len3": 3, "rlen3": 3}
SAMPLES = 120

MAIN = """
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>
struct Entry { void (*run)(const char*, long, std::FILE*); };
template <typename T, typename Kernel>
void run(Kernel kernel, const char* data, long bytes, std::FILE* out) {
    long n = bytes / (3 * sizeof(T));
    T *in, *result;
    std::vector<T> host(n);
    if (hipMalloc(&in, bytes) != hipSuccess || hipMalloc(&result, n * sizeof(T)) != hipSuccess) std::exit(1);
    if (hipMemcpy(in, data, bytes, hipMemcpyHostToDevice) != hipSuccess) std::exit(1);
    kernel<<<(n + 255) / 256, 256>>>(in, in + n, in + 2 * n, result, (int)n);
    if (hipMemcpy(host.data(), result, n * sizeof(T), hipMemcpyDeviceToHost) != hipSuccess) std::exit(1);
    std::fwrite(host.data(), sizeof(T), n, out);
    if (hipFree(in) != hipSuccess || hipFree(result) != hipSuccess) std::exit(1);
}
"""


def source() -> str:
    """A program with one kernel per function; arguments: list file, output file."""
    lines = ["#include <hip/hip_runtime.h>", MAIN]
    table = []
    for name, arity in ARITY.items():
        for kind, c_type in TYPES.items():
            function = f"__ocml_{name}_{kind}"
            arguments = ", ".join(["x[i]", "y[i]", "z[i]"][:arity])
            lines.append(f'extern "C" __device__ {c_type} {function}({", ".join([c_type] * arity)});')
            lines.append(
                f"__global__ void k_{name}_{kind}(const {c_type}* x, const {c_type}* y, const {c_type}* z, "
                f"{c_type}* out, int n) {{ int i = blockIdx.x * blockDim.x + threadIdx.x; "
                f"if (i < n) out[i] = {function}({arguments}); }}"
            )
            table.append(
                f'{{"{name}_{kind}", [](const char* d, long b, std::FILE* o) '
                f"{{ run<{c_type}>(k_{name}_{kind}, d, b, o); }}}},"
            )
    lines.append(
        "std::map<std::string, void (*)(const char*, long, std::FILE*)> table = {" + "\n".join(table) + "};"
    )
    lines.append(
        """
int main(int, char** argv) {
    std::FILE *list = std::fopen(argv[1], "r"), *out = std::fopen(argv[2], "wb");
    char name[64], file[4000];
    while (std::fscanf(list, "%63s %3999s", name, file) == 2) {
        std::FILE* in = std::fopen(file, "rb");
        std::vector<char> data(1 << 22);
        long bytes = (long)std::fread(data.data(), 1, data.size(), in);
        std::fclose(in);
        table.at(name)(data.data(), bytes, out);
    }
    return std::fclose(out);
}"""
    )
    return "\n".join(lines)


def arguments(name: str, kind: str) -> list[np.ndarray]:
    base = name.split("_")[0]
    rng = np.random.default_rng(sum(name.encode()))
    if name in BINARY:
        a, b = samples.binary(name, kind, SAMPLES)
        return [a, b, a]
    x = samples.unary(base, kind, SAMPLES)
    if name in (*EXACT_BINARY, "len3", "rlen3") or base in ROUNDED:
        near = (x * rng.choice([1.0, 3.0, -1.0, 1e-3], len(x))).astype(x.dtype)  # operands that interact
        return [x, rng.permutation(np.concatenate([x, near]))[: len(x)], rng.permutation(near)]
    return [x, x, x]


@pytest.fixture(scope="module")
def results(
    tmp_path_factory: pytest.TempPathFactory,
) -> dict[tuple[str, str], tuple[list[np.ndarray], np.ndarray]]:
    """Arguments and the device's results for every function."""
    folder: Path = tmp_path_factory.mktemp("device_math")
    (folder / "math.cpp").write_text(source())
    environment = {**os.environ, **vrocm.environment()}
    command = ["hipcc", "-O3", "-w", str(folder / "math.cpp"), "-o", str(folder / "math")]
    built = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=SECONDS)
    assert built.returncode == 0, built.stderr
    asked: dict[tuple[str, str], list[np.ndarray]] = {}
    lines = []
    with np.errstate(all="ignore"):
        for name in ARITY:
            for kind in TYPES:
                asked[name, kind] = arguments(name, kind)
                file = folder / f"{name}_{kind}.bin"
                np.concatenate(asked[name, kind]).tofile(file)
                lines.append(f"{name}_{kind} {file}\n")
    (folder / "list").write_text("".join(lines))
    command = [str(folder / "math"), str(folder / "list"), str(folder / "out")]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=SECONDS)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    raw = (folder / "out").read_bytes()
    answers, position = {}, 0
    for (name, kind), columns in asked.items():
        count = len(columns[0])
        values = np.frombuffer(raw, columns[0].dtype, count, position)
        position += values.nbytes
        answers[name, kind] = (columns, values)
    assert position == len(raw)
    return answers


@pytest.mark.parametrize("kind", sorted(TYPES))
@rows("name", sorted(name for name in ARITY if name.split("_")[0] not in ("add", "sub", "mul", "fma")))
def test_same_as_host(
    device_math: DeviceMath,
    results: dict[tuple[str, str], tuple[list[np.ndarray], np.ndarray]],
    name: str,
    kind: str,
) -> None:
    columns, actual = results[name, kind]
    device_math.set_hardware_error(0)
    expected = device_math.call(name, kind, *columns[: ARITY[name]])
    same = (actual.view(samples.BITS[kind]) == expected.view(samples.BITS[kind])) | (
        np.isnan(actual) & np.isnan(expected)
    )
    if not same.all():
        i = int(np.argmin(same))
        pytest.fail(
            f"{name}_{kind}{[c[i] for c in columns[: ARITY[name]]]} = {actual[i]!r}, host {expected[i]!r}"
        )


def neighbours(value: np.generic, kind: str) -> tuple[Fraction | None, Fraction | None]:
    """The floats below and above ``value``; None for an infinity."""

    def fraction(v: np.generic) -> Fraction | None:
        return Fraction(float(v)) if np.isfinite(v) else None

    with np.errstate(over="ignore"):
        infinity = samples.FLOAT[kind](np.inf)
        return fraction(np.nextafter(value, -infinity)), fraction(np.nextafter(value, infinity))


def is_rounded(exact: Fraction, actual: np.generic, mode: str, kind: str) -> bool:
    """Whether ``actual`` is ``exact`` rounded in ``mode``."""
    up = mode == "rtp" or (mode == "rtz" and exact < 0)
    below, above = neighbours(actual, kind)
    if not np.isfinite(actual):
        limit = Fraction(float(np.finfo(samples.FLOAT[kind]).max))
        return (exact > limit and up) if actual > 0 else (exact < -limit and not up)
    value = Fraction(float(actual))
    if up:
        return value >= exact and (below is None or below < exact)
    return value <= exact and (above is None or above > exact)


@pytest.mark.parametrize("kind", sorted(TYPES))
@pytest.mark.parametrize("mode", MODES)
@rows("name", [*sorted(ROUNDED), "sqrt"])
def test_rounding_mode(
    results: dict[tuple[str, str], tuple[list[np.ndarray], np.ndarray]], name: str, mode: str, kind: str
) -> None:
    columns, actual = results[f"{name}_{mode}", kind]
    checked = 0
    for i, y in enumerate(actual):
        operands = [c[i] for c in columns[: ARITY[f"{name}_{mode}"]]]
        if not all(np.isfinite(v) for v in operands):
            continue
        exact = [Fraction(float(v)) for v in operands]
        if name == "sqrt":
            if exact[0] < 0:
                continue
            below, above = neighbours(y, kind)
            value = Fraction(float(y))
            if mode == "rtp":
                right = value**2 >= exact[0] and (below is None or below < 0 or below**2 < exact[0])
            else:
                right = value**2 <= exact[0] and (above is None or above**2 > exact[0])
        elif name == "div" and exact[1] == 0:
            continue
        else:
            right = is_rounded(ROUNDED[name](*exact), y, mode, kind)
        assert right, f"{name}_{mode}_{kind}{operands} = {y!r}"
        checked += 1
    assert checked > 50
