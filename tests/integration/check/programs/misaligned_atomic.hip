// An atomic operation at an address that is no multiple of its size: the kernel is stopped.
#include "run.h"

__global__ void count(char* place) {
    atomicAdd(reinterpret_cast<unsigned*>(place), 1u);
}

int main() {
    char* place = device<char>(64);
    count<<<1, 64>>>(place + (kDefect ? 2 : 4));
    if (hipDeviceSynchronize() != hipSuccess) return 1;
    require(hipFree(place));
}
