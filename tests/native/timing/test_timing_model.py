"""What the timing model says about kernels whose time is known from first principles."""

from __future__ import annotations

import numpy as np
import pytest
from simulator import Stats, compile_c, run_kernel

SOURCE = r"""
typedef unsigned long u64;
typedef unsigned u32;
typedef float float4 __attribute__((ext_vector_type(4)));
#define GLOBAL __attribute__((address_space(1)))
#define KERNEL __attribute__((amdgpu_kernel, amdgpu_flat_work_group_size(64, 256)))
#define ID (__builtin_amdgcn_workgroup_id_x() * 256 + __builtin_amdgcn_workitem_id_x())

KERNEL void add(GLOBAL float* restrict out, const GLOBAL float* restrict a, const GLOBAL float* restrict b) {
    out[ID] = a[ID] + b[ID];
}
KERNEL void add4(GLOBAL float4* restrict out, const GLOBAL float4* restrict a,
                 const GLOBAL float4* restrict b) {
    out[ID] = a[ID] + b[ID];
}
KERNEL void strided(GLOBAL float* restrict out, const GLOBAL float* restrict a, u64 stride, u64 mask) {
    out[ID] = a[ID * stride & mask];
}
KERNEL void chase(GLOBAL u64* out, const GLOBAL u64* next, u64 steps, u64 zero) {
    u64 at = ID * zero;  // not known to be the same in all lanes: no scalar loads
    for (u64 i = 0; i < steps; ++i) at = next[at];
    *out = at;
}
KERNEL void fma_chain(GLOBAL float* out, u64 steps) {
    float x = (float)__builtin_amdgcn_workitem_id_x();
    for (u64 i = 0; i < steps; ++i)
#pragma unroll
        for (int j = 0; j < 64; ++j) x = __builtin_fmaf(x, 1.0001f, 0.5f);
    out[ID] = x;
}
KERNEL void clocks(GLOBAL u64* out) {
    u64 begin = __builtin_readcyclecounter();
    __builtin_amdgcn_s_sleep(100);
    u64 end = __builtin_readcyclecounter();
    out[ID] = end - begin;
}
__attribute__((address_space(3), loader_uninitialized)) u32 tile[64 * 65];
KERNEL void lds_columns(GLOBAL u32* out, u64 pitch, u64 steps) {
    u32 lane = __builtin_amdgcn_workitem_id_x() & 63, sum = 0;
    volatile __attribute__((address_space(3))) u32* shared = tile;
    for (u64 i = 0; i < steps; ++i) sum += shared[lane * pitch + (i & 15)];
    out[ID] = sum;
}
"""


@pytest.fixture(scope="module")
def code(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return compile_c(tmp_path_factory.mktemp("timing"), SOURCE, "gfx942", "-O2")


@pytest.fixture(autouse=True)
def one_host_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VROCM_TIMING", "sampled")


def stats(code: bytes, kernel: str, items: int, arguments: list[object], group: int = 256) -> Stats:
    result = run_kernel(code, kernel, [items], [group], arguments)
    assert result.kind == 0, result.message
    return result.stats


def floats(count: int) -> np.ndarray:
    """Zeros on a page boundary, as the runtimes place allocations: that decides which lines are touched."""
    page = 4096
    room = np.zeros(count * 4 + page, np.uint8)
    start = -room.ctypes.data % page
    return room[start : start + count * 4].view(np.float32)


def test_off_gives_no_time(code: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VROCM_TIMING", "off")
    assert stats(code, "add", 1024, [floats(1024), floats(1024), floats(1024)]).cycles == 0


@pytest.mark.parametrize("threads", ["1", "2", "5"])
def test_time_does_not_depend_on_host_threads(
    code: bytes, threads: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    a, b, out = (floats(1 << 20) for _ in range(3))
    first = stats(code, "add", 1 << 20, [out, a, b])
    monkeypatch.setenv("VROCM_THREADS", threads)
    again = stats(code, "add", 1 << 20, [out, a, b])
    assert (again.cycles, again.instructions) == (first.cycles, first.instructions)


def test_results_are_computed_in_every_mode(code: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    count = 1 << 20
    a, b = np.arange(count, dtype=np.float32), np.full(count, 2, np.float32)
    for mode in ("off", "sampled", "full"):
        monkeypatch.setenv("VROCM_TIMING", mode)
        out = floats(count)
        stats(code, "add", count, [out, a, b])
        assert np.array_equal(out, a + b)


def test_streaming_is_bound_by_memory(code: bytes) -> None:
    count = 1 << 22
    a, b, out = (floats(count) for _ in range(3))
    time = stats(code, "add", count, [out, a, b]).nanoseconds
    terabytes_per_second = 12 * count / time / 1000
    assert 1.5 < terabytes_per_second < 5.3  # the data sheet's peak


def test_wide_loads_move_more(code: bytes) -> None:
    count = 1 << 22
    a, b, out = (floats(count) for _ in range(3))
    narrow = stats(code, "add", count, [out, a, b])
    wide = stats(code, "add4", count // 4, [out, a, b])
    assert wide.cycles <= narrow.cycles * 1.02


def test_strided_loads_are_slower(code: bytes) -> None:
    count = 1 << 18
    a, out = floats(1 << 22), floats(count)
    dense = stats(code, "strided", count, [out, a, 1, (1 << 22) - 1])
    sparse = stats(code, "strided", count, [out, a, 16, (1 << 22) - 1])
    assert sparse.cycles > 1.5 * dense.cycles


@pytest.mark.parametrize(
    ("bytes_", "low", "high"),
    # Published pointer chases on MI300X, in clocks: vL1 112 to 119, L2 206 to 288.
    [(16 << 10, 108, 122), (1 << 20, 200, 295)],
)
def test_latency_of_a_pointer_chase(code: bytes, bytes_: int, low: float, high: float) -> None:
    lines, steps = bytes_ // 128, 4000
    order = np.random.default_rng(1).permutation(lines)
    chain = np.zeros(bytes_ // 8, np.uint64)
    chain[order * 16] = np.roll(order, -1) * 16
    out = np.zeros(1, np.uint64)
    cycles = [stats(code, "chase", 64, [out, chain, n, 0], 64).cycles for n in (2 * lines, 2 * lines + steps)]
    assert low < (cycles[1] - cycles[0]) / steps < high


def test_a_wave_issues_a_vector_instruction_every_four_clocks(code: bytes) -> None:
    out = floats(256)
    cycles = [stats(code, "fma_chain", 64, [out, n], 64).cycles for n in (10, 110)]
    assert (cycles[1] - cycles[0]) / 6400 == pytest.approx(4, rel=0.15)


def test_four_simds_work_side_by_side(code: bytes) -> None:
    out = floats(256)
    one = stats(code, "fma_chain", 64, [out, 100], 64).cycles
    four = stats(code, "fma_chain", 256, [out, 100]).cycles
    assert four < 1.1 * one


def test_the_clock_that_a_kernel_reads_is_the_models(code: bytes) -> None:
    out = np.zeros(64, np.uint64)
    stats(code, "clocks", 64, [out], 64)
    assert 6400 <= out[0] <= 6600  # s_sleep 100 is 6400 clocks


def test_bank_conflicts_cost_and_padding_removes_them(code: bytes) -> None:
    out = np.zeros(256, np.uint32)
    steps = 200
    conflicting = stats(code, "lds_columns", 64, [out, 64, steps], 64).cycles
    padded = stats(code, "lds_columns", 64, [out, 65, steps], 64).cycles
    assert conflicting - padded > 60 * steps


def test_repeated_launches_take_the_same_time_once_warm(code: bytes) -> None:
    a, b, out = (floats(1 << 18) for _ in range(3))
    times = [stats(code, "add", 1 << 18, [out, a, b]).cycles for _ in range(2)]
    assert times[0] == times[1]  # each call is a machine of its own, with cold caches
