// An index far outside of every allocation: the kernel is stopped by a fault.
#include "run.h"

__global__ void gather(const int* index, const int* from, int* to) {
    const int i = threadIdx.x;
    to[i] = from[index[i]];
}

int main() {
    const int count = 64;
    int *index = device<int>(count), *from = device<int>(count), *to = device<int>(count);
    int host[count];
    for (int i = 0; i < count; ++i) host[i] = kDefect && i == 17 ? 1 << 28 : i;
    require(hipMemcpy(index, host, sizeof host, hipMemcpyHostToDevice));
    gather<<<1, count>>>(index, from, to);
    if (hipDeviceSynchronize() != hipSuccess) return 5;
    for (int* memory : {index, from, to}) require(hipFree(memory));
}
