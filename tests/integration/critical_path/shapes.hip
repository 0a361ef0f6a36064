// shapes SHAPE ROUNDS: a program with one of several structures. ROUNDS is the work of the kernel "heavy"; that of
// "light" is always the same. With small grids the kernels do not get in each other's way.
#include <hip/hip_runtime.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define CHECK(call)                                                                \
    do {                                                                           \
        if ((call) != hipSuccess) std::printf("%s failed\n", #call), std::exit(1); \
    } while (0)

constexpr int kValues = 8192, kBlock = 256, kLight = 1500, kSteps = 6;

__device__ float turned(float value, int rounds) {
    for (int i = 0; i < rounds; ++i) value = value * 1.0001f + 0.5f;
    return value;
}
__global__ void heavy(float* data, int rounds) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    data[i] = turned(data[i], rounds);
}
__global__ void light(float* data, int rounds) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    data[i] = turned(data[i], rounds);
}

struct Buffers {
    float *device = nullptr, *other = nullptr, *pinned = nullptr;
    std::vector<float> pageable = std::vector<float>(kValues, 1.0f);
    Buffers() {
        CHECK(hipMalloc(&device, kValues * sizeof(float)));
        CHECK(hipMalloc(&other, kValues * sizeof(float)));
        CHECK(hipHostMalloc(&pinned, kValues * sizeof(float)));
    }
};

void run_heavy(float* data, int rounds, hipStream_t stream = nullptr) {
    heavy<<<kValues / kBlock, kBlock, 0, stream>>>(data, rounds);
}
void run_light(float* data, hipStream_t stream = nullptr) {
    light<<<kValues / kBlock, kBlock, 0, stream>>>(data, kLight);
}

void launches(int rounds, bool wait) {
    Buffers b;
    for (int i = 0; i < kSteps; ++i) {
        run_heavy(b.device, rounds);
        run_light(b.device);
        if (wait) CHECK(hipDeviceSynchronize());
    }
    CHECK(hipDeviceSynchronize());
}
void one_stream(int rounds) {
    launches(rounds, true);
}
void no_waits(int rounds) {
    launches(rounds, false);
}

// Two streams that work side by side and meet in every step.
void two_streams(int rounds) {
    Buffers b;
    hipStream_t first, second;
    hipEvent_t forked, joined;
    CHECK(hipStreamCreate(&first));
    CHECK(hipStreamCreate(&second));
    CHECK(hipEventCreateWithFlags(&forked, hipEventDisableTiming));
    CHECK(hipEventCreateWithFlags(&joined, hipEventDisableTiming));
    for (int i = 0; i < kSteps; ++i) {
        run_light(b.device, first);
        CHECK(hipEventRecord(forked, first));
        CHECK(hipStreamWaitEvent(second, forked, 0));
        run_heavy(b.device, rounds, first);
        run_light(b.other, second);
        run_light(b.other, second);
        CHECK(hipEventRecord(joined, second));
        CHECK(hipStreamWaitEvent(first, joined, 0));
    }
    CHECK(hipEventRecord(forked, first));
    CHECK(hipEventSynchronize(forked));
}

// Copies in and out, waited for or not, pinned and not.
void copies(int rounds) {
    Buffers b;
    hipStream_t stream;
    CHECK(hipStreamCreate(&stream));
    const size_t bytes = kValues * sizeof(float);
    for (int i = 0; i < kSteps; ++i) {
        CHECK(hipMemcpy(b.device, b.pageable.data(), bytes, hipMemcpyHostToDevice));
        run_heavy(b.device, rounds);
        CHECK(hipMemcpyAsync(b.other, b.pinned, bytes, hipMemcpyHostToDevice, stream));
        run_light(b.other, stream);
        CHECK(hipMemcpy(b.pageable.data(), b.device, bytes, hipMemcpyDeviceToHost));
    }
    CHECK(hipStreamSynchronize(stream));
}

// A copy in the way of the kernel, or beside it on a stream of its own.
void feed(int rounds, bool beside) {
    Buffers b;
    float *pinned, *target;
    const size_t bytes = 4 << 20;
    hipStream_t stream, copying;
    CHECK(hipHostMalloc(&pinned, bytes));
    CHECK(hipMalloc(&target, bytes));
    CHECK(hipStreamCreate(&stream));
    CHECK(hipStreamCreate(&copying));
    for (int i = 0; i < kSteps; ++i) {
        CHECK(hipMemcpyAsync(target, pinned, bytes, hipMemcpyHostToDevice, beside ? copying : stream));
        run_heavy(b.device, rounds, stream);
    }
    CHECK(hipDeviceSynchronize());
}
void copy_in_the_way(int rounds) {
    feed(rounds, false);
}
void copy_beside(int rounds) {
    feed(rounds, true);
}

// The null stream between blocking streams, and one that does not take part.
void default_stream(int rounds) {
    Buffers b;
    hipStream_t blocking, apart;
    CHECK(hipStreamCreate(&blocking));
    CHECK(hipStreamCreateWithFlags(&apart, hipStreamNonBlocking));
    for (int i = 0; i < kSteps; ++i) {
        run_heavy(b.device, rounds, blocking);
        run_light(b.other, apart);
        run_light(b.device);
        run_light(b.device, blocking);
    }
    CHECK(hipDeviceSynchronize());
}

void polling(int rounds) {
    Buffers b;
    hipEvent_t done;
    CHECK(hipEventCreate(&done));
    for (int i = 0; i < kSteps; ++i) {
        run_heavy(b.device, rounds);
        CHECK(hipEventRecord(done));
        while (hipEventQuery(done) != hipSuccess) {
        }
        run_light(b.device);
    }
    CHECK(hipDeviceSynchronize());
}

void graph(int rounds) {
    Buffers b;
    hipStream_t stream;
    hipGraph_t captured;
    hipGraphExec_t made;
    CHECK(hipStreamCreate(&stream));
    CHECK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
    run_heavy(b.device, rounds, stream);
    run_light(b.device, stream);
    CHECK(hipStreamEndCapture(stream, &captured));
    CHECK(hipGraphInstantiate(&made, captured, nullptr, nullptr, 0));
    for (int i = 0; i < kSteps; ++i) CHECK(hipGraphLaunch(made, stream));
    CHECK(hipStreamSynchronize(stream));
}

// heavy on the first GPU, light on the second, in step.
void two_gpus(int rounds) {
    CHECK(hipSetDevice(0));
    Buffers first;
    CHECK(hipSetDevice(1));
    Buffers second;
    for (int i = 0; i < kSteps; ++i) {
        CHECK(hipSetDevice(0));
        run_heavy(first.device, rounds);
        CHECK(hipSetDevice(1));
        for (int k = 0; k < 2; ++k) run_light(second.device);
        CHECK(hipDeviceSynchronize());
        CHECK(hipSetDevice(0));
        CHECK(hipDeviceSynchronize());
    }
}

// The parent's child does light work only.
void two_processes(int rounds) {
    const pid_t child = fork();
    Buffers b;
    for (int i = 0; i < 2 * kSteps; ++i) child ? run_heavy(b.device, rounds) : run_light(b.device);
    CHECK(hipDeviceSynchronize());
    if (!child) std::exit(0);
    int status = 0;
    waitpid(child, &status, 0);
}

int main(int argc, char** argv) {
    const struct {
        const char* name;
        void (*run)(int);
    } shapes[] = {{"one_stream", one_stream},
                  {"two_streams", two_streams},
                  {"copies", copies},
                  {"default_stream", default_stream},
                  {"polling", polling},
                  {"graph", graph},
                  {"no_waits", no_waits},
                  {"copy_in_the_way", copy_in_the_way},
                  {"copy_beside", copy_beside},
                  {"two_gpus", two_gpus},
                  {"two_processes", two_processes}};
    if (argc != 3) return std::puts("usage: shapes SHAPE ROUNDS"), 2;
    for (const auto& shape : shapes)
        if (!std::strcmp(argv[1], shape.name)) return shape.run(std::atoi(argv[2])), 0;
    return std::puts("no such shape"), 2;
}
