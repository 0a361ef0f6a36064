// Every workgroup adds to one counter; without an atomic operation additions get lost.
#include "run.h"

__global__ void count(unsigned* total) {
    if (threadIdx.x != 0) return;
    if (kDefect)
        *total += blockIdx.x + 1;
    else
        atomicAdd(total, blockIdx.x + 1);
}

int main() {
    unsigned* total = device<unsigned>(1);
    count<<<8, 64>>>(total);
    require(hipDeviceSynchronize());
    require(hipFree(total));
}
