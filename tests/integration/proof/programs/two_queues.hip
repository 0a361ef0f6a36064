// Two streams that work all the time, with copies in flight on both, pinned, managed and pooled memory. The kernel
// that is captured runs in the middle of it.
#include <cstring>

#include "check.h"

__global__ void churn(unsigned* data, int count, unsigned key) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        for (int k = 0; k < 20; ++k) data[i] = data[i] * 1664525u + key;
}
__global__ void combine(const unsigned* mine, const unsigned* pinned, unsigned* managed, unsigned* pooled, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        pooled[i] = mine[i] ^ pinned[i];
        managed[i] += pooled[i];
    }
}

int main() {
    const int count = 20'000, rounds = 6;
    const size_t bytes = count * sizeof(unsigned);
    hipStream_t left, right;
    HIP_CHECK(hipStreamCreate(&left));
    HIP_CHECK(hipStreamCreate(&right));
    unsigned *mine, *other, *pinned, *managed, *pooled, *landing;
    HIP_CHECK(hipMalloc(&mine, bytes));
    HIP_CHECK(hipMalloc(&other, bytes));
    HIP_CHECK(hipHostMalloc(&pinned, bytes, 0));
    HIP_CHECK(hipHostMalloc(&landing, bytes, 0));
    HIP_CHECK(hipMallocManaged(&managed, bytes));
    HIP_CHECK(hipMallocAsync(reinterpret_cast<void**>(&pooled), bytes, left));
    HIP_CHECK(hipMemset(mine, 1, bytes));
    HIP_CHECK(hipMemset(other, 2, bytes));
    for (int i = 0; i < count; ++i) pinned[i] = i * 3u, managed[i] = i;
    std::vector<unsigned> want(count), state(count, 0x01010101u);
    for (int i = 0; i < count; ++i) want[i] = i;
    for (int round = 0; round < rounds; ++round) {
        churn<<<(count + 255) / 256, 256, 0, right>>>(other, count, 99u + round);
        HIP_CHECK(hipMemcpyAsync(landing, other, bytes, hipMemcpyDeviceToHost, right));
        churn<<<(count + 255) / 256, 256, 0, left>>>(mine, count, 7u + round);
        combine<<<(count + 255) / 256, 256, 0, left>>>(mine, pinned, managed, pooled, count);
        churn<<<(count + 255) / 256, 256, 0, right>>>(other, count, 5u);
        for (int i = 0; i < count; ++i) {
            for (int k = 0; k < 20; ++k) state[i] = state[i] * 1664525u + 7u + round;
            want[i] += state[i] ^ (i * 3u);
        }
    }
    HIP_CHECK(hipDeviceSynchronize());
    std::vector<unsigned> got(managed, managed + count);
    return verdict("two_queues", got, want, 0);
}
