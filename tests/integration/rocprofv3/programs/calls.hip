// A kernel that calls functions, and one that stores to what may be LDS or memory.
#include <hip/hip_runtime.h>

__device__ __noinline__ float repeated(float x, int times) {
    for (int i = 0; i < times; ++i) x = x * x + 0.5f;
    return x;
}

__device__ __noinline__ void put(float* place, float value) {
    *place = value;
}

__global__ void calls(float* data, int times) {
    __shared__ float tile[64];
    tile[threadIdx.x] = repeated(data[threadIdx.x], times);
    __syncthreads();
    put(times > 100 ? &tile[threadIdx.x] : data + threadIdx.x, tile[63 - threadIdx.x]);
}

int main() {
    float* data;
    if (hipMalloc(&data, 256) != hipSuccess || hipMemset(data, 0, 256) != hipSuccess) return 2;
    calls<<<1, 64>>>(data, 7);
    return hipDeviceSynchronize() == hipSuccess ? 0 : 2;
}
