// Distance to the end of a linked list, by jumping over ever longer stretches of it. Threads leave the loop at
// different times, so waves that have ended must not be waited for at the barrier inside it.
#include <hip/hip_runtime.h>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

struct alignas(8) Link {
    int next, distance;  // next is -1 at the end of the list
};

__device__ Link read(volatile unsigned long long* links, int i) {
    unsigned long long both = links[i];
    return {(int)(both >> 32), (int)both};
}

__global__ void rank(volatile unsigned long long* links, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    for (Link mine = read(links, i); mine.next >= 0; mine = read(links, i)) {
        Link ahead = read(links, mine.next);
        if (ahead.next < 0) {
            links[i] = 0xffffffff00000000ull | (unsigned)(mine.distance + ahead.distance);
            break;
        }
        __syncthreads();
        links[i] = (unsigned long long)ahead.next << 32 | (unsigned)(mine.distance + ahead.distance);
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
