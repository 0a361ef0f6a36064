// Distance to the end of a linked list, by jumping over ever longer stretches of it. Waves leave the loop at
// different times, each as a whole, so those that have ended must not be waited for at the barrier inside it.
#include <hip/hip_runtime.h>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

struct alignas(8) Link {
    int next, distance;  // next is -1 at the end of the list
};

__device__ Link read(const unsigned long long* links, int i) {
    unsigned long long both = __hip_atomic_load(&links[i], __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
    return {(int)(both >> 32), (int)both};
}

__device__ void write(unsigned long long* links, int i, Link link) {
    unsigned long long both = (unsigned long long)(unsigned)link.next << 32 | (unsigned)link.distance;
    __hip_atomic_store(&links[i], both, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

__global__ void rank(unsigned long long* links, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Link mine = i < n ? read(links, i) : Link{-1, 0};
    while (__any(mine.next >= 0)) {
        Link ahead = mine.next >= 0 ? read(links, mine.next) : Link{-1, 0};
        __syncthreads();
        if (mine.next >= 0) write(links, i, mine = {ahead.next, mine.distance + ahead.distance});
    }
}

int main() {
    const int n = 20011;
    std::vector<int> order(n);
    std::iota(order.begin(), order.end(), 0);
    unsigned state = 1;
    for (int i = n - 1; i > 0; --i) std::swap(order[i], order[(state = state * 1664525u + 1013904223u) % (i + 1)]);
    std::vector<unsigned long long> links(n), got(n);
    for (int i = 0; i < n; ++i)
        links[order[i]] = i + 1 < n ? (unsigned long long)order[i + 1] << 32 | 1u : 0xffffffff00000000ull;
    unsigned long long* device;
    hipMalloc(&device, n * sizeof links[0]);
    hipMemcpy(device, links.data(), n * sizeof links[0], hipMemcpyHostToDevice);
    rank<<<(n + 255) / 256, 256>>>(device, n);
    hipMemcpy(got.data(), device, n * sizeof links[0], hipMemcpyDeviceToHost);
    int bad = 0;
    for (int i = 0; i < n; ++i) bad += (int)got[order[i]] != n - 1 - i;
    printf("%s\n", bad ? "FAIL" : "PASS");
    hipFree(device);
    return bad != 0;
}
