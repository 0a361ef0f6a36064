// Open-addressing hash table with 64-bit slots: atomicCAS on unsigned long long, divergent probing loops.
#include <hip/hip_runtime.h>
#include <cstdint>
#include <cstdio>
#include <unordered_map>
#include <vector>

typedef unsigned long long u64;
const u64 kEmpty = ~0ull;

__host__ __device__ inline uint32_t mix(uint32_t k) {
    k ^= k >> 16;
    k *= 0x85ebca6b;
    k ^= k >> 13;
    k *= 0xc2b2ae35;
    return k ^ k >> 16;
}

__global__ void insert(u64* table, uint32_t capacity, const uint32_t* keys, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        uint32_t slot = mix(keys[i]) & (capacity - 1);
        for (;;) {
            u64 old = atomicCAS(&table[slot], kEmpty, u64(keys[i]) << 32);
            if (old == kEmpty || uint32_t(old >> 32) == keys[i]) {
                atomicAdd(&table[slot], 1ull);
                break;
            }
            slot = (slot + 1) & (capacity - 1);
        }
    }
}

__global__ void find(const u64* table, uint32_t capacity, const uint32_t* keys, uint32_t* counts, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    uint32_t slot = mix(keys[i]) & (capacity - 1);
    while (table[slot] != kEmpty && uint32_t(table[slot] >> 32) != keys[i]) slot = (slot + 1) & (capacity - 1);
    counts[i] = table[slot] == kEmpty ? 0 : uint32_t(table[slot]);
}

int main() {
    const int n = 20000;
    const uint32_t capacity = 16384;
    std::vector<uint32_t> keys(n), counts(n);
    for (int i = 0; i < n; ++i) keys[i] = mix(i % 7001) % 9973;
    std::unordered_map<uint32_t, uint32_t> want;
    for (uint32_t key : keys) ++want[key];
    u64* table;
    uint32_t *dk, *dc;
    hipMalloc((void**)&table, capacity * 8);
    hipMalloc((void**)&dk, n * 4);
    hipMalloc((void**)&dc, n * 4);
    hipMemset(table, 0xff, capacity * 8);
    hipMemcpy(dk, keys.data(), n * 4, hipMemcpyHostToDevice);
    insert<<<32, 256>>>(table, capacity, dk, n);
    find<<<(n + 255) / 256, 256>>>(table, capacity, dk, dc, n);
    hipMemcpy(counts.data(), dc, n * 4, hipMemcpyDeviceToHost);
    bool ok = hipGetLastError() == hipSuccess;
    for (int i = 0; i < n; ++i) ok = ok && counts[i] == want[keys[i]];
    for (void* memory : {(void*)table, (void*)dk, (void*)dc}) ok = hipFree(memory) == hipSuccess && ok;
    printf("%s\n", ok ? "PASS" : "FAIL");
    return ok ? 0 : 1;
}
