// Distances to the end of a chain by pointer doubling: each thread owns one 64-bit record (successor above, distance
// below) and reads those of others while they change. Waves run on different host threads, so the result is right
// only when no 64-bit load sees half of a store.
#include <hip/hip_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                         \
    do {                                                                    \
        const hipError_t error = (call);                                    \
        if (error != hipSuccess) {                                          \
            std::printf("%s: %s\nFAIL\n", #call, hipGetErrorString(error)); \
            std::exit(1);                                                   \
        }                                                                   \
    } while (0)

constexpr std::uint32_t kRecords = 20000, kEnd = 0xffffffff;

__host__ __device__ std::uint64_t record(std::uint32_t successor, std::uint32_t distance) {
    return static_cast<std::uint64_t>(successor) << 32 | distance;
}

// The barrier, which counts the waves that have not ended, keeps the waves of a workgroup in step, so that every
// round reads records that change.
__global__ void double_pointers(std::uint64_t* records) {
    const std::uint32_t mine = blockIdx.x * blockDim.x + threadIdx.x;
    if (mine >= kRecords) return;
    for (;;) {
        const std::uint64_t now = records[mine];
        const auto successor = static_cast<std::uint32_t>(now >> 32);
        if (successor == kEnd) return;
        const std::uint64_t ahead = records[successor];
        const auto distance = static_cast<std::uint32_t>(now) + static_cast<std::uint32_t>(ahead);
        __syncthreads();
        records[mine] = record(static_cast<std::uint32_t>(ahead >> 32), distance);
        if (static_cast<std::uint32_t>(ahead >> 32) == kEnd) return;
    }
}

int main() {
    std::vector<std::uint64_t> chain(kRecords);
    for (std::uint32_t i = 0; i < kRecords; ++i) chain[i] = i + 1 < kRecords ? record(i + 1, 1) : record(kEnd, 0);
    std::uint64_t* records;
    CHECK(hipMalloc(&records, kRecords * sizeof *records));
    std::uint32_t wrong = 0;
    for (int round = 0; round < 2; ++round) {
        CHECK(hipMemcpy(records, chain.data(), kRecords * sizeof *records, hipMemcpyHostToDevice));
        double_pointers<<<(kRecords + 255) / 256, 256>>>(records);
        std::vector<std::uint64_t> ranked(kRecords);
        CHECK(hipMemcpy(ranked.data(), records, kRecords * sizeof *records, hipMemcpyDeviceToHost));
        for (std::uint32_t i = 0; i < kRecords; ++i) wrong += ranked[i] != record(kEnd, kRecords - 1 - i);
    }
    CHECK(hipFree(records));
    if (wrong) std::printf("%u wrong distances\n", wrong);
    std::puts(wrong ? "FAIL" : "PASS");
    return wrong ? 1 : 0;
}
