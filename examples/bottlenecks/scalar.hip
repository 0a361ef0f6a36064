// Built to be bound by scalar instructions: arithmetic on a value that is the same for the whole wave is done by the
// scalar unit, which the waves of a compute unit share.
#include "../check.h"

constexpr int kRounds = 128;

__global__ void uniform(unsigned* out, unsigned seed) {
    unsigned a = seed + blockIdx.x;
    for (int i = 0; i < kRounds; ++i) {
        a = (a << 1) ^ (a >> 3) ^ unsigned(i);
        a = (a << 2) ^ (a >> 5) ^ seed;
    }
    if (threadIdx.x == 0) out[blockIdx.x] = a;
}

int main() {
    const int groups = 304 * 4, threads = 256;
    const unsigned seed = 12345;
    unsigned* out = nullptr;
    HIP_CHECK(hipMalloc(&out, groups * sizeof(unsigned)));
    uniform<<<groups, threads>>>(out, seed);
    HIP_CHECK(hipGetLastError());
    std::vector<unsigned> want(groups);
    for (int group = 0; group < groups; ++group) {
        unsigned a = seed + unsigned(group);
        for (int i = 0; i < kRounds; ++i) {
            a = (a << 1) ^ (a >> 3) ^ unsigned(i);
            a = (a << 2) ^ (a >> 5) ^ seed;
        }
        want[size_t(group)] = a;
    }
    const int status = verdict("scalar", to_host(out, want.size()), want, 0);
    HIP_CHECK(hipFree(out));
    return status;
}
