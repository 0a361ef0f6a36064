// Pairs about arithmetic: matrix instructions, packed arithmetic, divergence, division, contended atomics.
#include "pair.h"

using f4 = float __attribute__((ext_vector_type(4)));
using f2 = float __attribute__((ext_vector_type(2)));

constexpr int kSide = 512;

// A wave computes 16x16 results; lane l holds A[l % 16][l / 16] and B[l / 16][l % 16] of each 16x16x4 step.
__global__ void multiply_mfma(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c) {
    const int lane = threadIdx.x, row = blockIdx.y * 16, column = blockIdx.x * 16;
    f4 sum = {};
    for (int k = 0; k < kSide; k += 4) {
        const float left = a[(row + lane % 16) * kSide + k + lane / 16];
        const float right = b[(k + lane / 16) * kSide + column + lane % 16];
        sum = __builtin_amdgcn_mfma_f32_16x16x4f32(left, right, sum, 0, 0, 0);
    }
    for (int i = 0; i < 4; ++i) c[(row + lane / 16 * 4 + i) * kSide + column + lane % 16] = sum[i];
}

// The same 16x16 results of a wave with vector instructions: four a lane.
__global__ void multiply_valu(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c) {
    const int lane = threadIdx.x, row = blockIdx.y * 16 + lane / 16 * 4, column = blockIdx.x * 16 + lane % 16;
    f4 sum = {};
    for (int k = 0; k < kSide; ++k)
        for (int i = 0; i < 4; ++i) sum[i] += a[(row + i) * kSide + k] * b[k * kSide + column];
    for (int i = 0; i < 4; ++i) c[(row + i) * kSide + column] = sum[i];
}

constexpr int kLoops = 512;

__global__ void scalar_fma(float factor, float* out) {
    float value[8];
    for (int i = 0; i < 8; ++i) value[i] = factor * float(i);
    for (int loop = 0; loop < kLoops; ++loop)
        for (int i = 0; i < 8; ++i) {
            value[i] = __builtin_fmaf(value[i], factor, factor);
            asm volatile("" : "+v"(value[i]));  // keep it unpacked
        }
    float sum = 0;
    for (float each : value) sum += each;
    out[blockIdx.x * 256 + threadIdx.x] = sum;
}

__global__ void packed_fma(float factor, float* out) {
    f2 value[4];
    for (int i = 0; i < 4; ++i) value[i] = f2{factor * float(2 * i), factor * float(2 * i + 1)};
    for (int loop = 0; loop < kLoops; ++loop)
        for (int i = 0; i < 4; ++i) {
            value[i] = __builtin_elementwise_fma(value[i], f2{factor, factor}, f2{factor, factor});
            asm volatile("" : "+v"(value[i]));
        }
    float sum = 0;
    for (f2 each : value) sum += each.x + each.y;
    out[blockIdx.x * 256 + threadIdx.x] = sum;
}

__device__ float long_way(float x, float factor) {
    for (int i = 0; i < 1000; ++i) {
        x = __builtin_fmaf(x, factor, 1.0f);
        asm volatile("" : "+v"(x));
    }
    return x;
}
__device__ float other_way(float x, float factor) {
    for (int i = 0; i < 1000; ++i) {
        x = __builtin_fmaf(x, factor, -1.0f);
        asm volatile("" : "+v"(x));
    }
    return x;
}

// Half of the threads go one way; `by` says whether they alternate within a wave (1) or wave by wave (64).
__global__ void two_ways(float factor, float* out, unsigned by) {
    const unsigned i = blockIdx.x * 256 + threadIdx.x;
    float x = factor;
    if (i / by % 2)
        x = long_way(x, factor);
    else
        x = other_way(x, factor);
    out[i] = x;
}

__global__ void divide(unsigned divisor, unsigned* out) {
    unsigned x = blockIdx.x * 256 + threadIdx.x + 0x80000000u;
    for (int i = 0; i < 192; ++i) x = x / divisor + 0x80000000u;
    out[blockIdx.x * 256 + threadIdx.x] = x;
}
__global__ void shift(unsigned bits, unsigned* out) {
    unsigned x = blockIdx.x * 256 + threadIdx.x + 0x80000000u;
    for (int i = 0; i < 192; ++i) x = (x >> bits) + 0x80000000u;
    out[blockIdx.x * 256 + threadIdx.x] = x;
}

__global__ void count_contended(const unsigned* in, unsigned* bins) {
    atomicAdd(&bins[in[blockIdx.x * 256 + threadIdx.x] % 64], 1u);
}
__global__ void count_private(const unsigned* in, unsigned* bins) {
    __shared__ unsigned mine[64];
    if (threadIdx.x < 64) mine[threadIdx.x] = 0;
    __syncthreads();
    for (int i = 0; i < 16; ++i) atomicAdd(&mine[in[(blockIdx.x * 16 + i) * 256 + threadIdx.x] % 64], 1u);
    __syncthreads();
    if (threadIdx.x < 64) atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

int main(int argc, char** argv) {
    take_names(argc, argv);
    const std::size_t count = std::size_t(1024) * 1024;
    float *a = on_device<float>(count), *b = on_device<float>(count), *c = on_device<float>(count);
    const dim3 tiles(kSide / 16, kSide / 16);
    variant("matrix_instructions", "mfma", [&] { multiply_mfma<<<tiles, 64>>>(a, b, c); });
    variant("matrix_instructions", "valu", [&] { multiply_valu<<<tiles, 64>>>(a, b, c); });
    variant("packed_fp32", "scalar", [&] { scalar_fma<<<304, 256>>>(0.5f, c); });
    variant("packed_fp32", "packed", [&] { packed_fma<<<304, 256>>>(0.5f, c); });
    variant("divergence", "within_waves", [&] { two_ways<<<304, 256>>>(0.5f, c, 1); });
    variant("divergence", "between_waves", [&] { two_ways<<<304, 256>>>(0.5f, c, 64); });
    unsigned* words = reinterpret_cast<unsigned*>(c);
    variant("division", "divide", [&] { divide<<<304, 256>>>(16, words); });
    variant("division", "shift", [&] { shift<<<304, 256>>>(4, words); });
    HIP_OK(hipMemset(a, 0, count * sizeof(float)));
    HIP_OK(hipMemset(b, 0, 64 * sizeof(unsigned)));
    const unsigned* in = reinterpret_cast<const unsigned*>(a);
    unsigned* bins = reinterpret_cast<unsigned*>(b);
    variant("atomics", "contended", [&] { count_contended<<<count / 256, 256>>>(in, bins); });
    variant("atomics", "privatised_in_lds", [&] { count_private<<<count / 4096, 256>>>(in, bins); });
}
