// Virtual time never stops a program: kernels that wait for the host, for each other and for callbacks, hosts that
// poll memory, threads that launch at the same time.
#include <hip/hip_runtime.h>

#include <atomic>
#include <thread>
#include <vector>

#include "check.h"

__global__ void wait_for(volatile int* flag, int* seen) {
    while (__atomic_load_n(const_cast<int*>(flag), __ATOMIC_ACQUIRE) == 0) {
    }
    *seen = 1;
}
__global__ void set(int* flag, int value) {
    __atomic_store_n(flag, value, __ATOMIC_RELEASE);
}
__global__ void ping_pong(int* mine, int* other, int rounds) {
    for (int i = 1; i <= rounds; ++i) {
        __atomic_store_n(mine, i, __ATOMIC_RELEASE);
        while (__atomic_load_n(other, __ATOMIC_ACQUIRE) < i) {
        }
    }
}
__global__ void count(int* p) {
    atomicAdd(p, 1);
}

static int* words() {
    int* p;
    OK(hipHostMalloc(&p, 64));
    for (int i = 0; i < 16; ++i) p[i] = 0;
    return p;
}

static void kernel_waits_for_host() {
    int* p = words();
    hipStream_t waiting, other;
    OK(hipStreamCreateWithFlags(&waiting, hipStreamNonBlocking));
    OK(hipStreamCreateWithFlags(&other, hipStreamNonBlocking));
    hipEvent_t event;
    OK(hipEventCreate(&event));
    wait_for<<<1, 1, 0, waiting>>>(p, p + 1);
    OK(hipEventRecord(event, waiting));
    for (int i = 0; i < 50; ++i) {
        GIVES(hipErrorNotReady, hipStreamQuery(waiting));
        GIVES(hipErrorNotReady, hipEventQuery(event));
        set<<<1, 1, 0, other>>>(p + 2, i);
        OK(hipStreamSynchronize(other));
        CHECK(p[2] == i);
    }
    __atomic_store_n(p, 1, __ATOMIC_RELEASE);
    OK(hipStreamSynchronize(waiting));
    CHECK(p[1] == 1);
    OK(hipEventQuery(event));
    OK(hipHostFree(p));
}

static void host_polls_memory() {
    int* p = words();
    for (int i = 1; i <= 20; ++i) {
        set<<<1, 1>>>(p, i);
        while (__atomic_load_n(p, __ATOMIC_ACQUIRE) != i) std::this_thread::yield();
    }
    OK(hipDeviceSynchronize());
    OK(hipHostFree(p));
}

static void kernels_wait_for_each_other() {
    int* p = words();
    hipStream_t a, b;
    OK(hipStreamCreateWithFlags(&a, hipStreamNonBlocking));
    OK(hipStreamCreateWithFlags(&b, hipStreamNonBlocking));
    ping_pong<<<1, 1, 0, a>>>(p, p + 1, 20);
    ping_pong<<<1, 1, 0, b>>>(p + 1, p, 20);
    OK(hipStreamSynchronize(a));
    OK(hipStreamSynchronize(b));
    CHECK(p[0] == 20 && p[1] == 20);
    OK(hipHostFree(p));
}

static void callback_ends_a_kernel() {
    int* p = words();
    hipStream_t a, b;
    OK(hipStreamCreateWithFlags(&a, hipStreamNonBlocking));
    OK(hipStreamCreateWithFlags(&b, hipStreamNonBlocking));
    wait_for<<<1, 1, 0, a>>>(p, p + 1);
    OK(hipLaunchHostFunc(b, [](void* flag) { __atomic_store_n(static_cast<int*>(flag), 1, __ATOMIC_RELEASE); }, p));
    OK(hipStreamSynchronize(a));
    CHECK(p[1] == 1);
    // A callback that waits for the main thread, which asks in the meantime.
    static std::atomic<bool> go{false};
    OK(hipLaunchHostFunc(
        b,
        [](void*) {
            while (!go) std::this_thread::yield();
        },
        nullptr));
    GIVES(hipErrorNotReady, hipStreamQuery(b));
    set<<<1, 1, 0, a>>>(p, 7);
    OK(hipStreamSynchronize(a));
    go = true;
    OK(hipStreamSynchronize(b));
    OK(hipHostFree(p));
}

static void threads() {
    int* p = words();
    std::vector<std::thread> all;
    for (int t = 0; t < 4; ++t)
        all.emplace_back([p] {
            hipStream_t stream;
            hipEvent_t begin, end;
            OK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
            OK(hipEventCreate(&begin));
            OK(hipEventCreate(&end));
            for (int i = 0; i < 20; ++i) {
                OK(hipEventRecord(begin, stream));
                count<<<1, 64, 0, stream>>>(p);
                OK(hipEventRecord(end, stream));
                if (i % 2)
                    OK(hipEventSynchronize(end));
                else
                    while (hipEventQuery(end) == hipErrorNotReady) {
                    }
                float ms = -1;
                OK(hipEventElapsedTime(&ms, begin, end));
                CHECK(ms > 0.002f && ms < 1);
            }
            OK(hipStreamDestroy(stream));
        });
    for (auto& thread : all) thread.join();
    CHECK(*p == 4 * 20 * 64);
    // What the main thread does next comes after what the threads did.
    OK(hipHostFree(p));
}

int main() {
    kernel_waits_for_host();
    host_polls_memory();
    kernels_wait_for_each_other();
    callback_ends_a_kernel();
    threads();
    return finish();
}
