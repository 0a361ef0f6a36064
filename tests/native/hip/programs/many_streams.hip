// More streams than a hardware queue has packets, all of them used. Arguments: how many; how many kilobytes each may
// take of the host's memory, at most.
#include <hip/hip_runtime.h>

#include <cstdlib>

#include "check.h"

__global__ void put(int* p, int value) {
    p[blockIdx.x * blockDim.x + threadIdx.x] = value;
}
__global__ void count(int* out, const int* p, int n) {
    for (int i = 0; i < n; ++i) *out += p[i] == i + 1;
}

static long resident_kilobytes() {
    long pages = 0;
    FILE* file = std::fopen("/proc/self/statm", "r");
    if (std::fscanf(file, "%*d %ld", &pages) != 1) std::abort();
    std::fclose(file);
    return pages * 4;
}

struct Counted {
    const int n;
    int *device, *pinned, *out;
    std::vector<hipStream_t> streams;

    explicit Counted(int n) : n(n), streams(static_cast<std::size_t>(n)) {
        OK(hipMalloc(&device, static_cast<std::size_t>(n) * sizeof(int)));
        OK(hipHostMalloc(&pinned, static_cast<std::size_t>(n) * sizeof(int)));
        OK(hipHostMalloc(&out, sizeof(int)));
        for (int i = 0; i < n; ++i) pinned[i] = 0;
    }
    // The default stream comes after all of them, and they after it.
    void expect_all(const int* p) {
        *out = 0;
        count<<<1, 1>>>(out, p, n);
        OK(hipGetLastError());
        OK(hipDeviceSynchronize());
        if (*out != n) std::printf("%d of %d\n", *out, n);
        CHECK(*out == n);
    }
};

int main(int, char** argv) {
    Counted all(std::atoi(argv[1]));
    constexpr int kQueues = 32;  // hardware queues: the first streams make them, for all
    long before = 0;
    for (int i = 0; i < all.n; ++i) {
        hipStream_t& stream = all.streams[static_cast<std::size_t>(i)];
        OK(hipStreamCreate(&stream));
        put<<<1, 1, 0, stream>>>(all.device + i, i + 1);
        OK(hipGetLastError());
        if (i + 1 != kQueues) continue;
        count<<<1, 1>>>(all.out, all.device, 1);
        OK(hipDeviceSynchronize());
        before = resident_kilobytes();
    }
    all.expect_all(all.device);
    const long taken = (resident_kilobytes() - before) / (all.n - kQueues);
    if (taken > std::atol(argv[2])) std::printf("a used stream takes %ld KB\n", taken);
    CHECK(taken <= std::atol(argv[2]));
    // Copies are not in a queue: the next kernel has to wait for each.
    for (int i = 0; i < all.n; ++i)
        OK(hipMemcpyAsync(all.pinned + i, all.device + i, sizeof(int), hipMemcpyDeviceToHost,
                          all.streams[static_cast<std::size_t>(i)]));
    all.expect_all(all.pinned);
    for (hipStream_t stream : all.streams) OK(hipStreamDestroy(stream));
    return finish();
}
