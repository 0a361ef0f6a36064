// A thread whose clock is behind waits for what another, ahead of it, has launched in the same stream.
#include <hip/hip_runtime.h>

#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>
__global__ void slow(int* flag, int rounds) {
    int x = 1;
    for (int i = 0; i < rounds; ++i) x = x * 3 + i;
    *flag = x | 1;
}
int main() {
    int* flag;
    (void)hipHostMalloc(&flag, 4);
    std::mutex m;
    std::condition_variable c;
    int step = 0, early = 0;
    const auto reach = [&](int to) {
        std::lock_guard l(m);
        step = to;
        c.notify_all();
    };
    const auto wait = [&](int for_) {
        std::unique_lock l(m);
        c.wait(l, [&] { return step >= for_; });
    };
    for (int round = 0; round < 20; ++round) {
        *flag = 0;
        step = 0;
        std::thread behind([&] {
            (void)hipSetDevice(0);
            reach(1);
            wait(2);
            (void)hipDeviceSynchronize();
            early += *(volatile int*)flag == 0;
        });
        wait(1);
        for (int i = 0; i < 50; ++i) {
            slow<<<1, 64>>>(flag, 1);
            (void)hipDeviceSynchronize();
        }
        *flag = 0;
        slow<<<1, 64>>>(flag, 2000000);
        reach(2);
        behind.join();
        (void)hipDeviceSynchronize();
    }
    std::printf("%d times early\n", early);
}
