// A variable of the device is indexed past its end.
#include "run.h"

__device__ int table[60];

__global__ void fill(int count) {
    const int i = threadIdx.x;
    if (i < count) table[i] = i;
}

int main() {
    fill<<<1, 64>>>(kDefect ? 64 : 60);
    require(hipDeviceSynchronize());
}
