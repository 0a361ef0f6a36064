// Built to be latency bound: every lane follows a chain of its own through a table that the L2 keeps, each load waits
// for the one before it, and the waves that fit are too few to keep any unit busy meanwhile.
#include "../check.h"

constexpr int kSteps = 16;

__global__ void follow(const unsigned* next, unsigned* out) {
    unsigned at = (blockIdx.x * blockDim.x + threadIdx.x) / 64;
    for (int i = 0; i < kSteps; ++i) at = next[at];
    out[blockIdx.x * blockDim.x + threadIdx.x] = at;
}

int main() {
    const unsigned places = 1u << 16, stride = 40503;  // odd: every place is reached
    std::vector<unsigned> host(places);
    for (unsigned i = 0; i < places; ++i) host[i] = (i + stride) % places;
    const int groups = 304 * 6, threads = 256;
    unsigned* next = to_device(host);
    unsigned* out = nullptr;
    HIP_CHECK(hipMalloc(&out, size_t(groups) * threads * sizeof(unsigned)));
    follow<<<groups, threads>>>(next, out);
    HIP_CHECK(hipGetLastError());
    std::vector<unsigned> want(size_t(groups) * threads);
    for (size_t i = 0; i < want.size(); ++i) {
        want[i] = unsigned((i / 64 + size_t(kSteps) * stride) % places);
    }
    const int status = verdict("latency", to_host(out, want.size()), want, 0);
    HIP_CHECK(hipFree(next));
    HIP_CHECK(hipFree(out));
    return status;
}
