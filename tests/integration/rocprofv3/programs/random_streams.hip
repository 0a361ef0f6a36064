// A host thread that asks several streams for kernels, copies, fills and events at random (by its first argument),
// waits for some of them and polls others.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#define CHECK(call) \
    do { \
        if (hipError_t error_ = (call)) return std::printf("%s: %s\n", #call, hipGetErrorString(error_)), 1; \
    } while (0)

constexpr int kItems = 1 << 17;

__global__ void work(float* data, int n, int rounds) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = data[i];
    for (int j = 0; j < rounds; ++j) x = x * 1.0001f + 0.5f;
    data[i] = x;
}

__global__ void gather(float* out, const float* in, int n, int stride) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] += in[static_cast<size_t>(i) * stride % n];
}

int main(int, char** arguments) {
    std::mt19937 engine(std::atoi(arguments[1]));
    auto below = [&](int n) { return static_cast<int>(engine() % n); };
    std::vector<hipStream_t> streams(2 + below(4));
    for (auto& s : streams)
        CHECK(hipStreamCreateWithFlags(&s, below(3) ? hipStreamDefault : hipStreamNonBlocking));
    std::vector<float*> buffers(6);
    for (auto& b : buffers) {
        CHECK(hipMalloc(&b, kItems * sizeof(float)));
        CHECK(hipMemset(b, 0, kItems * sizeof(float)));
    }
    float* pinned;
    CHECK(hipHostMalloc(&pinned, 2 * kItems * sizeof(float)));
    std::vector<float> pageable(kItems);
    std::vector<hipEvent_t> events(8);
    for (auto& e : events) {
        CHECK(hipEventCreate(&e));
        CHECK(hipEventRecord(e, streams[below(static_cast<int>(streams.size()))]));
    }
    for (int step = 0; step < 100; ++step) {
        hipStream_t stream = streams[below(static_cast<int>(streams.size()))];
        float *one = buffers[below(6)], *other = buffers[below(6)];
        hipEvent_t event = events[below(8)];
        const size_t bytes = sizeof(float) << below(17);
        switch (below(14)) {
            case 0: case 1: case 2: {
                const int n = 256 << below(10);
                work<<<n / 256, 256, 0, stream>>>(one, n, 1 << below(8));
                break;
            }
            case 3: {
                const int n = 1024 << below(8);
                gather<<<n / 256, 256, 0, stream>>>(one, other, n, 1 + below(64));
                break;
            }
            case 4: CHECK(hipMemcpyAsync(one, pinned, bytes, hipMemcpyHostToDevice, stream)); break;
            case 5: CHECK(hipMemcpyAsync(pinned + kItems, one, bytes, hipMemcpyDeviceToHost, stream)); break;
            case 6: CHECK(hipMemcpyAsync(one, other, bytes, hipMemcpyDeviceToDevice, stream)); break;
            case 7: CHECK(hipMemsetAsync(one, 0, bytes, stream)); break;
            case 8: case 9: CHECK(hipEventRecord(event, stream)); break;
            case 10: case 11: CHECK(hipStreamWaitEvent(stream, event, 0)); break;
            case 12:
                while (hipEventQuery(event) == hipErrorNotReady) continue;
                break;
            case 13:
                if (below(3)) CHECK(hipMemcpy(pageable.data(), one, bytes, hipMemcpyDeviceToHost));
                else CHECK(hipStreamSynchronize(stream));
                break;
        }
    }
    CHECK(hipDeviceSynchronize());
    std::puts("done");
}
