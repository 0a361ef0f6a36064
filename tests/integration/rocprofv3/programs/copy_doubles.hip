// The kernel whose counters were measured on an MI300X: c[i] = a[i] for 1048576 doubles.
#include <hip/hip_runtime.h>

__global__ void vecCopy(double* a, double*, double* c, int n, int) {
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at < n) c[at] = a[at];
}

int main() {
    constexpr int n = 1048576;
    double *a = nullptr, *b = nullptr, *c = nullptr;
    if (hipMalloc(&a, n * 8) != hipSuccess || hipMalloc(&b, n * 8) != hipSuccess || hipMalloc(&c, n * 8) != hipSuccess)
        return 1;
    vecCopy<<<n / 256, 256>>>(a, b, c, n, 1);
    return hipDeviceSynchronize() != hipSuccess;
}
