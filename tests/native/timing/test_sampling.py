"""A dispatch of which a part is simulated takes as long as one that is simulated as a whole."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from simulator import Result, compile_c, run_kernel

SOURCE = r"""
typedef unsigned long u64;
typedef unsigned u32;
typedef float float4 __attribute__((ext_vector_type(4)));
#define GLOBAL __attribute__((address_space(1)))
#define LDS __attribute__((address_space(3), loader_uninitialized))
#define KERNEL __attribute__((amdgpu_kernel, amdgpu_flat_work_group_size(64, 256)))
#define GROUP __builtin_amdgcn_workgroup_id_x()
#define ITEM __builtin_amdgcn_workitem_id_x()
#define ID (GROUP * 256 + ITEM)
#define MEET                                              \
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup"); \
    __builtin_amdgcn_s_barrier();                         \
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");

KERNEL void add(GLOBAL float* restrict out, const GLOBAL float* restrict a, const GLOBAL float* restrict b) {
    out[ID] = a[ID] + b[ID];
}
KERNEL void fill(GLOBAL float* out) { out[ID] = 1; }
KERNEL void read4(GLOBAL float* out, const GLOBAL float4* restrict a) {
    float4 v = a[ID];
    float sum = v.x + v.y + v.z + v.w;
    if (sum == 1.5f) out[0] = sum;
}
// Work that differs from group to group; `period` a multiple of the number of dies: from die to die.
KERNEL void uneven(GLOBAL float* out, u64 steps, u64 period) {
    float x = (float)ITEM;
    u32 n = steps * (1 + GROUP % period);
    for (u32 i = 0; i < n; ++i)
#pragma unroll
        for (int j = 0; j < 16; ++j) x = __builtin_fmaf(x, 1.0001f, 0.5f);
    out[ID] = x;
}
KERNEL void loop(GLOBAL float* restrict out, const GLOBAL float* restrict a, u64 count, u64 stride) {
    for (u32 i = ID; i < count; i += stride) out[i] = a[i] * 2;
}
LDS float tile[16 * 17];
KERNEL void transpose(GLOBAL float* restrict out, const GLOBAL float* restrict in, u64 n) {
    u32 tx = ITEM & 15, ty = ITEM >> 4, tiles = n / 16, gx = GROUP % tiles, gy = GROUP / tiles;
    tile[ty * 17 + tx] = in[(gy * 16 + ty) * n + gx * 16 + tx];
    MEET
    out[(gx * 16 + ty) * n + gy * 16 + tx] = tile[tx * 17 + ty];
}
KERNEL void stencil(GLOBAL float* restrict out, const GLOBAL float* restrict in, u64 n) {
    u32 i = ID + n;
    out[i] = in[i - n] + in[i + n] + in[i - 1] + in[i + 1] - 4 * in[i];
}
"""

M = 1 << 20


@dataclass(frozen=True)
class Case:
    name: str
    kernel: str
    items: int
    arguments: Callable[[], list[Any]]


def floats(count: int, offset: int = 0) -> NDArray[np.float32]:
    """Zeros `offset` bytes after a page boundary."""
    page = 4096
    room = np.zeros(count * 4 + 2 * page, np.uint8)
    start = -room.ctypes.data % page + offset
    return room[start : start + count * 4].view(np.float32)


CASES = [
    Case("aligned stream", "add", 8 * M, lambda: [floats(8 * M) for _ in range(3)]),
    Case("stream off the lines", "add", 8 * M, lambda: [floats(8 * M, 16) for _ in range(3)]),
    Case("longer stream off the lines", "add", 16 * M, lambda: [floats(16 * M, 16) for _ in range(3)]),
    Case("writes", "fill", 16 * M, lambda: [floats(16 * M)]),
    Case("reads", "read4", 8 * M, lambda: [floats(1), floats(32 * M)]),
    Case(
        "loop over the data", "loop", 256 * 2432, lambda: [floats(26 * M), floats(26 * M), 26 * M, 256 * 2432]
    ),
    Case("tiles in LDS", "transpose", 6 * M, lambda: [floats(16 * M), floats(16 * M), 4096]),
    Case("neighbours", "stencil", 8 * M, lambda: [floats(9 * M, 4), floats(9 * M, 4), 4096]),
    Case("uneven dies", "uneven", 4 * M, lambda: [floats(4 * M), 2, 8]),
]


@pytest.fixture(scope="module")
def code(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return compile_c(tmp_path_factory.mktemp("sampling"), SOURCE, "gfx942", "-O2")


def run(code: bytes, case: Case, arguments: list[Any]) -> Result:
    result = run_kernel(code, case.kernel, [case.items], [256], arguments)
    assert result.kind == 0, result.message
    return result


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_sampled_and_full_agree(code: bytes, case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = case.arguments()
    monkeypatch.setenv("VROCM_TIMING", "sampled")
    sampled = run(code, case, arguments).stats
    monkeypatch.setenv("VROCM_TIMING", "full")
    full = run(code, case, arguments).stats
    assert sampled.sampled
    assert not full.sampled
    assert sampled.instructions == full.instructions
    assert sampled.cycles == pytest.approx(full.cycles, rel=0.05)


# Of long groups only a part of the first is simulated, and one is run ahead to see how long they are.
LONG_GROUPS = Case("long groups", "uneven", 256 * 2500, lambda: [floats(M), 64, 1])


@pytest.mark.parametrize("case", [CASES[1], LONG_GROUPS], ids=lambda case: case.name)
def test_what_is_sampled_does_not_depend_on_host_threads(
    code: bytes, case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = case.arguments()
    monkeypatch.setenv("VROCM_TIMING", "sampled")
    cycles = set()
    for threads in ("1", "3"):
        monkeypatch.setenv("VROCM_THREADS", threads)
        stats = run(code, case, arguments).stats
        assert stats.sampled
        cycles.add(stats.cycles)
    assert len(cycles) == 1


def test_workgroups_that_were_left_out_are_run(code: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    count = 16 * M
    a, b, out = (floats(count) for _ in range(3))
    a[:] = np.arange(count)
    b[:] = 2
    monkeypatch.setenv("VROCM_TIMING", "sampled")
    result = run_kernel(code, "add", [count], [256], [out, a, b])
    assert result.stats.sampled
    assert np.array_equal(out, a + b)


def test_a_fault_is_that_of_the_first_workgroup(code: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those at the end of the dispatch are simulated before those in its middle, which fault too."""
    count = 16 * M
    a, b, out = floats(count), floats(count), floats(count)[: count * 3 // 4]
    messages = []
    for mode in ("off", "sampled"):
        monkeypatch.setenv("VROCM_TIMING", mode)
        result = run_kernel(code, "add", [count], [256], [out, a, b])
        assert result.kind != 0
        messages.append(result.message)
    assert messages[0] == messages[1]
