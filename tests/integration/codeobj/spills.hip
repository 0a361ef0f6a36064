// Kernels whose resources differ: one that spills, one with LDS, a template, one with accumulation registers.
#include <hip/hip_runtime.h>

// Eight waves on a SIMD leave 64 registers to each.
__global__ __launch_bounds__(64, 8) void spilling(const float* in, float* out) {
    constexpr int count = 90;
    float kept[count];
    for (int i = 0; i < count; ++i) kept[i] = in[i * 64 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < count; ++i) out[i * 64 + threadIdx.x] = kept[i] * kept[count - 1 - i];
}

__global__ __launch_bounds__(128) void with_lds(float* data) {
    __shared__ float tile[512];
    for (int i = threadIdx.x; i < 512; i += blockDim.x) tile[i] = data[i];
    __syncthreads();
    data[threadIdx.x] = tile[511 - threadIdx.x];
}

template <typename T>
__global__ void scale(T* data, T by) {
    data[threadIdx.x] *= by;
}

__global__ __launch_bounds__(64) void accumulating(float* data) {
    asm volatile("" ::: "v60", "a30");
    data[threadIdx.x] += 1;
}

int main() {
    float* data = nullptr;
    if (hipMalloc(&data, 1 << 20) != hipSuccess) return 1;
    spilling<<<1, 64>>>(data, data);
    with_lds<<<1, 128>>>(data);
    scale<float><<<1, 64>>>(data, 2.0f);
    scale<int><<<1, 64>>>(reinterpret_cast<int*>(data), 3);
    accumulating<<<1, 64>>>(data);
    return hipDeviceSynchronize() == hipSuccess ? 0 : 1;
}
