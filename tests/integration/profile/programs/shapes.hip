// Kernels whose resources are known: launches of two sizes, dynamic and static LDS, spilled registers.
#include <hip/hip_runtime.h>

__global__ void with_lds(float* data) {
    extern __shared__ float dynamic[];
    __shared__ float fixed[128];
    fixed[threadIdx.x % 128] = data[threadIdx.x];
    dynamic[threadIdx.x] = fixed[(threadIdx.x + 1) % 128];
    __syncthreads();
    data[threadIdx.x] = dynamic[255 - threadIdx.x] + fixed[threadIdx.x % 128];
}

// More live values than the registers it may have.
__global__ __attribute__((amdgpu_num_vgpr(16))) void spilling(float* data, int n) {
    float value[48];
    for (int i = 0; i < 48; ++i) value[i] = data[i * n + threadIdx.x];
    for (int round = 0; round < n; ++round)
#pragma unroll
        for (int i = 0; i < 48; ++i) value[i] = value[i] * value[(i + 7) % 48] + 1.0f;
    for (int i = 0; i < 48; ++i) data[i * n + threadIdx.x] = value[i];
}

int main() {
    float* data;
    if (hipMalloc(&data, 1 << 20) != hipSuccess) return 1;
    if (hipMemset(data, 0, 1 << 20) != hipSuccess) return 1;
    with_lds<<<1, 256, 4096>>>(data);
    with_lds<<<1, 256, 4096>>>(data);
    with_lds<<<4, 256, 2048>>>(data);
    spilling<<<2, 64>>>(data, 64);
    return hipDeviceSynchronize() == hipSuccess ? 0 : 1;
}
