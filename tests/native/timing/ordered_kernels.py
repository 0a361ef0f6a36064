"""Kernels whose workgroups tell each other something, read the clock or use scratch."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from sampling_kernels import GENERATION, Case, M, floats, words

SOURCE = r"""
#define ATOMIC(operation, ...) __scoped_atomic_##operation(__VA_ARGS__, __MEMORY_SCOPE_DEVICE)

static inline float sum_of_group(float x) {
    partial[ITEM] = x;
    for (u32 s = 128; s; s >>= 1) {
        MEET
        if (ITEM < s) partial[ITEM] += partial[ITEM + s];
    }
    MEET
    return partial[0];
}
static inline float product_of_group(IN a, IN b, u64 each) {
    float sum = 0;
    for (u32 i = 0; i < each; ++i) {
        u32 at = (GROUP * each + i) * 256 + ITEM;
        sum += a[at] * b[at];
    }
    return sum_of_group(sum);
}
KERNEL void dot(GLOBAL float* out, IN a, IN b, u64 each) {
    float sum = product_of_group(a, b, each);
    if (ITEM == 0) __builtin_amdgcn_global_atomic_fadd_f32(out, sum);
}
// As compilers add floats where hardware may not.
KERNEL void dot_by_exchange(GLOBAL u32* out, IN a, IN b, u64 each) {
    float sum = product_of_group(a, b, each);
    if (ITEM != 0) return;
    u32 old = ATOMIC(load_n, out, __ATOMIC_RELAXED), next;
    do next = __builtin_bit_cast(u32, __builtin_bit_cast(float, old) + sum);
    while (!ATOMIC(compare_exchange_n, out, &old, next, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}
KERNEL void weighted_histogram(GLOBAL float* bins, IN in, u64 mask) {
    __builtin_amdgcn_global_atomic_fadd_f32(bins + (mixed(ID) & mask), in[ID]);
}
// Keeps every third number: a wave asks for room for all of its own.
KERNEL void compaction(GLOBAL float* out, GLOBAL u32* count, IN in) {
    int keeps = mixed(ID) % 3 == 0;
    u64 all = __builtin_amdgcn_ballot_w64(keeps);
    u32 before = __builtin_amdgcn_mbcnt_hi(all >> 32, __builtin_amdgcn_mbcnt_lo(all, 0)), first = 0;
    if ((ITEM & 63) == 0) first = ATOMIC(fetch_add, count, (u32)__builtin_popcountl(all), __ATOMIC_RELAXED);
    first = __builtin_amdgcn_readfirstlane(first);
    if (keeps) out[(first + before) & 0xffffff] = in[ID];
}
// The last workgroup adds up what all have found.
LDS u32 place;
KERNEL void last_adds(GLOBAL float* sums, GLOBAL u32* ended, IN in, u64 each, u64 groups) {
    float sum = 0;
    for (u32 i = 0; i < each; ++i) sum += in[(GROUP * each + i) * 256 + ITEM];
    sum = sum_of_group(sum);
    if (ITEM == 0) {
        sums[GROUP] = sum;
        place = ATOMIC(fetch_add, ended, 1u, __ATOMIC_ACQ_REL);
    }
    MEET
    if (place != groups - 1) return;
    for (u32 i = ITEM; i < groups; i += 256) sum += sums[i];
    sum = sum_of_group(sum);
    if (ITEM == 0) sums[0] = sum;
}
// Workgroups that stay and take one tile after another.
KERNEL void work_queue(GLOBAL float* out, GLOBAL u32* next, IN in, u64 tiles, u64 mask) {
    for (;;) {
        if (ITEM == 0) place = ATOMIC(fetch_add, next, 1u, __ATOMIC_RELAXED);
        MEET
        u32 tile = place;
        MEET
        if (tile >= tiles) return;
        float x = in[(tile * 256 + ITEM) & mask];
        out[(tile * 256 + ITEM) & mask] = calculate(x, 4 + mixed(tile) % 16);
    }
}
// Sweeps of a stencil, after each of which all wait for all.
KERNEL void sweeps(GLOBAL float* a, GLOBAL float* b, GLOBAL u32* arrived, u64 groups, u64 each, u64 rounds) {
    for (u32 round = 1; round <= rounds; ++round) {
        for (u32 i = 0; i < each; ++i) {
            u32 at = (i * groups + GROUP) * 256 + ITEM;
            b[at] = (a[at] + a[at + 1] + a[at + 256]) * 0.3f;
        }
        MEET
        if (ITEM == 0) {
            ATOMIC(fetch_add, arrived, 1u, __ATOMIC_RELEASE);
            while (ATOMIC(load_n, arrived, __ATOMIC_RELAXED) < round * groups) __builtin_amdgcn_s_sleep(2);
            __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "agent");
        }
        MEET
        GLOBAL float* swapped = a;
        a = b;
        b = swapped;
    }
}
// Running sums: each workgroup waits for the one before it.
KERNEL void chained_scan(GLOBAL float* out, GLOBAL u64* states, IN in) {
    float x = in[ID], own = sum_of_group(x);
    if (ITEM == 0) {
        float before = 0;
        if (GROUP) {
            u64 state;
            while (!((state = ATOMIC(load_n, states + GROUP - 1, __ATOMIC_RELAXED)) >> 32))
                __builtin_amdgcn_s_sleep(1);
            before = __builtin_bit_cast(float, (u32)state);
        }
        ATOMIC(store_n, states + GROUP, 1ul << 32 | __builtin_bit_cast(u32, before + own), __ATOMIC_RELAXED);
        partial[0] = before;
    }
    MEET
    out[ID] = partial[0] + x;
}
// Each workgroup waits for one that begins after it.
KERNEL void waits_ahead(GLOBAL float* out, GLOBAL u32* here, u64 ahead, u64 groups) {
    float x = calculate(ITEM, 50);
    if (ITEM == 0) {
        ATOMIC(store_n, here + GROUP, 1u, __ATOMIC_RELAXED);
        if (GROUP + ahead < groups)
            while (!ATOMIC(load_n, here + GROUP + ahead, __ATOMIC_RELAXED)) __builtin_amdgcn_s_sleep(1);
    }
    MEET
    out[ID] = x;
}
KERNEL void clocked(GLOBAL float* out, GLOBAL u64* took, IN in, u64 rounds, u64 mask) {
    u64 began = __builtin_readcyclecounter();
    float x = 0;
    for (u32 i = 0; i < rounds; ++i) x = calculate(x + in[(ID + i * 65536) & mask], 2);
    out[ID] = x;
    if (ITEM == 0) took[GROUP] = __builtin_readcyclecounter() - began;
}
// An array of each item that registers cannot hold.
KERNEL void scratch(GLOBAL float* out, IN in, u64 rounds) {
    float own[32];
    for (u32 i = 0; i < 32; ++i) own[i] = in[ID] + i;
    u32 at = ITEM;
    for (u32 i = 0; i < rounds; ++i) {
        at = mixed(at + i);
        own[at & 31] = own[at >> 5 & 31] * 0.5f + 1;
    }
    float sum = 0;
    for (u32 i = 0; i < 32; ++i) sum += own[i];
    out[ID] = sum;
}
"""


def zeros(count: int) -> NDArray[np.uint32]:
    found = words(count)
    found[:] = 0
    return found


def ones(count: int) -> NDArray[np.float32]:
    found = floats(count)
    found[:] = 1
    return found


# So much LDS that a compute unit has room for one of them.
FEW_AT_A_TIME = [
    Case("a chain of single workgroups", "chained_scan", 6000,
         lambda: [floats(2 * M), zeros(M), ones(2 * M)], launch={"group_segment_size": 65536}),
    Case("single workgroups exchange", "dot_by_exchange", 6000,
         lambda: [zeros(64), ones(16 * M), ones(16 * M), 8], launch={"group_segment_size": 65536}),
    Case("single workgroups wait for later ones", "waits_ahead", 6000,
         lambda: [floats(2 * M), zeros(8192), 100, 6000], launch={"group_segment_size": 65536}),
]  # fmt: skip


def cases() -> Iterator[Case]:
    yield from FEW_AT_A_TIME
    for name, groups in (("", 8192), (", large", 20000)):
        yield Case(f"dot by exchange{name}", "dot_by_exchange", groups,
                   lambda: [zeros(64), ones(48 * M), ones(48 * M), 8])  # fmt: skip
        yield Case(f"chained scan{name}", "chained_scan", 2 * groups,
                   lambda: [floats(16 * M), zeros(2 * M), floats(16 * M)])  # fmt: skip
    for name, factor in (("", 1), (", large", 4)):
        yield Case(f"dot{name}", "dot", 8192 * factor, lambda: [zeros(64), floats(64 * M), floats(64 * M), 8])
        yield Case(f"weighted histogram{name}", "weighted_histogram", 32768 * factor,
                   lambda: [zeros(65536), floats(32 * M), 65535])  # fmt: skip
        yield Case(f"compaction{name}", "compaction", 65536 * factor,
                   lambda: [floats(16 * M), zeros(64), floats(64 * M)])  # fmt: skip
        yield Case(f"the last adds{name}", "last_adds", 8192 * factor,
                   lambda f=factor: [floats(M), zeros(64), floats(64 * M), 8, 8192 * f])  # fmt: skip
        yield Case(f"work queue{name}", "work_queue", GENERATION,
                   lambda f=factor: [floats(16 * M), zeros(64), floats(16 * M), 16384 * f,
                                     16 * M - 1])  # fmt: skip
        yield Case(f"sweeps{name}", "sweeps", GENERATION,
                   lambda f=factor: [floats(16 * M), floats(16 * M), zeros(64), GENERATION, 8,
                                     4 * f])  # fmt: skip
        yield Case(f"clocked{name}", "clocked", 4096 * factor,
                   lambda: [floats(16 * M), words(M), floats(16 * M), 12, 16 * M - 1])  # fmt: skip
        yield Case(f"scratch{name}", "scratch", 4096 * factor, lambda: [floats(4 * M), floats(4 * M), 60])
