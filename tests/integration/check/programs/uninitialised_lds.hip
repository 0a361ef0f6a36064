// A histogram whose bins in shared memory are not cleared.
#include "run.h"

__global__ void histogram(const unsigned* values, unsigned* out) {
    __shared__ unsigned bins[16];
    if (!kDefect && threadIdx.x < 16) bins[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&bins[values[threadIdx.x] % 16], 1u);
    __syncthreads();
    if (threadIdx.x < 16 && bins[threadIdx.x] > 0) atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}

int main() {
    unsigned* values = device<unsigned>(256);
    unsigned* out = device<unsigned>(16);
    unsigned host[256];
    for (unsigned i = 0; i < 256; ++i) host[i] = i;
    require(hipMemcpy(values, host, sizeof host, hipMemcpyHostToDevice));
    histogram<<<1, 256>>>(values, out);
    require(hipDeviceSynchronize());
    require(hipFree(values));
    require(hipFree(out));
}
