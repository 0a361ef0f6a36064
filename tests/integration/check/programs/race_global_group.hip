// Waves of one workgroup exchange values through global memory.
#include "run.h"

__global__ void rotate(int* x, int* out) {
    const int i = threadIdx.x;
    x[i] = i;
    if (!kDefect) __syncthreads();
    out[i] = x[(i + 64) % 256];
}

int main() {
    int *x = device<int>(256), *out = device<int>(256);
    rotate<<<1, 256>>>(x, out);
    require(hipDeviceSynchronize());
    require(hipFree(x));
    require(hipFree(out));
}
