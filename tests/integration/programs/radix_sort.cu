// Least-significant-digit radix sort of 64-bit keys by single bits: ballots, popcounts, wave and block prefix sums.
#include <hip/hip_runtime.h>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

__device__ unsigned block_prefix(bool flag, unsigned* total) {
    __shared__ unsigned wave_count[16];
    int lane = threadIdx.x % warpSize, wave = threadIdx.x / warpSize;
    unsigned long long mask = __ballot(flag);
    unsigned before = __popcll(mask & ((1ull << lane) - 1));
    if (lane == 0) wave_count[wave] = __popcll(mask);
    __syncthreads();
    unsigned sum = 0, all = 0;
    for (unsigned w = 0; w < blockDim.x / warpSize; ++w) {
        if ((int)w < wave) sum += wave_count[w];
        all += wave_count[w];
    }
    __syncthreads();
    *total = all;
    return sum + before;
}

__global__ void sort_block(uint64_t* keys, int n) {
    extern __shared__ uint64_t buffer[];
    uint64_t key = keys[threadIdx.x];
    for (int bit = 0; bit < 64; ++bit) {
        bool one = key >> bit & 1;
        unsigned zeros, rank = block_prefix(!one, &zeros);
        unsigned at = one ? zeros + threadIdx.x - rank : rank;
        buffer[at] = key;
        __syncthreads();
        key = buffer[threadIdx.x];
        __syncthreads();
    }
    keys[threadIdx.x] = key;
}

int main() {
    const int n = 1024;
    std::vector<uint64_t> keys(n), got(n);
    uint64_t state = 88172645463325252ull;
    for (auto& key : keys) {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        key = state;
    }
    uint64_t* device;
    hipMalloc((void**)&device, n * 8);
    hipMemcpy(device, keys.data(), n * 8, hipMemcpyHostToDevice);
    sort_block<<<1, n, n * 8>>>(device, n);
    hipMemcpy(got.data(), device, n * 8, hipMemcpyDeviceToHost);
    std::sort(keys.begin(), keys.end());
    printf("%s\n", got == keys ? "PASS" : "FAIL");
    hipFree(device);
    return got == keys ? 0 : 1;
}
