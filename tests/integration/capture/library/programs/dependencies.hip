// Streams that wait for each other, for the host's functions and for a value that the host writes later.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstring>

#define CHECK(call)                                           \
    if (hipError_t e = (call); e != hipSuccess) {             \
        std::printf("%s: %s\n", #call, hipGetErrorString(e)); \
        return 1;                                             \
    }

__global__ void times(int* data, int factor) { data[threadIdx.x] *= factor; }
__global__ void plus(int* data, int value) { data[threadIdx.x] += value; }

int main(int, char** what) {
    hipStream_t one, two;
    hipEvent_t begun, done;
    CHECK(hipStreamCreate(&one));
    CHECK(hipStreamCreate(&two));
    CHECK(hipEventCreate(&begun));
    CHECK(hipEventCreate(&done));
    int *data, *pinned;
    CHECK(hipMalloc(&data, 256));
    CHECK(hipHostMalloc(&pinned, 256));
    for (int i = 0; i < 64; ++i) pinned[i] = i;
    CHECK(hipMemcpyAsync(data, pinned, 256, hipMemcpyHostToDevice, one));
    plus<<<1, 64, 0, one>>>(data, 1);
    CHECK(hipEventRecord(begun, one));
    if (!std::strcmp(what[1], "host_function"))
        CHECK(hipLaunchHostFunc(one, [](void* p) { static_cast<int*>(p)[0] = 100; }, pinned));
    if (!std::strcmp(what[1], "event")) {
        CHECK(hipStreamWaitEvent(two, begun, 0));
        plus<<<1, 64, 0, two>>>(data, 10);
        CHECK(hipEventRecord(done, two));
        CHECK(hipStreamWaitEvent(one, done, 0));
    }
    unsigned* gate = nullptr;
    if (!std::strcmp(what[1], "value")) {
        CHECK(hipExtMallocWithFlags(reinterpret_cast<void**>(&gate), 8, hipMallocSignalMemory));
        std::memset(gate, 0, 8);
        CHECK(hipStreamWaitValue32(one, gate, 7, hipStreamWaitValueEq, 0xffffffff));
    }
    times<<<1, 64, 0, one>>>(data, 3);
    if (gate) __atomic_store_n(gate, 7u, __ATOMIC_RELEASE);
    CHECK(hipMemcpyAsync(pinned, data, 256, hipMemcpyDeviceToHost, one));
    CHECK(hipStreamSynchronize(one));
    float milliseconds = -1;
    CHECK(hipEventElapsedTime(&milliseconds, begun, begun));
    std::printf("%d %d %s\n", pinned[0], pinned[63], milliseconds == 0 ? "timed" : "not timed");
}
