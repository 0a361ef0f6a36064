// Two kernels; compiled with -DVARIANT=1 the first works twice as long and keeps more in registers and LDS, and a
// third one is added.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>

#ifndef VARIANT
#define VARIANT 0
#endif

__global__ void work(float* out, float factor) {
    float value = threadIdx.x;
#if VARIANT
    __shared__ float kept[256];
    kept[threadIdx.x] = value;
    __syncthreads();
    value = kept[threadIdx.x ^ 1];
#endif
    for (int i = 0; i < 512 * (1 + VARIANT); ++i) value = value * factor + 1;
    out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

__global__ void steady(float* out) { out[blockIdx.x * blockDim.x + threadIdx.x] += 1; }

__global__ void added(float* out) { out[threadIdx.x] = 0; }

int main(int count, char** words) {
    const int groups = count > 1 ? std::atoi(words[1]) : 8;
    float* out = nullptr;
    if (hipMalloc(&out, groups * 256 * sizeof(float)) != hipSuccess) return 1;
    work<<<groups, 256>>>(out, 0.5f);
    steady<<<groups, 256>>>(out);
    if (VARIANT) added<<<1, 64>>>(out);
    if (hipDeviceSynchronize() != hipSuccess) return 1;
    std::puts("done");
    return hipFree(out) == hipSuccess ? 0 : 1;
}
