// Two threads launch on a stream each, all the time, with copies in between; one dispatch of `target` on the first
// stream after a while. `both` changes two arrays by the same: seen at rest they are equal. Between them lies much
// memory, so that somebody who copies all of it takes a while from the one to the other.
#include <hip/hip_runtime.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <thread>
#include <vector>

#define CHECK(call)                                                 \
    if (hipError_t e = (call); e != hipSuccess) {                   \
        std::printf("%s: %s\n", #call, hipGetErrorString(e));       \
        std::_Exit(1);                                              \
    }

constexpr int kCount = 1 << 16;
constexpr int kRounds = 8;
constexpr std::size_t kBallast = 192 << 20;

__global__ void both(int* a, int* b, int rounds) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int r = 0; r < rounds; ++r) {
        a[i] += 1;
        __threadfence();
        b[i] += 1;
    }
}

__global__ void target(int* c) { c[blockIdx.x * blockDim.x + threadIdx.x] += 7; }

__global__ void warm_up(int* d) { d[threadIdx.x] += 1; }

int main() {
    int *a, *b, *c, *d, *staging;
    char* ballast;
    CHECK(hipMalloc(&a, kCount * 4));
    CHECK(hipMalloc(&ballast, kBallast));
    std::vector<std::uint64_t> noise(1 << 20);
    std::uint64_t state = 88172645463325252ull;
    for (auto& word : noise) state ^= state << 13, state ^= state >> 7, state ^= state << 17, word = state;
    for (std::size_t at = 0; at < kBallast; at += noise.size() * 8)
        CHECK(hipMemcpy(ballast + at, noise.data(), noise.size() * 8, hipMemcpyHostToDevice));
    CHECK(hipMalloc(&b, kCount * 4));
    CHECK(hipMalloc(&c, kCount * 4));
    CHECK(hipMalloc(&d, kCount * 4));
    CHECK(hipHostMalloc(&staging, kCount * 4));
    CHECK(hipMemset(a, 0, kCount * 4));
    CHECK(hipMemset(b, 0, kCount * 4));
    CHECK(hipMemset(c, 0, kCount * 4));
    for (int i = 0; i < kCount; ++i) staging[i] = i;
    CHECK(hipDeviceSynchronize());
    std::atomic<bool> stop{false};
    std::atomic<int> launches{0};
    std::thread other([&] {
        hipStream_t stream;
        CHECK(hipStreamCreate(&stream));
        while (!stop) {
            both<<<kCount / 256, 256, 0, stream>>>(a, b, kRounds);
            both<<<kCount / 256, 256, 0, stream>>>(a, b, kRounds);
            CHECK(hipMemcpyAsync(d, staging, kCount * 4, hipMemcpyHostToDevice, stream));
            void* scratch;
            CHECK(hipMalloc(&scratch, 4096));
            CHECK(hipFree(scratch));
            if (++launches % 4 == 0) CHECK(hipStreamSynchronize(stream));
        }
        CHECK(hipStreamSynchronize(stream));
    });
    hipStream_t stream;
    CHECK(hipStreamCreate(&stream));
    while (launches < 6) {
        warm_up<<<1, 64, 0, stream>>>(d);
        CHECK(hipStreamSynchronize(stream));
    }
    target<<<kCount / 256, 256, 0, stream>>>(c);
    CHECK(hipStreamSynchronize(stream));
    const int then = launches;
    while (launches < then + 3) std::this_thread::yield();
    stop = true;
    other.join();
    std::vector<int> ha(kCount), hb(kCount), hc(kCount);
    CHECK(hipMemcpy(ha.data(), a, kCount * 4, hipMemcpyDeviceToHost));
    CHECK(hipMemcpy(hb.data(), b, kCount * 4, hipMemcpyDeviceToHost));
    CHECK(hipMemcpy(hc.data(), c, kCount * 4, hipMemcpyDeviceToHost));
    for (int i = 0; i < kCount; ++i)
        if (ha[i] != 2 * kRounds * launches || hb[i] != ha[i] || hc[i] != 7) return std::printf("wrong at %d\n", i), 1;
    std::printf("right\n");
}
