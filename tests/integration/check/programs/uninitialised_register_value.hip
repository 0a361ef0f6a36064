// A register that nothing has written is stored.
#include "run.h"

__global__ void store(int* x) {
    if (kDefect)
        asm volatile("global_store_dword %0, v50, off" : : "v"(x + threadIdx.x) : "memory", "v50");
    else
        asm volatile("v_mov_b32 v50, 1\n global_store_dword %0, v50, off" : : "v"(x + threadIdx.x) : "memory", "v50");
}

int main() {
    int* x = device<int>(64);
    store<<<1, 64>>>(x);
    require(hipDeviceSynchronize());
    require(hipFree(x));
}
