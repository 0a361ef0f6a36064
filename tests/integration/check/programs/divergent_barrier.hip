// Half of the threads of each wave go through a barrier, the others do not.
#include "run.h"

__global__ void smooth(int* x) {
    __shared__ int line[128];
    const int i = threadIdx.x;
    line[i] = x[i];
    __syncthreads();
    if (kDefect ? i % 2 == 0 : true) {
        const int next = line[(i + 1) % 128];
        __syncthreads();
        line[i] += next;
    }
    x[i] = line[i];
}

int main() {
    int* x = device<int>(128);
    smooth<<<1, 128>>>(x);
    require(hipDeviceSynchronize());
    require(hipFree(x));
}
