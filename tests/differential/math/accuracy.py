"""Measures the largest error of every function and writes docs/reference/device-math.md.

Run as: python tests/differential/math/accuracy.py [samples per function]
"""

from __future__ import annotations

import math
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from mpmath import mpf

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path[:0] = [str(HERE), str(ROOT / "src")]

import host_library  # noqa: E402
import samples  # noqa: E402
from references import BINARY, MAGNITUDE_LIMIT, UNARY  # noqa: E402
from ulp import error_in_ulps  # noqa: E402

# 0: the hardware's approximations correctly rounded, as vrocm computes them; +1, -1: the other neighbour.
HARDWARE_ERRORS = (0, 1, -1)
SLOW = {"erfinv": 4, "erfcinv": 8, "ncdfinv": 8, "lgamma": 4, "tgamma": 3, "erfcx": 3}
SLOW |= {"j0": 8, "j1": 8, "y0": 12, "y1": 12, "i0": 4, "i1": 4}


@dataclass(frozen=True)
class Worst:
    error: float
    arguments: tuple[float, ...]


def ordinary(*columns: np.ndarray) -> list[np.ndarray]:
    """Without infinities, NaN and zeros, whose results (and signs) test_edge_cases.py checks."""
    keep = np.logical_and.reduce([np.isfinite(c) & (c != 0) for c in columns])
    return [c[keep] for c in columns]


def unary_arguments(name: str, kind: str, count: int) -> np.ndarray:
    (x,) = ordinary(samples.unary(name, kind, max(count // SLOW.get(name, 1), 20)))
    return x[np.abs(x.astype(np.float64)) <= MAGNITUDE_LIMIT.get(name, math.inf)]


def unary_worst(lib: host_library.DeviceMath, name: str, kind: str, count: int) -> dict[int, Worst]:
    x = unary_arguments(name, kind, count)
    exact = [UNARY[name](mpf(float(v))) for v in x]
    worst = {}
    for hardware in HARDWARE_ERRORS:
        lib.set_hardware_error(hardware)
        errors = [error_in_ulps(y, e, kind) for y, e in zip(lib.call(name, kind, x), exact, strict=True)]
        at = int(np.argmax(errors))
        worst[hardware] = Worst(errors[at], (float(x[at]),))
    lib.set_hardware_error(0)
    return worst


def binary_worst(lib: host_library.DeviceMath, name: str, kind: str, count: int) -> dict[int, Worst]:
    a, b = ordinary(*samples.binary(name, kind, count))
    if name == "powr":  # defined for positive bases
        keep = a > 0
        a, b = a[keep], b[keep]
    exact = [BINARY[name](mpf(float(u)), mpf(float(v))) for u, v in zip(a, b, strict=True)]
    worst = {}
    for hardware in HARDWARE_ERRORS:
        lib.set_hardware_error(hardware)
        errors = [error_in_ulps(y, e, kind) for y, e in zip(lib.call(name, kind, a, b), exact, strict=True)]
        at = int(np.argmax(errors))
        worst[hardware] = Worst(errors[at], (float(a[at]), float(b[at])))
    lib.set_hardware_error(0)
    return worst


def table(lib: host_library.DeviceMath, count: int) -> list[str]:
    lines = [
        "| function | f32 | f32, hardware off by one | f64 | f64, hardware off by one |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    for name in [*UNARY, *BINARY]:
        measure = unary_worst if name in UNARY else binary_worst
        cells = []
        for kind in ("f32", "f64"):
            worst = measure(lib, name, kind, count)
            cells += [worst[0].error, max(worst[1].error, worst[-1].error)]
        lines.append(f"| {name} | " + " | ".join(f"{c:.2f}" for c in cells) + " |")
        print(lines[-1], flush=True)
    return lines


DOCUMENT = """# Device math: measured accuracy

Largest error in ulps against mpmath, over edge values, every binade, random bit patterns and the places where
a function is hard (next to multiples of pi/2, next to 1, at the ends of the range). Written by
`tests/differential/math/accuracy.py`; change that, not this. The sources run on the host for this, with the
hardware's approximations (`v_exp_f32`, `v_log_f32`, `v_rcp_f32`, ...) simulated: correctly rounded, as vrocm
computes them, and off by one (the neighbour of the exact value on the wrong side, which is what the ISA
manual allows; f64 reciprocals off by 2^-24).

About {count} arguments for each function, fewer where mpmath is slow. Required: at most 4 ulp everywhere, at
most 2 for exp, log, sqrt, sin, cos and pow in f32.

{table}

- `sqrt`, division, `fma`, `fmod`, `remainder`, `remquo`, the rounding functions and everything on sign and
  exponent are correctly rounded or exact. So are the `rtz`, `rtp`, `rtn` variants.
- f16 functions are the f32 ones, rounded: at most 0.51 ulp where the f32 one has a few.
- `jn` and `yn` come from recurrences. In f32 they are within 1 ulp. In f64 the error is a few ulp of the
  larger of the function and its neighbours in order, so next to zeros it is absolute, not relative.
- `__ocml_native_*` (`__expf`, `__sinf`, ...) are what the hardware does: one or two instructions, absolute
  error near 2^-20 for sine and cosine, no denormals in exp2 and log2.
- Not-a-number, infinities, signed zeros and denormals follow C99 Annex F, and IEEE 754 for functions of pi x.
"""


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 4000
    with tempfile.TemporaryDirectory() as folder:
        lib = host_library.DeviceMath(host_library.build(Path(folder)))
        text = DOCUMENT.format(count=count, table="\n".join(table(lib, count)))
    (ROOT / "docs" / "reference" / "device-math.md").write_text(text)


if __name__ == "__main__":
    main()
