// One element more than the dynamic shared memory of the launch.
#include "run.h"

__global__ void reverse(int* x, int count) {
    extern __shared__ int line[];
    const int i = threadIdx.x;
    line[i] = x[i];
    __syncthreads();
    x[i] = line[kDefect ? count - i : count - 1 - i];
}

int main() {
    const int count = 128;
    int* x = device<int>(count);
    reverse<<<1, count, count * sizeof(int)>>>(x, count);
    require(hipDeviceSynchronize());
    require(hipFree(x));
}
