// Built with -fgpu-default-stream=per-thread: the default stream of each thread is its own.
#include <hip/hip_runtime.h>

#include <atomic>
#include <thread>

#include "check.h"

__global__ void wait_for_flag(const volatile int* flag, int* out) {
    while (*flag == 0) {
    }
    *out = 1;
}
__global__ void write(int* out) { *out = 2; }

int main() {
    int *flag, *blocked, *free_running, value = 0;
    OK(hipHostMalloc(&flag, 4));
    OK(hipMalloc(&blocked, 4));
    OK(hipMalloc(&free_running, 4));
    *flag = 0;
    std::atomic<bool> launched{false};
    std::thread other([&] {
        wait_for_flag<<<1, 1>>>(flag, blocked);
        OK(hipGetLastError());
        launched = true;
        OK(hipStreamSynchronize(nullptr));
    });
    while (!launched) std::this_thread::yield();
    write<<<1, 1>>>(free_running);  // would never run behind the other thread's kernel
    OK(hipMemcpy(&value, free_running, 4, hipMemcpyDeviceToHost));
    CHECK(value == 2);
    __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
    other.join();
    OK(hipMemcpy(&value, blocked, 4, hipMemcpyDeviceToHost));
    CHECK(value == 1);
    return finish();
}
