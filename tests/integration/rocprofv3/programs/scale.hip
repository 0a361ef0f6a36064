// One program for most tests: what it does is chosen by its arguments.
//   plain            allocate, copy in, launch twice, copy out
//   streams          two streams, three kernels each
//   markers          ranges, marks, names
//   threads          four threads that launch at the same time
//   devices          the same on every device
//   fork             parent and child both use the GPU
//   exec PROGRAM...  use the GPU, then become another program
//   child PROGRAM... use the GPU, then run another program and wait
//   abort | kill | segv | exit N | hang [FILE: made when the kernels are done]
//   scratch          a kernel with private memory
//   pause            launches outside and inside of a profiled region
#include <hip/hip_runtime.h>
#include <rocprofiler-sdk-roctx/roctx.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

__global__ void scale(float* data, float factor, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] *= factor;
}

template <typename T>
__global__ void offset(T* data, T by, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] += by;
}

__global__ void use_scratch(int* out, int n) {
    int local[64];
    for (int i = 0; i < 64; ++i) local[i] = i * n;
    out[threadIdx.x] = local[(threadIdx.x * n) % 64];
}

namespace {

constexpr int kCount = 1024;

void check(hipError_t status) {
    if (status == hipSuccess) return;
    std::printf("error: %s\n", hipGetErrorString(status));
    std::exit(2);
}

float work(int launches = 2, hipStream_t stream = nullptr) {
    std::vector<float> host(kCount, 1.0f);
    float* device;
    check(hipMalloc(&device, kCount * sizeof(float)));
    check(hipMemcpy(device, host.data(), kCount * sizeof(float), hipMemcpyHostToDevice));
    for (int i = 0; i < launches; ++i) scale<<<kCount / 256, 256, 0, stream>>>(device, 2.0f, kCount);
    offset<float><<<dim3(2, 2), dim3(16, 16), 0, stream>>>(device, 1.0f, kCount);
    check(hipDeviceSynchronize());
    check(hipMemcpy(host.data(), device, kCount * sizeof(float), hipMemcpyDeviceToHost));
    check(hipFree(device));
    float sum = 0;
    for (float value : host) sum += value;
    return sum;
}

void streams() {
    float* data;
    check(hipMalloc(&data, 2 * kCount * sizeof(float)));
    check(hipMemset(data, 0, 2 * kCount * sizeof(float)));
    hipStream_t stream[2];
    for (auto& s : stream) check(hipStreamCreate(&s));
    for (int round = 0; round < 3; ++round)
        for (int s = 0; s < 2; ++s)
            scale<<<kCount / 128, 128, 0, stream[s]>>>(data + s * kCount, 2.0f, kCount);
    check(hipDeviceSynchronize());
    for (auto& s : stream) check(hipStreamDestroy(s));
    check(hipFree(data));
}

void markers() {
    roctxNameOsThread("main thread");
    roctxMark("before");
    const roctx_range_id_t whole = roctxRangeStart("whole");
    std::printf("level %d\n", roctxRangePush("outer"));
    std::printf("level %d\n", roctxRangePush("inner"));
    work(1);
    std::printf("level %d\n", roctxRangePop());
    std::printf("level %d\n", roctxRangePop());
    std::printf("level %d\n", roctxRangePop());
    roctxRangeStop(whole);
}

int run(int count, char** arguments);

void fork_and_work() {
    const pid_t child = fork();  // before the first use: a GPU that is open does not survive a fork
    if (child == 0) {
        std::printf("child %.0f\n", work(1));
        std::fflush(stdout);
        std::exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    std::printf("parent %.0f, child ended with %d\n", work(), WEXITSTATUS(status));
}

void pause_and_work() {
    float* data;
    check(hipMalloc(&data, kCount * sizeof(float)));
    scale<<<4, 256>>>(data, 2.0f, kCount);
    check(hipDeviceSynchronize());
    roctxProfilerResume(0);
    offset<float><<<4, 256>>>(data, 2.0f, kCount);
    check(hipDeviceSynchronize());
    roctxProfilerPause(0);
    scale<<<4, 256>>>(data, 2.0f, kCount);
    check(hipDeviceSynchronize());
}

void threads() {
    std::vector<std::thread> all;
    std::vector<float> sums(4);
    for (int t = 0; t < 4; ++t) all.emplace_back([&sums, t] { sums[t] = work(3); });
    for (auto& thread : all) thread.join();
    for (float sum : sums) std::printf("%.0f\n", sum);
}

void devices() {
    int count = 0;
    check(hipGetDeviceCount(&count));
    for (int device = 0; device < count; ++device) {
        check(hipSetDevice(device));
        std::printf("device %d: %.0f\n", device, work());
    }
}

void with_program(bool replace, char** command) {
    std::printf("%.0f\n", work(1));
    std::fflush(stdout);
    if (!replace) {
        const pid_t child = fork();
        if (child != 0) {
            waitpid(child, nullptr, 0);
            return;
        }
    }
    execv(command[0], command);
    _exit(127);
}

void end_badly(const std::string& how, const char* more) {
    work();
    std::fflush(stdout);
    if (how == "abort") std::abort();
    if (how == "kill") kill(getpid(), SIGKILL);
    if (how == "segv") *static_cast<volatile int*>(nullptr) = 1;
    if (how == "hang") {
        if (more) std::fclose(std::fopen(more, "w"));
        for (;;) pause();
    }
    std::exit(more ? std::atoi(more) : 0);
}

void scratch() {
    int* out;
    check(hipMalloc(&out, 64 * sizeof(int)));
    use_scratch<<<1, 64>>>(out, 3);
    check(hipDeviceSynchronize());
    check(hipFree(out));
}

int run(int count, char** arguments) {
    const std::string what = count > 1 ? arguments[1] : "plain";
    if (what == "plain")
        std::printf("%.0f\n", work());
    else if (what == "streams")
        streams();
    else if (what == "markers")
        markers();
    else if (what == "threads")
        threads();
    else if (what == "devices")
        devices();
    else if (what == "fork")
        fork_and_work();
    else if (what == "exec" || what == "child")
        with_program(what == "exec", arguments + 2);
    else if (what == "scratch")
        scratch();
    else if (what == "pause")
        pause_and_work();
    else
        end_badly(what, count > 2 ? arguments[2] : nullptr);
    return 0;
}

}  // namespace

int main(int count, char** arguments) {
    return run(count, arguments);
}
