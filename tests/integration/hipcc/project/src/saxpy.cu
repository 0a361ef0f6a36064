#include "kernels.h"

#include <hip/hip_runtime.h>

namespace {
// Used by the other translation unit under the same name; both have internal linkage.
__device__ float weight(float x) { return SCALE * x; }
template <typename T>
__global__ void kernel(int n, T a, const T* __restrict__ x, T* __restrict__ y) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] += a * weight(x[i]);
}
}  // namespace

void saxpy(float a, const std::vector<float>& x, std::vector<float>& y) {
    const int n = static_cast<int>(x.size());
    float *dx, *dy;
    (void)hipMalloc(&dx, n * sizeof(float));
    (void)hipMalloc(&dy, n * sizeof(float));
    (void)hipMemcpy(dx, x.data(), n * sizeof(float), hipMemcpyHostToDevice);
    (void)hipMemcpy(dy, y.data(), n * sizeof(float), hipMemcpyHostToDevice);
    kernel<float><<<4, 128>>>(n, a, dx, dy);
    (void)hipMemcpy(y.data(), dy, n * sizeof(float), hipMemcpyDeviceToHost);
    (void)hipFree(dx);
    (void)hipFree(dy);
}
