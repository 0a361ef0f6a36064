"""Unrolling by asking the compiler for it: ``#pragma unroll N`` in front of the loop.

Legal for every loop that has no barrier, atomic or dynamic shared memory in it: the compiler keeps what the
loop computes, whatever its trip count, and treats operations across the wave as it must.
"""

from __future__ import annotations

from rocm_perf_lab.optimizing.guards.loop_region import check_loop
from rocm_perf_lab.optimizing.refused import Refused
from rocm_perf_lab.optimizing.source.kernel import loop_numbered, require_visible
from rocm_perf_lab.optimizing.source.model import SourceKernel, SourceLoop
from rocm_perf_lab.optimizing.transforms.request import TransformRequest

FACTORS = range(2, 9)


def checked_loop(kernel: SourceKernel, request: TransformRequest) -> tuple[SourceLoop, int]:
    """The loop and the factor of a request for unrolling. Raises Refused."""
    require_visible(kernel)
    loop = loop_numbered(kernel, -1 if request.loop is None else request.loop)
    factor = request.factor
    if factor is None or factor not in FACTORS:
        raise Refused("factor-out-of-range", f"{factor}")
    if loop.trips is not None and loop.trips < factor:
        raise Refused("factor-exceeds-trips", f"{loop.trips} iterations, factor {factor}")
    return loop, factor


def unroll_by_pragma(kernel: SourceKernel, request: TransformRequest) -> bytes:
    loop, factor = checked_loop(kernel, request)
    check_loop(kernel, loop, rewritten=False)
    text = kernel.text
    line = f"#pragma unroll {factor}".encode()
    if loop.pragma is not None:
        present = loop.pragma.of(text)
        if present.split() == line.split():
            raise Refused("already-so", present.decode(errors="replace").strip())
        ending = b"\n" if present.endswith(b"\n") else b""
        return text[: loop.pragma.start] + line + ending + text[loop.pragma.end :]
    start = loop.span.start
    line_start = text.rfind(b"\n", 0, start) + 1
    newline = b"\r\n" if text[:start].endswith(b"\r\n") or b"\r\n" in text[:start] else b"\n"
    before = text[line_start:start]
    if before.strip():  # the loop stands behind something on its line
        return text[:start] + newline + line + newline + text[start:]
    return text[:line_start] + before + line + newline + text[line_start:]
