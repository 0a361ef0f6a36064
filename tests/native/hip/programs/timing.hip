// Virtual time as a HIP program sees it. Prints every figure, so that two runs can be compared.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <vector>

#include "check.h"

__global__ void empty() {}
__global__ void spin(float* out, int steps) {
    float x = static_cast<float>(threadIdx.x);
    for (int i = 0; i < steps; ++i) x = x * 1.0001f + 0.5f;
    if (x == -1) *out = x;
}
__global__ void clocks(unsigned long long* out) {
    *out = wall_clock64();
}

static float elapsed(hipEvent_t a, hipEvent_t b) {
    float ms = 0;
    OK(hipEventElapsedTime(&ms, a, b));
    return ms;
}

struct Events {
    hipEvent_t begin, end;
    Events() {
        OK(hipEventCreate(&begin));
        OK(hipEventCreate(&end));
    }
};

static void empty_kernel() {
    Events e;
    for (int i = 0; i < 3; ++i) {
        OK(hipEventRecord(e.begin));
        empty<<<1, 64>>>();
        OK(hipEventRecord(e.end));
        OK(hipEventSynchronize(e.end));
        std::printf("empty %.6f\n", elapsed(e.begin, e.end));
    }
    OK(hipEventRecord(e.begin));
    for (int i = 0; i < 10; ++i) empty<<<1, 64>>>();
    OK(hipEventRecord(e.end));
    OK(hipEventSynchronize(e.end));
    std::printf("ten %.6f\n", elapsed(e.begin, e.end));
}

static float both(int blocks, int steps, bool two_streams) {
    hipStream_t s[2];
    for (auto& stream : s) OK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
    Events e;
    hipEvent_t other;
    OK(hipEventCreate(&other));
    OK(hipEventRecord(e.begin, s[0]));
    spin<<<blocks, 256, 0, s[0]>>>(nullptr, steps);
    spin<<<blocks, 256, 0, s[two_streams]>>>(nullptr, steps);
    OK(hipEventRecord(other, s[1]));
    OK(hipStreamWaitEvent(s[0], other, 0));
    OK(hipEventRecord(e.end, s[0]));
    OK(hipEventSynchronize(e.end));
    const float ms = elapsed(e.begin, e.end);
    for (auto& stream : s) OK(hipStreamDestroy(stream));
    return ms;
}

// Kernels that do not fill the GPU run beside each other; those that do take turns.
static void overlap() {
    std::printf("small apart %.6f together %.6f\n", both(4, 2000, false), both(4, 2000, true));
    const int full = 304 * 8;
    std::printf("full apart %.6f together %.6f\n", both(full, 40, false), both(full, 40, true));
}

static void queries() {
    Events e;
    OK(hipEventRecord(e.begin));
    spin<<<4, 256>>>(nullptr, 5000);
    OK(hipEventRecord(e.end));
    long asked = 0;
    while (hipEventQuery(e.end) == hipErrorNotReady) ++asked;
    std::printf("event queries %ld\n", asked);
    spin<<<4, 256>>>(nullptr, 5000);
    asked = 0;
    while (hipStreamQuery(nullptr) == hipErrorNotReady) ++asked;
    std::printf("stream queries %ld\n", asked);
}

static void copies() {
    Events e;
    const std::size_t sizes[] = {4096, 1 << 16, 1 << 20, 4 << 20, 64 << 20};
    void *a, *b;
    OK(hipMalloc(&a, 64 << 20));
    OK(hipMalloc(&b, 64 << 20));
    std::vector<char> host(64 << 20);
    for (std::size_t size : sizes) {
        float ms[4];
        for (int way = 0; way < 4; ++way) {
            OK(hipEventRecord(e.begin));
            if (way == 0) OK(hipMemcpy(a, host.data(), size, hipMemcpyHostToDevice));
            if (way == 1) OK(hipMemcpy(host.data(), a, size, hipMemcpyDeviceToHost));
            if (way == 2) OK(hipMemcpy(b, a, size, hipMemcpyDeviceToDevice));
            if (way == 3) OK(hipMemset(a, 1, size));
            OK(hipEventRecord(e.end));
            OK(hipEventSynchronize(e.end));
            ms[way] = elapsed(e.begin, e.end);
        }
        std::printf("copy %zu h2d %.6f d2h %.6f d2d %.6f fill %.6f\n", size, ms[0], ms[1], ms[2], ms[3]);
    }
    OK(hipFree(a));
    OK(hipFree(b));
}

static void clocks_in_kernels() {
    unsigned long long* ticks;
    OK(hipHostMalloc(&ticks, 16));
    clocks<<<1, 1>>>(ticks);
    spin<<<1, 64>>>(nullptr, 2000);
    clocks<<<1, 1>>>(ticks + 1);
    OK(hipDeviceSynchronize());
    std::printf("ticks %lld\n", static_cast<long long>(ticks[1] - ticks[0]));
    OK(hipHostFree(ticks));
}

static void callbacks() {
    static int order = 0;
    Events e;
    hipStream_t s;
    OK(hipStreamCreate(&s));
    OK(hipEventRecord(e.begin, s));
    for (int i = 0; i < 5; ++i) {
        spin<<<4, 64, 0, s>>>(nullptr, 1000);
        OK(hipLaunchHostFunc(s, [](void*) { ++order; }, nullptr));
    }
    OK(hipEventRecord(e.end, s));
    OK(hipStreamSynchronize(s));
    std::printf("callbacks %d %.6f\n", order, elapsed(e.begin, e.end));
    OK(hipStreamDestroy(s));
}

int main() {
    empty_kernel();
    overlap();
    queries();
    copies();
    clocks_in_kernels();
    callbacks();
    return finish();
}
