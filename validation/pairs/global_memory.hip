// Pairs about global memory: independent loads in flight, coalescing, width of loads, layout, reuse in L2.
#include "pair.h"

// A thread sums elements one `stride` apart. One wave a compute unit: nothing hides the latency but the loop itself.
template <int kUnroll>
__global__ void sum_column(const float* __restrict__ data, float* __restrict__ out, int count, int stride) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
#pragma unroll kUnroll
    for (int i = 0; i < count; ++i) sum += data[i * stride + column];
    out[column] = sum;
}

__global__ void copy_coalesced(const float* __restrict__ from, float* __restrict__ to) {
    const unsigned base = blockIdx.x * 256 * 16 + threadIdx.x;
    for (unsigned i = 0; i < 16; ++i) to[base + i * 256] = from[base + i * 256];
}

__global__ void copy_strided(const float* __restrict__ from, float* __restrict__ to) {
    const unsigned base = (blockIdx.x * 256 + threadIdx.x) * 16;
#pragma unroll 1
    for (unsigned i = 0; i < 16; ++i) to[base + i] = from[base + i];
}

__global__ void scale_float(const float* __restrict__ from, float* __restrict__ to, float factor) {
    const unsigned i = blockIdx.x * 256 + threadIdx.x;
    to[i] = from[i] * factor;
}

__global__ void scale_float4(const float4* __restrict__ from, float4* __restrict__ to, float factor) {
    const unsigned i = blockIdx.x * 256 + threadIdx.x;
    const float4 v = from[i];
    to[i] = make_float4(v.x * factor, v.y * factor, v.z * factor, v.w * factor);
}

struct Particle {
    float x, y, z, vx, vy, vz, mass, charge;
};

__global__ void push_structures(const Particle* __restrict__ particles, float* __restrict__ out) {
    const unsigned i = blockIdx.x * 256 + threadIdx.x;
    out[i] = particles[i].x * particles[i].mass;
}

__global__ void push_arrays(const float* __restrict__ x, const float* __restrict__ mass, float* __restrict__ out) {
    const unsigned i = blockIdx.x * 256 + threadIdx.x;
    out[i] = x[i] * mass[i];
}

int main(int argc, char** argv) {
    take_names(argc, argv);
    const std::size_t bytes = 128 * kMiB, count = bytes / sizeof(float);
    float *from = on_device<float>(count), *to = on_device<float>(count);
    const float4* from4 = reinterpret_cast<const float4*>(from);
    float4* to4 = reinterpret_cast<float4*>(to);

    variant("unroll_latency_bound", "rolled", [&] { sum_column<1><<<64, 64>>>(from, to, 512, 4096); });
    variant("unroll_latency_bound", "unrolled_by_8", [&] { sum_column<8><<<64, 64>>>(from, to, 512, 4096); });

    variant("coalesced_copy", "coalesced", [&] { copy_coalesced<<<count / 4096, 256>>>(from, to); });
    variant("coalesced_copy", "strided", [&] { copy_strided<<<count / 4096, 256>>>(from, to); });

    // Fits in L2, so the number of requests matters.
    const unsigned small = 4 * kMiB / sizeof(float);
    variant("float4_loads", "float", [&] { scale_float<<<small / 256, 256>>>(from, to, 2.0f); });
    variant("float4_loads", "float4", [&] { scale_float4<<<small / 1024, 256>>>(from4, to4, 2.0f); });

    const unsigned particles = bytes / sizeof(Particle);
    variant("array_of_structures", "structures",
            [&] { push_structures<<<particles / 256, 256>>>(reinterpret_cast<const Particle*>(from), to); });
    variant("array_of_structures", "arrays",
            [&] { push_arrays<<<particles / 256, 256>>>(from, from + particles, to); });
}
