// A local array of which an element is used that was never set.
#include "run.h"

__global__ void pick(int* x, int count) {
    int local[256];
    for (int k = 0; k < count; ++k) local[k] = x[threadIdx.x] + k;
    x[threadIdx.x] = local[x[threadIdx.x + 64]];
}

int main() {
    int* x = device<int>(128);
    int host[128];
    for (int i = 0; i < 128; ++i) host[i] = i < 64 ? i : 5;
    require(hipMemcpy(x, host, sizeof host, hipMemcpyHostToDevice));
    pick<<<1, 64>>>(x, kDefect ? 4 : 256);
    require(hipDeviceSynchronize());
    require(hipFree(x));
}
