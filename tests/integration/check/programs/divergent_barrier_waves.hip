// Waves of one workgroup wait at different barriers.
#include "run.h"

__global__ void stages(int* x) {
    __shared__ int line[128];
    const int i = threadIdx.x;
    line[i] = x[i];
    if (kDefect && i >= 64) {
        __syncthreads();
        x[i] = line[i] * 3;
    } else {
        __syncthreads();
        x[i] = line[i] + 1;
    }
}

int main() {
    int* x = device<int>(128);
    stages<<<1, 128>>>(x);
    require(hipDeviceSynchronize());
    require(hipFree(x));
}
