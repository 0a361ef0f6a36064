"""What the compiler makes of memory: private arrays, spills, generic pointers, arrays in registers."""

from __future__ import annotations

import numpy as np
import pytest
from simulator import compile_c, run_kernel

SOURCE = """
typedef unsigned u32;
typedef u32 vector __attribute__((ext_vector_type(16)));
#define KERNEL __attribute__((amdgpu_kernel, amdgpu_flat_work_group_size(1, 256)))
#define GLOBAL __attribute__((address_space(1)))
#define SHARED __attribute__((address_space(3)))
static u32 item() { return __builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x(); }

// An array that each lane indexes its own way: private memory.
KERNEL void private_array(GLOBAL u32* out) {
    u32 i = item();
    volatile u32 array[40];
    for (u32 k = 0; k < 40; ++k) array[k] = k * 100 + i;
    u32 sum = 0;
    for (u32 k = 0; k < 5; ++k) sum = sum * 31 + array[(i * 7 + k) % 40];
    out[i] = sum;
}

// Bytes and shorts at odd places.
KERNEL void private_bytes(GLOBAL u32* out) {
    u32 i = item();
    volatile unsigned char bytes[37];
    volatile short shorts[9];
    for (u32 k = 0; k < 37; ++k) bytes[k] = (unsigned char)(k * 3 + i);
    for (u32 k = 0; k < 9; ++k) shorts[k] = (short)(i * 1000 - k * 3000);
    out[i] = bytes[i % 37] + ((u32)shorts[i % 9] << 8);
}

// One pointer that may be global, shared or private.
static __attribute__((noinline)) u32 take(volatile u32* p, u32 k) {
    u32 old = p[k];
    p[k] = old + 5;
    return old + p[k];
}
static SHARED u32 shared[64] __attribute__((loader_uninitialized));
KERNEL void generic_pointer(GLOBAL u32* out, GLOBAL u32* in) {
    u32 i = item(), lane = __builtin_amdgcn_workitem_id_x();
    u32 mine[4] = {i, i + 1, i + 2, i + 3};
    shared[lane] = i * 2;
    volatile u32* p = mine + i % 4;
    if (i % 3 == 0) p = (volatile u32*)(in + i);
    if (i % 3 == 1) p = (volatile u32*)(shared + lane);
    out[i] = take(p, 0) + mine[i % 4] + shared[lane];
}

// A vector in registers, indexed by a value of the wave and by one of the lane.
KERNEL void register_array(GLOBAL u32* out, GLOBAL u32* in, u32 which) {
    u32 i = item();
    vector v;
    for (u32 k = 0; k < 16; ++k) v[k] = in[i] * (k + 1);
    v[which % 16] += 7;
    v[i % 16] ^= 0xff00;
    out[i] = v[(which + 1) % 16] + v[which % 16] * 3 + v[(i + which) % 16];
}

// Deep calls: the stack grows and shrinks.
static __attribute__((noinline)) u32 deep(u32 n, volatile u32* up) {
    volatile u32 here[3] = {n, n * n, up[0]};
    if (n == 0) return here[2];
    return deep(n - 1, here) * 3 + here[1] + here[2];
}
KERNEL void recursion(GLOBAL u32* out) {
    u32 i = item();
    volatile u32 start = i;
    out[i] = deep(i % 7, &start);
}
"""
ITEMS = 192
ITEM = np.arange(ITEMS, dtype=np.uint64)
M32 = np.uint64(0xFFFFFFFF)


@pytest.fixture(
    scope="module", params=[(a, o) for a in ("gfx942", "gfx90a") for o in ("-O0", "-O2")], ids="".join
)
def code(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    arch, level = request.param
    return compile_c(tmp_path_factory.mktemp("compiled"), SOURCE, arch, level)


def run(code: bytes, kernel: str, *arguments: object) -> np.ndarray:
    out = np.zeros(ITEMS, dtype=np.uint32)
    result = run_kernel(code, kernel, [ITEMS], [64], [out, *arguments], private_segment_size=4096)
    assert result.kind == 0, result.message
    return out


def test_private_array(code: bytes) -> None:
    expected = np.zeros(ITEMS, dtype=np.uint64)
    for k in range(5):
        expected = (
            expected * np.uint64(31)
            + (ITEM * np.uint64(7) + np.uint64(k)) % np.uint64(40) * np.uint64(100)
            + ITEM
        ) & M32
    assert np.array_equal(run(code, "private_array"), expected)


def test_private_bytes(code: bytes) -> None:
    expected = []
    for i in range(ITEMS):
        byte = (i % 37 * 3 + i) % 256
        short = (i * 1000 - i % 9 * 3000) & 0xFFFF
        extended = short - 65536 if short & 0x8000 else short
        expected.append(byte + (extended << 8) & 0xFFFFFFFF)
    assert np.array_equal(run(code, "private_bytes"), expected)


def test_generic_pointer(code: bytes) -> None:
    source = np.arange(ITEMS, dtype=np.uint32) * 11
    values = source.copy()
    out = run(code, "generic_pointer", source)
    for i in range(ITEMS):
        mine, shared = i + i % 4, i * 2
        old = (int(values[i]), shared, mine)[i % 3]
        mine += 5 * (i % 3 == 2)
        shared += 5 * (i % 3 == 1)
        assert out[i] == 2 * old + 5 + mine + shared, i
        assert source[i] == values[i] + 5 * (i % 3 == 0)


@pytest.mark.parametrize("which", [0, 3, 15])
def test_register_array(code: bytes, which: int) -> None:
    source = np.arange(ITEMS, dtype=np.uint32) * 3 + 1
    out = run(code, "register_array", source, which)
    for i in range(ITEMS):
        v = [int(source[i]) * (k + 1) for k in range(16)]
        v[which % 16] += 7
        v[i % 16] ^= 0xFF00
        assert out[i] == v[(which + 1) % 16] + v[which % 16] * 3 + v[(i + which) % 16], i


def test_recursion(code: bytes) -> None:
    def deep(n: int, up: int) -> int:
        return up if n == 0 else deep(n - 1, n) * 3 + n * n + up & 0xFFFFFFFF

    assert [int(x) for x in run(code, "recursion")] == [deep(i % 7, i) for i in range(ITEMS)]
