// A thread of the host writes to pinned memory all the time, also while a kernel runs that has nothing to do with it.
#include <hip/hip_runtime.h>

#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

#define CHECK(call) \
    if ((call) != hipSuccess) return std::printf("%s failed\n", #call), 1

__global__ void add(int* data) { data[threadIdx.x] += 1; }

int main() {
    int *data, *busy, *quiet;
    CHECK(hipMalloc(&data, 256));
    CHECK(hipMemset(data, 0, 256));
    CHECK(hipHostMalloc(&busy, 8192));
    CHECK(hipHostMalloc(&quiet, 8192));
    // More to copy: the writer gets its turn on a busy machine too.
    std::vector<unsigned> noise(1 << 24);
    for (unsigned i = 0; i < noise.size(); ++i) noise[i] = i * 2654435761u;
    char* ballast;
    CHECK(hipMalloc(&ballast, noise.size() * 4));
    CHECK(hipMemcpy(ballast, noise.data(), noise.size() * 4, hipMemcpyHostToDevice));
    std::atomic<bool> stop{false};
    std::thread writer([&] {
        for (int i = 0; !stop; ++i) __atomic_store_n(&busy[i % 1024], i, __ATOMIC_RELAXED);
    });
    while (__atomic_load_n(&busy[1000], __ATOMIC_RELAXED) == 0) std::this_thread::yield();
    add<<<1, 64>>>(data);
    CHECK(hipDeviceSynchronize());
    stop = true;
    writer.join();
    int host[64];
    CHECK(hipMemcpy(host, data, 256, hipMemcpyDeviceToHost));
    std::printf("%d\n", host[0]);
}
