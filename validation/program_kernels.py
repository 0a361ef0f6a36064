"""Kernels as programs have them, at sizes of which gaps are left out, for sampling_survey.py."""

from __future__ import annotations

from collections.abc import Iterator

from sampling_kernels import GENERATION, Case, M, floats, words

SOURCE = r"""
typedef float float16 __attribute__((ext_vector_type(16)));
typedef short short4 __attribute__((ext_vector_type(4)));

LDS float4 bodies[256];
KERNEL void nbody(GLOBAL float4* restrict out, const GLOBAL float4* restrict in, u64 n) {
    float4 here = in[ID], force = 0;
    for (u32 first = 0; first < n; first += 256) {
        bodies[ITEM] = in[first + ITEM];
        MEET
        for (u32 j = 0; j < 256; ++j) {
            float4 to = bodies[j] - here;
            float r = __builtin_amdgcn_rsqf(to.x * to.x + to.y * to.y + to.z * to.z + 0.01f);
            force += to * (r * r * r * bodies[j].w);
        }
        MEET
    }
    out[ID] = force;
}
LDS u32 keys[512];
KERNEL void bitonic_sort(GLOBAL u32* data) {
    u32 first = GROUP * 512;
    keys[ITEM] = mixed(data[first + ITEM] + first + ITEM);
    keys[ITEM + 256] = mixed(data[first + ITEM + 256] + first + ITEM + 256);
    for (u32 size = 2; size <= 512; size <<= 1)
        for (u32 stride = size >> 1; stride; stride >>= 1) {
            MEET
            u32 at = 2 * ITEM - (ITEM & (stride - 1)), a = keys[at], b = keys[at + stride];
            if ((a > b) == ((at & size) == 0)) {
                keys[at] = b;
                keys[at + stride] = a;
            }
        }
    MEET
    data[first + ITEM] = keys[ITEM];
    data[first + ITEM + 256] = keys[ITEM + 256];
}
KERNEL void convolution(GLOBAL float* restrict out, IN in, u64 width) {
    float sum = 0;
    for (u32 y = 0; y < 5; ++y)
#pragma unroll
        for (u32 x = 0; x < 5; ++x) sum = __builtin_fmaf(sum, 0.3f, in[ID + y * width + x]);
    out[ID] = sum;
}
// A wave for each row of a matrix.
KERNEL void matrix_vector(GLOBAL float* restrict out, IN a, IN x, u64 n, u64 mask) {
    u32 row = GROUP * 4 + (ITEM >> 6), lane = ITEM & 63;
    float sum = 0;
    for (u32 i = lane; i < n; i += 64) sum += a[(row * n + i) & mask] * x[i];
    partial[ITEM] = sum;
    for (u32 s = 32; s; s >>= 1) {
        MEET
        if (lane < s) partial[ITEM] += partial[ITEM + s];
    }
    if (lane == 0) out[row] = partial[ITEM];
}
KERNEL void scan(GLOBAL float* restrict out, IN in) {
    float sum = in[ID];
    for (u32 distance = 1; distance < 256; distance <<= 1) {
        partial[ITEM] = sum;
        MEET
        float other = ITEM >= distance ? partial[ITEM - distance] : 0;
        MEET
        sum += other;
    }
    out[ID] = sum;
}
KERNEL void options(GLOBAL float* restrict out, IN price, IN strike, IN time) {
    float s = price[ID] + 1, x = strike[ID] + 2, t = time[ID] + 1;
    float d = (__builtin_amdgcn_logf(s) - __builtin_amdgcn_logf(x) + 0.3f * t) * __builtin_amdgcn_rsqf(t);
    float q = __builtin_amdgcn_rcpf(1 + 0.23f * __builtin_fabsf(d)), p = 1.33f;
#pragma unroll
    for (int i = 0; i < 5; ++i) p = __builtin_fmaf(p, q, -0.8f);
    out[ID] = p * __builtin_amdgcn_exp2f(-d * d) * s - x * __builtin_amdgcn_exp2f(-t);
}
KERNEL void monte_carlo(GLOBAL float* out, u64 samples) {
    u32 seed = mixed(ID);
    float inside = 0;
    for (u32 i = 0; i < samples; ++i) {
        seed = seed * 1664525u + 1013904223u;
        float u = (float)(seed >> 8) * 5.9e-8f;
        seed = seed * 1664525u + 1013904223u;
        float v = (float)(seed >> 8) * 5.9e-8f;
        if (u * u + v * v < 1) inside += 1;
    }
    out[ID] = inside;
}
KERNEL void butterflies(GLOBAL float* data, u64 log) {
    u32 stride = 1u << log, at = ((ID >> log) << (log + 1)) | (ID & (stride - 1));
    float a = data[at], b = data[at + stride];
    data[at] = a + b;
    data[at + stride] = a - b;
}
// Rows of a triangle, again and again: their sum first, then each element.
KERNEL void triangular_solve(GLOBAL float* restrict out, IN l, u64 n, u64 mask) {
    u32 row = GROUP;
    float x = 0;
    for (u32 i = ITEM; i < row % n; i += 256) x += l[(row * 64 + i) & mask] * 0.5f;
    partial[ITEM] = x;
    for (u32 s = 128; s; s >>= 1) {
        MEET
        if (ITEM < s) partial[ITEM] += partial[ITEM + s];
    }
    MEET
    x = partial[0];
    for (u32 i = ITEM; i < row % n; i += 256) out[(row * 64 + i) & mask] = x + l[(row * 64 + i) & mask];
}
KERNEL void hash_table(GLOBAL u32* table, const GLOBAL u32* in, u64 mask) {
    u32 h = mixed(ID + in[ID]);
    for (u32 i = 0; i < 4; ++i) {
        u32 found = __hip_atomic_fetch_add(table + ((h + i * 17) & mask), 0, __ATOMIC_RELAXED, 4);
        if (((found ^ h) & 3) == 0) break;
    }
}
KERNEL void attention(GLOBAL float* restrict out, IN queries, IN others, u64 n, u64 mask) {
    float sum = 0, most = -1e30f, weights = 0, mine = queries[ID];
    for (u32 first = 0; first < n; first += 64) {
        if (ITEM < 64) partial[ITEM] = others[(GROUP / 16 * n + first + ITEM) & mask];
        MEET
        for (u32 j = 0; j < 64; j += 4) {
            float score = mine * partial[j] + partial[j + 1] * partial[j + 2];
            float higher = __builtin_fmaxf(most, score);
            float scale = __builtin_amdgcn_exp2f(most - higher);
            float weight = __builtin_amdgcn_exp2f(score - higher);
            weights = weights * scale + weight;
            sum = sum * scale + weight * partial[j + 3];
            most = higher;
        }
        MEET
    }
    out[ID] = sum / weights;
}
KERNEL void matrix_cores(GLOBAL float* restrict out, const GLOBAL u64* restrict in, u64 steps, u64 mask) {
    float16 tile = 0;
    for (u32 i = 0; i < steps; ++i) {
        u64 x = in[(GROUP * steps * 16 + i * 256 + ITEM) & mask];
        u64 y = in[(GROUP / 64 * steps * 16 + i * 256 + ITEM) & mask];
        tile = __builtin_amdgcn_mfma_f32_32x32x8bf16_1k(*(short4*)&x, *(short4*)&y, tile, 0, 0, 0);
    }
    float sum = 0;
    for (int i = 0; i < 16; ++i) sum += tile[i];
    out[ID] = sum;
}
"""


def cases() -> Iterator[Case]:
    yield Case("n-body", "nbody", 512, lambda: [floats(M), floats(M), 2560])
    yield Case("n-body, 3 generations", "nbody", 3 * GENERATION, lambda: [floats(8 * M), floats(8 * M), 256])
    yield Case("bitonic sort", "bitonic_sort", 30000, lambda: [words(16 * M)])
    yield Case("convolution", "convolution", 65536 - 64, lambda: [floats(17 * M), floats(17 * M), 4096])
    yield Case("matrix by vector", "matrix_vector", 4096,
               lambda: [floats(M), floats(64 * M), floats(16384), 16384, 64 * M - 1])  # fmt: skip
    yield Case("matrix by vector, short rows", "matrix_vector", 40000,
               lambda: [floats(M), floats(64 * M), floats(16384), 2048, 64 * M - 1])  # fmt: skip
    yield Case("scan", "scan", 131072, lambda: [floats(32 * M), floats(32 * M)])
    yield Case("options", "options", 262144, lambda: [floats(64 * M) for _ in range(4)])
    yield Case("Monte Carlo", "monte_carlo", 9000, lambda: [floats(4 * M), 256])
    yield Case("Monte Carlo, short", "monte_carlo", 60000, lambda: [floats(16 * M), 40])
    for log in (3, 12, 20):
        yield Case(f"butterflies of 2^{log}", "butterflies", 262144, lambda s=log: [floats(129 * M), s])
    yield Case("triangular solve", "triangular_solve", 32768,
               lambda: [floats(16 * M), floats(16 * M), 8192, 16 * M - 1])  # fmt: skip
    yield Case("triangular solve, many", "triangular_solve", 65536,
               lambda: [floats(16 * M), floats(16 * M), 2048, 16 * M - 1])  # fmt: skip
    yield Case("hash table", "hash_table", 65536, lambda: [words(16 * M), words(16 * M), 16 * M - 1])
    yield Case("attention", "attention", 6000,
               lambda: [floats(4 * M), floats(4 * M), floats(16 * M), 1024, 16 * M - 1])  # fmt: skip
    yield Case("attention, long", "attention", 2000,
               lambda: [floats(4 * M), floats(4 * M), floats(16 * M), 4096, 16 * M - 1])  # fmt: skip
    yield Case("matrix cores", "matrix_cores", 20000, lambda: [floats(8 * M), floats(32 * M), 96, 16 * M - 1])
    yield Case(
        "matrix cores, long", "matrix_cores", 3000, lambda: [floats(8 * M), floats(32 * M), 900, 16 * M - 1]
    )
    # Of those in sampling_kernels, larger ones than any that the gaps were made with.
    for count in (16, 32):
        yield Case(f"producer, {count} generations", "producer", count * GENERATION,
                   lambda: [floats(32 * M), floats(16 * M), 12, 16 * M - 1])  # fmt: skip
    yield Case("producer, 8 long generations", "producer", 8 * GENERATION,
               lambda: [floats(8 * M), floats(16 * M), 24, 16 * M - 1])  # fmt: skip
    yield Case("three kinds, very large", "kinds", 120000,
               lambda: [floats(32 * M), floats(16 * M), 32, 16 * M - 1])  # fmt: skip
    yield Case("softmax, very large", "softmax", 50000,
               lambda: [floats(50000 * 2048), floats(50000 * 2048), 2048])  # fmt: skip
    yield Case("read, then calculate, long", "read_then_calculate", 9000,
               lambda: [floats(4 * M), floats(16 * M), 100, 100, 16 * M - 1])  # fmt: skip
    yield Case("calculation, 4.6 generations", "chain", 11200, lambda: [floats(8 * M), 100])
    yield Case(
        "rows, 2.3 generations", "rows", 5600, lambda: [floats(8 * M), floats(64 * M), 400, 64 * M - 1]
    )
