// 256-bin histogram: each block counts in LDS with atomics, then adds its bins to the global ones.
#include "check.h"

__global__ void histogram(const unsigned char* data, unsigned* bins, int n) {
    __shared__ unsigned local[256];
    local[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&local[data[i]], 1u);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

int main() {
    const int n = 2'000'000;
    std::vector<unsigned char> data(n);
    std::vector<unsigned> want(256);
    unsigned state = 13;
    for (unsigned char& value : data) {
        state = state * 1664525u + 1013904223u;
        value = (state >> 24) * (state >> 16 & 255) >> 8;  // uneven on purpose
        ++want[value];
    }
    unsigned char* ddata = to_device(data);
    unsigned* bins = nullptr;
    HIP_CHECK(hipMalloc(&bins, 256 * sizeof(unsigned)));
    HIP_CHECK(hipMemset(bins, 0, 256 * sizeof(unsigned)));
    histogram<<<120, 256>>>(ddata, bins, n);
    HIP_CHECK(hipGetLastError());
    std::vector<unsigned> got = to_host(bins, 256);
    HIP_CHECK(hipFree(ddata));
    HIP_CHECK(hipFree(bins));
    return verdict("histogram", got, want, 0);
}
