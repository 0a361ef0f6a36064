// Sum of an array: each thread adds a stride, each wave reduces with shuffles, each block through LDS, and the
// block sums are added by a second launch. No atomics, so the result is the same every time.
#include "check.h"

__global__ void partial_sums(const float* in, float* out, int n) {
    __shared__ float wave_sum[16];
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
    for (int step = warpSize / 2; step > 0; step /= 2) sum += __shfl_down(sum, step);
    int lane = threadIdx.x % warpSize, wave = threadIdx.x / warpSize;
    if (lane == 0) wave_sum[wave] = sum;
    __syncthreads();
    if (wave == 0) {
        sum = lane < int(blockDim.x / warpSize) ? wave_sum[lane] : 0;
        for (int step = 8; step > 0; step /= 2) sum += __shfl_down(sum, step);
        if (lane == 0) out[blockIdx.x] = sum;
    }
}

int main() {
    const int n = 3'000'000, blocks = 64, threads = 256;
    std::vector<float> in = noise(n, 12);
    double want = 0;
    for (float value : in) want += value;
    float *din = to_device(in), *partial = nullptr, *total = nullptr;
    HIP_CHECK(hipMalloc(&partial, blocks * sizeof(float)));
    HIP_CHECK(hipMalloc(&total, sizeof(float)));
    partial_sums<<<blocks, threads>>>(din, partial, n);
    partial_sums<<<1, threads>>>(partial, total, blocks);
    HIP_CHECK(hipGetLastError());
    std::vector<float> got = to_host(total, 1);
    for (float* buffer : {din, partial, total}) HIP_CHECK(hipFree(buffer));
    return verdict("reduction", got, std::vector<float>{float(want)}, 1e-4);
}
