// Sums ROUNDS strided elements with the loop unrolled UNROLL times; WRONG leaves the last one out.
#include <hip/hip_runtime.h>

#include <vector>

#ifndef UNROLL
#define UNROLL 1
#endif
#ifndef WRONG
#define WRONG 0
#endif

constexpr int rounds = 64, threads = 1024;

__global__ void strided(const int* in, int* out) {
    const int me = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = 0;
#pragma unroll UNROLL
    for (int round = 0; round < rounds - WRONG; ++round) sum += in[round * threads + me];
    out[me] = sum;
}

int main() {
    std::vector<int> host(rounds * threads, 3);
    int *in = nullptr, *out = nullptr;
    if (hipMalloc(&in, host.size() * sizeof(int)) != hipSuccess) return 2;
    if (hipMalloc(&out, threads * sizeof(int)) != hipSuccess) return 2;
    if (hipMemcpy(in, host.data(), host.size() * sizeof(int), hipMemcpyHostToDevice) != hipSuccess) return 2;
    strided<<<threads / 64, 64>>>(in, out);
    if (hipDeviceSynchronize() != hipSuccess) return 3;
    if (hipMemcpy(host.data(), out, threads * sizeof(int), hipMemcpyDeviceToHost) != hipSuccess) return 2;
    return host[0] == 3 * rounds ? 0 : 1;
}
