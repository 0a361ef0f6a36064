#include "kernels.h"

#include <hip/hip_runtime.h>

namespace {
__device__ float weight(float x) { return x; }
__global__ void kernel(int n, const float* in, float* out, int radius) {
    extern __shared__ float window[];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int first = blockIdx.x * blockDim.x - radius;
    for (int k = threadIdx.x; k < (int)blockDim.x + 2 * radius; k += blockDim.x) {
        const int at = min(max(first + k, 0), n - 1);
        window[k] = in[at];
    }
    __syncthreads();
    if (i >= n) return;
    float sum = 0;
    for (int k = 0; k <= 2 * radius; ++k) sum += weight(window[threadIdx.x + k]);
    out[i] = sum / (2 * radius + 1);
}
}  // namespace

std::vector<float> blur(const std::vector<float>& in, int radius) {
    const int n = static_cast<int>(in.size()), block = 64;
    float *from, *to;
    (void)hipMalloc(&from, n * sizeof(float));
    (void)hipMalloc(&to, n * sizeof(float));
    (void)hipMemcpy(from, in.data(), n * sizeof(float), hipMemcpyHostToDevice);
    hipLaunchKernelGGL(kernel, dim3((n + block - 1) / block), dim3(block), (block + 2 * radius) * sizeof(float), 0, n,
                       from, to, radius);
    std::vector<float> out(n);
    (void)hipMemcpy(out.data(), to, n * sizeof(float), hipMemcpyDeviceToHost);
    (void)hipFree(from);
    (void)hipFree(to);
    return out;
}
