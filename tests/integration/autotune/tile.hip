// A sum over tiles whose shape is chosen when it is compiled: BLOCK threads, ITEMS numbers each, LDS bytes of scratch.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <vector>

#ifndef BLOCK
#define BLOCK 64
#endif
#ifndef ITEMS
#define ITEMS 1
#endif
#ifndef LDS_KIB
#define LDS_KIB 1
#endif

__global__ void tile(const float* in, float* out, int n) {
    __shared__ float scratch[LDS_KIB * 256];
    const int first = (blockIdx.x * BLOCK + threadIdx.x) * ITEMS;
    float sum = 0.0f;
#pragma unroll
    for (int item = 0; item < ITEMS; ++item) {
        if (first + item < n) sum += in[first + item];
    }
    scratch[threadIdx.x % (LDS_KIB * 256)] = sum;
    __syncthreads();
    if (first < n) out[first / ITEMS] = scratch[threadIdx.x % (LDS_KIB * 256)];
}

int main() {
    const int n = 1 << 16;
    std::vector<float> host(n, 1.0f);
    float *in = nullptr, *out = nullptr;
    if (hipMalloc(&in, n * sizeof(float)) != hipSuccess || hipMalloc(&out, n * sizeof(float)) != hipSuccess) return 2;
    if (hipMemcpy(in, host.data(), n * sizeof(float), hipMemcpyHostToDevice) != hipSuccess) return 2;
    const int groups = (n + BLOCK * ITEMS - 1) / (BLOCK * ITEMS);
    tile<<<groups, BLOCK>>>(in, out, n);
    if (hipDeviceSynchronize() != hipSuccess) return 3;
    std::vector<float> sums(n / ITEMS);
    if (hipMemcpy(sums.data(), out, sums.size() * sizeof(float), hipMemcpyDeviceToHost) != hipSuccess) return 2;
    double total = 0;
    for (float sum : sums) total += sum;
    std::printf("total %.0f\n", total);
    return 0;
}
