// Dynamic LDS beside static LDS, and scratch that is really used (an array indexed by data).
#include "check.h"

extern __shared__ float dynamic_part[];

__global__ void shuffle_through(const float* in, float* out, const int* order, int count) {
    __shared__ float static_part[64];
    float kept[32];
    const int lane = threadIdx.x, i = blockIdx.x * blockDim.x + lane;
    for (int k = 0; k < 32; ++k) kept[(k + order[lane % 32]) & 31] = in[(i + k) % count];
    dynamic_part[lane] = kept[order[(lane + 7) % 32] & 31];
    dynamic_part[lane + blockDim.x] = float(lane);
    static_part[lane % 64] = in[i % count];
    __syncthreads();
    out[i] = dynamic_part[blockDim.x - 1 - lane] + dynamic_part[blockDim.x + (lane ^ 5)] + static_part[63];
}

int main() {
    const int block = 64, count = 1024;
    const std::vector<float> host = noise(count, 9);
    std::vector<int> order(32);
    for (int k = 0; k < 32; ++k) order[k] = (k * 13 + 5) % 32;
    float* in = to_device(host);
    float* out = nullptr;
    HIP_CHECK(hipMalloc(&out, count * sizeof(float)));
    int* device_order = to_device(order);
    shuffle_through<<<count / block, block, 2 * block * sizeof(float)>>>(in, out, device_order, count);
    HIP_CHECK(hipGetLastError());
    std::vector<float> want(count);
    for (int g = 0; g < count / block; ++g)
        for (int lane = 0; lane < block; ++lane) {
            const int other = block - 1 - lane, i = g * block + other;
            float kept[32];
            for (int k = 0; k < 32; ++k) kept[(k + order[other % 32]) & 31] = host[(i + k) % count];
            want[g * block + lane] =
                kept[order[(other + 7) % 32] & 31] + float(lane ^ 5) + host[(g * block + 63) % count];
        }
    return verdict("local", to_host(out, count), want, 0);
}
