// The second half of the buffer is read, and nobody has written it.
#include "run.h"

__global__ void sum(const int* in, int* out) {
    out[threadIdx.x] = in[threadIdx.x] + in[threadIdx.x + 64];
}

int main() {
    int *in = nullptr, *out = nullptr;
    require(hipMalloc(&in, 128 * sizeof(int)));
    require(hipMalloc(&out, 64 * sizeof(int)));
    require(hipMemset(in, 0, (kDefect ? 64 : 128) * sizeof(int)));
    sum<<<1, 64>>>(in, out);
    require(hipDeviceSynchronize());
    require(hipFree(in));
    require(hipFree(out));
}
