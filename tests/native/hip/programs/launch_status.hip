// Prints the error a plain launch leaves.
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void nothing() {}

int main() {
    nothing<<<1, 1>>>();
    std::printf("%s\n", hipGetErrorName(hipGetLastError()));
}
