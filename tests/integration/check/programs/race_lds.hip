// What one wave writes to shared memory another one reads, without a barrier between.
#include "run.h"

__global__ void reverse(int* x) {
    __shared__ int line[256];
    const int i = threadIdx.x;
    line[i] = x[i];
    if (!kDefect) __syncthreads();
    x[i] = line[255 - i];
}

int main() {
    int* x = device<int>(256);
    int host[256];
    for (int i = 0; i < 256; ++i) host[i] = i + 1;
    require(hipMemcpy(x, host, sizeof host, hipMemcpyHostToDevice));
    reverse<<<1, 256>>>(x);
    require(hipDeviceSynchronize());
    require(hipFree(x));
}
