// Built to be limited by compute throughput: a chain of reciprocal square roots in registers, each of which takes a
// SIMD eight times as long as an addition; all lanes at work, memory touched once at the end.
#include "../check.h"

constexpr int kRounds = 160;

__global__ void chain(double* out, double start) {
    double a = start;
    for (int i = 0; i < kRounds; ++i) a = __builtin_amdgcn_rsq(a);
    out[blockIdx.x * blockDim.x + threadIdx.x] = a;
}

int main() {
    const int groups = 304 * 4, threads = 256;
    double* out = nullptr;
    HIP_CHECK(hipMalloc(&out, size_t(groups) * threads * sizeof(double)));
    chain<<<groups, threads>>>(out, 1.0);
    HIP_CHECK(hipGetLastError());
    const int status = verdict("compute_throughput", to_host(out, size_t(groups) * threads),
                               std::vector<double>(size_t(groups) * threads, 1.0), 0);
    HIP_CHECK(hipFree(out));
    return status;
}
