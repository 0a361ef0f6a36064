// Built to be under-occupied: workgroups of one wave that take so much LDS that a compute unit holds two of them,
// and the wave spends its time in a chain of dependent operations that others could fill.
#include "../check.h"

constexpr int kRounds = 256;
constexpr int kWords = 8000;  // 32,000 bytes: two groups in the 64 KiB of a compute unit

__global__ void alone(float* out, float factor) {
    __shared__ float table[kWords];
    table[threadIdx.x * 125] = threadIdx.x;
    __syncthreads();
    float a = table[(threadIdx.x ^ 1) * 125];
    for (int i = 0; i < kRounds; ++i) a = a * factor + 1;
    out[blockIdx.x * blockDim.x + threadIdx.x] = a;
}

int main() {
    const int groups = 304 * 8, threads = 64;
    float* out = nullptr;
    HIP_CHECK(hipMalloc(&out, size_t(groups) * threads * sizeof(float)));
    alone<<<groups, threads>>>(out, 0.0f);
    HIP_CHECK(hipGetLastError());
    const int status = verdict("under_occupied", to_host(out, size_t(groups) * threads),
                               std::vector<float>(size_t(groups) * threads, 1.0f), 0);
    HIP_CHECK(hipFree(out));
    return status;
}
