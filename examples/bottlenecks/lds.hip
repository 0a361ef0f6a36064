// Built to be LDS bound: the lanes of a wave read words that lie in the same bank, so that every access takes the LDS
// many clocks, and do little else.
#include "../check.h"

constexpr int kRounds = 8;
constexpr int kWords = 4096;

__global__ void same_bank(unsigned* out, int step) {
    __shared__ unsigned table[kWords];
    for (int i = threadIdx.x; i < kWords; i += blockDim.x) table[i] = i;
    __syncthreads();
    unsigned at = threadIdx.x * 32, sum = 0;  // 32 banks: all lanes in one of them
    for (int i = 0; i < kRounds; ++i) {
        sum += table[at % kWords] + table[(at + 1) % kWords] + table[(at + 2) % kWords] + table[(at + 3) % kWords];
        at += step;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

int main() {
    const int groups = 304 * 4, threads = 256, step = 4;
    unsigned* out = nullptr;
    HIP_CHECK(hipMalloc(&out, size_t(groups) * threads * sizeof(unsigned)));
    same_bank<<<groups, threads>>>(out, step);
    HIP_CHECK(hipGetLastError());
    std::vector<unsigned> want(size_t(groups) * threads, 0);
    for (size_t i = 0; i < want.size(); ++i) {
        for (unsigned k = 0; k < 4 * kRounds; ++k) want[i] += (unsigned(i % threads) * 32 + k) % kWords;
    }
    const int status = verdict("lds", to_host(out, want.size()), want, 0);
    HIP_CHECK(hipFree(out));
    return status;
}
