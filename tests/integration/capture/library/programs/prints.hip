// A kernel that prints and one that allocates: both need something of the runtime's while they run.
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void says(int n) {
    if (threadIdx.x == 0) printf("%d threads\n", n);
}

__global__ void allocates(int** out) {
    int* p = static_cast<int*>(malloc(64));
    if (p) p[0] = 5;
    *out = p;
}

int main() {
    int** out;
    if (hipMalloc(&out, 8) != hipSuccess) return 1;
    says<<<1, 64>>>(64);
    allocates<<<1, 1>>>(out);
    return hipDeviceSynchronize() == hipSuccess ? 0 : 1;
}
