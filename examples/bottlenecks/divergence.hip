// Built to be limited by divergence: four lanes of each wave have 16 times as much to do as the others, which wait
// for them: the SIMDs are busy all the time, for a few lanes.
#include "../check.h"

constexpr int kRounds = 32;

__global__ void uneven(double* out, double start) {
    const int rounds = threadIdx.x % 64 < 4 ? kRounds : kRounds / 16;
    double a = start;
    for (int i = 0; i < rounds; ++i) {
        a = __builtin_amdgcn_rsq(__builtin_amdgcn_rsq(a));
        a = __builtin_amdgcn_rsq(__builtin_amdgcn_rsq(a));
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = a;
}

int main() {
    const int groups = 304 * 4, threads = 256;
    double* out = nullptr;
    HIP_CHECK(hipMalloc(&out, size_t(groups) * threads * sizeof(double)));
    uneven<<<groups, threads>>>(out, 1.0);
    HIP_CHECK(hipGetLastError());
    const int status = verdict("divergence", to_host(out, size_t(groups) * threads),
                               std::vector<double>(size_t(groups) * threads, 1.0), 0);
    HIP_CHECK(hipFree(out));
    return status;
}
