"""Kernels of many kinds with launches at which sampled and full simulation can be compared."""

from __future__ import annotations

import ctypes
import mmap
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from simulator import Result, compile_c, run_kernel

SOURCE = r"""
typedef unsigned long u64;
typedef unsigned u32;
typedef float float4 __attribute__((ext_vector_type(4)));
#define GLOBAL __attribute__((address_space(1)))
#define LDS __attribute__((address_space(3), loader_uninitialized))
#define IN const GLOBAL float* restrict
#define KERNEL __attribute__((amdgpu_kernel, amdgpu_flat_work_group_size(64, 256)))
#define GROUP __builtin_amdgcn_workgroup_id_x()
#define ITEM __builtin_amdgcn_workitem_id_x()
#define ID (GROUP * 256 + ITEM)
#define MEET                                              \
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup"); \
    __builtin_amdgcn_s_barrier();                         \
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");

static inline u32 mixed(u32 h) {
    h *= 2654435761u;
    h ^= h >> 15;
    h *= 2246822519u;
    return h ^ h >> 13;
}
static inline float calculate(float x, u32 steps) {
    for (u32 i = 0; i < steps; ++i)
#pragma unroll
        for (int j = 0; j < 16; ++j) x = __builtin_fmaf(x, 1.0001f, 0.5f);
    return x;
}
static inline float read_rows(const GLOBAL float* a, u32 first, u32 rows, u32 mask) {
    float x = 0;
    for (u32 i = 0; i < rows; ++i) x += a[((first + i) * 256 + ITEM) & mask];
    return x;
}

KERNEL void add(GLOBAL float* restrict out, const GLOBAL float* restrict a, const GLOBAL float* restrict b) {
    out[ID] = a[ID] + b[ID];
}
KERNEL void add4(GLOBAL float4* restrict out,
                 const GLOBAL float4* restrict a, const GLOBAL float4* restrict b) {
    out[ID] = a[ID] + b[ID];
}
KERNEL void add64(GLOBAL float* restrict out, IN a, IN b) {
    u32 i = GROUP * 64 + ITEM;
    out[i] = a[i] + b[i];
}
KERNEL void fill(GLOBAL float* out) { out[ID] = 1; }
KERNEL void read4(GLOBAL float* out, const GLOBAL float4* restrict a) {
    float4 v = a[ID];
    float sum = v.x + v.y + v.z + v.w;
    if (sum == 1.5f) out[0] = sum;
}
KERNEL void strided(GLOBAL float* restrict out, const GLOBAL float* restrict a, u64 stride, u64 mask) {
    out[ID] = a[ID * stride & mask];
}
KERNEL void gather(GLOBAL float* restrict out, const GLOBAL float* restrict a, u64 mask) {
    out[ID] = a[mixed(ID) & mask];
}
KERNEL void loop(GLOBAL float* restrict out, const GLOBAL float* restrict a, u64 count, u64 stride) {
    for (u32 i = ID; i < count; i += stride) out[i] = a[i] * 2;
}
LDS float square[16 * 17];
KERNEL void transpose(GLOBAL float* restrict out, const GLOBAL float* restrict in, u64 n) {
    u32 tx = ITEM & 15, ty = ITEM >> 4, tiles = n / 16, gx = GROUP % tiles, gy = GROUP / tiles;
    square[ty * 17 + tx] = in[(gy * 16 + ty) * n + gx * 16 + tx];
    MEET
    out[(gx * 16 + ty) * n + gy * 16 + tx] = square[tx * 17 + ty];
}
KERNEL void stencil(GLOBAL float* restrict out, const GLOBAL float* restrict in, u64 n) {
    u32 i = ID + n;
    out[i] = in[i - n] + in[i + n] + in[i - 1] + in[i + 1] - 4 * in[i];
}
LDS float partial[256];
KERNEL void reduce(GLOBAL float* restrict out, const GLOBAL float* restrict in) {
    partial[ITEM] = in[ID];
    for (u32 s = 128; s; s >>= 1) {
        MEET
        if (ITEM < s) partial[ITEM] += partial[ITEM + s];
    }
    if (ITEM == 0) out[GROUP] = partial[0];
}
LDS float tiles[2 * 256];
KERNEL void matmul(GLOBAL float* restrict c, IN a, IN b, u64 n) {
    volatile LDS float *ta = tiles, *tb = tiles + 256;
    u32 tx = ITEM & 15, ty = ITEM >> 4, per = n / 16, gx = GROUP % per, gy = GROUP / per;
    float sum = 0;
    for (u32 k = 0; k < n; k += 16) {
        ta[ITEM] = a[(gy * 16 + ty) * n + k + tx];
        tb[ITEM] = b[(k + ty) * n + gx * 16 + tx];
        MEET
#pragma unroll
        for (u32 j = 0; j < 16; ++j) sum += ta[ty * 16 + j] * tb[j * 16 + tx];
        __builtin_amdgcn_s_barrier();
    }
    c[(gy * 16 + ty) * n + gx * 16 + tx] = sum;
}
KERNEL void histogram(GLOBAL u32* bins, u64 mask) {
    __hip_atomic_fetch_add(bins + (mixed(ID) & mask), 1, __ATOMIC_RELAXED, 4);
}
KERNEL void counter(GLOBAL u32* bins, GLOBAL float* restrict out, const GLOBAL float* restrict a) {
    out[ID] = a[ID];
    if (ITEM == 0) __hip_atomic_fetch_add(bins, 1, __ATOMIC_RELAXED, 4);
}
LDS u32 counts[256];
KERNEL void histogram_lds(GLOBAL u32* bins, const GLOBAL u32* a, u64 rows) {
    counts[ITEM] = 0;
    MEET
    for (u32 i = 0; i < rows; ++i)
        __hip_atomic_fetch_add(counts + (mixed(a[(GROUP * rows + i) * 256 + ITEM] + ITEM) & 255), 1,
                               __ATOMIC_RELAXED, 2);
    MEET
    __hip_atomic_fetch_add(bins + ITEM, counts[ITEM], __ATOMIC_RELAXED, 4);
}
// Work of workgroup g, in steps of calculation or in rows read:
KERNEL void chain(GLOBAL float* out, u64 steps) { out[ID] = calculate((float)ITEM, steps); }
KERNEL void rows(GLOBAL float* out, const GLOBAL float* a, u64 steps, u64 mask) {
    out[ID] = read_rows(a, GROUP * steps, steps, mask);
}
// ... `period` a multiple of the number of dies: from die to die
KERNEL void uneven(GLOBAL float* out, u64 steps, u64 period) {
    out[ID] = calculate((float)ITEM, steps * (1 + GROUP % period));
}
// ... growing with its number, falling with it
KERNEL void triangle(GLOBAL float* out, const GLOBAL float* a, u64 shift, u64 mask) {
    out[ID] = read_rows(a, 0, GROUP >> shift, mask);
}
KERNEL void triangle_calculated(GLOBAL float* out, u64 shift) {
    out[ID] = calculate((float)ITEM, GROUP >> shift);
}
KERNEL void falling(GLOBAL float* out, const GLOBAL float* a, u64 shift, u64 groups, u64 mask) {
    out[ID] = read_rows(a, 0, (groups - GROUP) >> shift, mask);
}
KERNEL void falling_calculated(GLOBAL float* out, u64 shift, u64 groups) {
    out[ID] = calculate((float)ITEM, (groups - GROUP) >> shift);
}
// ... random: even up to a most, or a few that are long
KERNEL void random_even(GLOBAL float* out, u64 most) {
    out[ID] = calculate((float)ITEM, mixed(GROUP) % most);
}
KERNEL void random_rows(GLOBAL float* out, const GLOBAL float* a, u64 most, u64 mask) {
    out[ID] = read_rows(a, GROUP, mixed(GROUP) % most, mask);
}
KERNEL void random_skewed(GLOBAL float* out, u64 least) {
    u32 rare = __builtin_ctz(mixed(GROUP) | 1u << 12);
    out[ID] = calculate((float)ITEM, least << (rare / 2));
}
// ... the same for all but one
KERNEL void one_heavy(GLOBAL float* out, u64 steps, u64 which, u64 heavy) {
    out[ID] = calculate((float)ITEM, GROUP == which ? heavy : steps);
}
// ... none for some: where `number & mask` is not below a bound, before or from a number on
KERNEL void some_exit(GLOBAL float* out, u64 steps, u64 mask, u64 bound) {
    if ((mixed(GROUP) & mask) >= bound) return;
    out[ID] = calculate((float)ITEM, steps);
}
KERNEL void range_works(GLOBAL float* restrict out, const GLOBAL float* restrict a, u64 first, u64 end) {
    if (GROUP < first || GROUP >= end) return;
    out[ID] = a[ID] * 2;
}
// Each workgroup reads first, then calculates; some calculate, others read.
KERNEL void read_then_calculate(GLOBAL float* out, const GLOBAL float* a, u64 count, u64 steps, u64 mask) {
    float x = read_rows(a, GROUP * count, count, mask);
    MEET
    out[ID] = calculate(x, steps);
}
KERNEL void some_read(GLOBAL float* out, const GLOBAL float* a, u64 bit, u64 count, u64 steps, u64 mask) {
    out[ID] = GROUP >> bit & 1 ? read_rows(a, GROUP * count, count, mask) : calculate((float)ITEM, steps);
}
// Waves of a workgroup that do not end together.
KERNEL void uneven_waves(GLOBAL float* out, u64 steps) {
    out[ID] = calculate((float)ITEM, steps << (ITEM >> 6));
}
// Rows of a sparse matrix: random lengths, gathers from a vector.
KERNEL void sparse(GLOBAL float* restrict out, IN values, IN vector, u64 longest, u64 mask) {
    u32 row = ID, length = mixed(row >> 6) % longest;
    float sum = 0;
    for (u32 i = 0; i < length; ++i)
        sum += values[(i * 64 + (row & 63) + (row >> 6) * 64) & mask] *
               vector[mixed(row + i * 40503u) & (mask >> 4)];
    out[ID] = sum;
}
// Work that differs from place to place in a picture, and from lane to lane.
KERNEL void escape(GLOBAL float* out, u64 width, u64 most) {
    u32 x = ID % width, y = ID / width;
    float cr = -2 + 3 * (float)x / (float)width, ci = -1.5f + 3 * (float)y / (float)width, a = 0, b = 0;
    u32 i = 0;
    for (; i < most && a * a + b * b < 4; ++i) {
        float t = a * a - b * b + cr;
        b = 2 * a * b + ci;
        a = t;
    }
    out[ID] = (float)i;
}
// A row of each workgroup is read three times.
KERNEL void softmax(GLOBAL float* restrict out, IN in, u64 n) {
    const GLOBAL float* row = in + GROUP * n;
    float most = -1e30f, sum = 0;
    for (u32 i = ITEM; i < n; i += 256) most = __builtin_fmaxf(most, row[i]);
    partial[ITEM] = most;
    for (u32 s = 128; s; s >>= 1) {
        MEET
        if (ITEM < s) partial[ITEM] = __builtin_fmaxf(partial[ITEM], partial[ITEM + s]);
    }
    MEET
    most = partial[0];
    for (u32 i = ITEM; i < n; i += 256) sum += __builtin_amdgcn_exp2f(row[i] - most);
    MEET
    partial[ITEM] = sum;
    for (u32 s = 128; s; s >>= 1) {
        MEET
        if (ITEM < s) partial[ITEM] += partial[ITEM + s];
    }
    MEET
    sum = 1 / partial[0];
    for (u32 i = ITEM; i < n; i += 256) out[GROUP * n + i] = __builtin_amdgcn_exp2f(row[i] - most) * sum;
}
// Tiles of a matrix, those above its diagonal have nothing to do; below it work grows with the distance.
KERNEL void causal(GLOBAL float* restrict out, IN in, u64 per, u64 mask) {
    u32 x = GROUP % per, y = GROUP / per;
    if (x > y) return;
    float sum = 0;
    for (u32 i = x; i <= y; ++i) sum = calculate(sum + in[((y * per + i) * 256 + ITEM) & mask], 4);
    out[ID & mask] = sum;
}
// Each wave follows pointers.
KERNEL void chase(GLOBAL float* out, const GLOBAL u32* next, u64 steps, u64 mask) {
    u32 at = ID;
    for (u32 i = 0; i < steps; ++i) at = (mixed(at + i) + next[at & mask]) & mask;
    out[ID] = (float)at;
}
KERNEL void scatter(GLOBAL float* restrict out, IN in, u64 mask) { out[mixed(ID) & mask] = in[ID]; }
// A polynomial filter of `taps` neighbours: a wide stencil that lives in the L1.
KERNEL void filter(GLOBAL float* restrict out, IN in, u64 taps) {
    float sum = 0;
    for (u32 i = 0; i < taps; ++i) sum = __builtin_fmaf(sum, 0.5f, in[ID + i]);
    out[ID] = sum;
}
// One wave of a workgroup reads, the others calculate; they meet in each round.
KERNEL void producer(GLOBAL float* restrict out, IN in, u64 rounds, u64 mask) {
    float x = 0;
    for (u32 i = 0; i < rounds; ++i) {
        if (ITEM < 64) partial[ITEM] = in[((GROUP * rounds + i) * 64 + ITEM) & mask];
        MEET
        x = calculate(x + partial[ITEM & 63], ITEM < 64 ? 0 : 3);
        MEET
    }
    out[ID] = x;
}
// Writes an array and reads what another workgroup wrote of it long ago.
KERNEL void echo(GLOBAL float* data, u64 distance, u64 mask) {
    data[ID & mask] = data[(ID + distance) & mask] + 1;
}
// Three kinds of work, of all lengths, mixed at random.
KERNEL void kinds(GLOBAL float* out, const GLOBAL float* a, u64 most, u64 mask) {
    u32 h = mixed(GROUP), length = (h >> 8) % most;
    float x = (float)ITEM;
    if (h % 3 == 0) x = calculate(x, length);
    if (h % 3 == 1) x = read_rows(a, GROUP * 16, length, mask);
    if (h % 3 == 2)
        for (u32 i = 0; i < length; ++i) x += a[mixed(ID + i) & mask];
    out[ID] = x;
}
"""

M = 1 << 20
PAGE = 2 * M
MEMORY = 2048 * M
GENERATION = 2432  # workgroups of 256 that the MI300X runs at the same time: 8 on each of 304 compute units


@dataclass(frozen=True)
class Case:
    name: str
    kernel: str
    groups: int
    arguments: Callable[[], list[Any]]
    group_size: int = 256
    launch: dict[str, int] = field(default_factory=dict)

    def prepare(self) -> list[Any]:
        """Its arguments, in memory that earlier cases may have used."""
        Arrays.used = 0
        return self.arguments()


def floats(count: int, offset: int = 0) -> NDArray[np.float32]:
    """Memory `offset` bytes after a boundary of large pages, where arrays of this size lie on a GPU.

    Kernels do the same whatever is in it. Arrays lie at the same addresses in every run, because caches and
    channels depend on them.
    """
    size = -(-(count * 4 + offset) // PAGE) * PAGE
    return Arrays.take(size)[offset : offset + count * 4].view(np.float32)


def words(count: int) -> NDArray[np.uint32]:
    return floats(count).view(np.uint32)


class Arrays:
    """Memory at a fixed address, given out from its beginning for each case anew."""

    room: ClassVar[NDArray[np.uint8] | None] = None
    used: ClassVar[int] = 0

    @classmethod
    def take(cls, size: int) -> NDArray[np.uint8]:
        if cls.room is None:
            cls.room = fixed_memory()
        array = cls.room[cls.used : cls.used + size]
        assert len(array) == size, "arrays of one case take more than there is"
        cls.used += size + 3 * PAGE  # not the same place in every cache
        return array


def fixed_memory() -> NDArray[np.uint8]:
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype = ctypes.c_void_p
    fixed_if_free = 0x100000
    anonymous = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000  # MAP_NORESERVE
    address = libc.mmap(
        ctypes.c_void_p(0x7000_0000_0000 >> 1), ctypes.c_size_t(MEMORY), mmap.PROT_READ | mmap.PROT_WRITE,
        anonymous | fixed_if_free, -1, ctypes.c_long(0),
    )  # fmt: skip
    assert address != ctypes.c_void_p(-1).value, "the address is taken"
    return np.frombuffer((ctypes.c_uint8 * MEMORY).from_address(address), np.uint8)


def compile_kernels(folder: Path, more: str = "") -> bytes:
    """`more`: kernels that use the definitions of these."""
    return compile_c(folder, SOURCE + more, "gfx942", "-O2")


def run(code: bytes, case: Case, arguments: list[Any]) -> Result:
    result = run_kernel(
        code, case.kernel, [case.groups * case.group_size], [case.group_size], arguments, **case.launch
    )
    assert result.kind == 0, result.message
    return result
