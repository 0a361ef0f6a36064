// A failed assertion in a kernel: its text on standard error, and an error for the program.
#include <hip/hip_runtime.h>

#include <cassert>
#include <cstdio>

__global__ void divide(const int* x, int n) {
    int i = threadIdx.x;
    printf("thread %d of %d: %5.2f %s\n", i, n, i * 0.5, "ok");
    assert(x[i] % 100 == 0 && "percent");
}

int main() {
    int* x;
    if (hipMalloc(&x, 2 * sizeof(int)) != hipSuccess) return 2;
    int values[2] = {300, 7};
    if (hipMemcpy(x, values, sizeof values, hipMemcpyHostToDevice) != hipSuccess) return 2;
    divide<<<1, 2>>>(x, 2);
    hipError_t e = hipDeviceSynchronize();
    std::printf("%s\n", hipGetErrorName(e));
    return e == hipSuccess ? 1 : 0;
}
