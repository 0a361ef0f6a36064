// Kernels whose captures tests can predict: x = 2x + 1 in place, stage after stage, in two types and two overloads.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

constexpr int kCount = 5000;

struct Limits {
    int first;
    float scale[2];
    unsigned char flag;
    double* unused;
};

namespace stages {
template <typename T, int kStep>
__global__ void advance(T* values, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) values[i] = values[i] * 2 + kStep;
}
}  // namespace stages

__global__ void add(float* values, float amount) {
    values[threadIdx.x] += amount;
}
__global__ void add(double* values, double amount) {
    values[threadIdx.x] += amount;
}
extern "C" __global__ void limited(const float* from, float* to, Limits limits, char letter) {
    to[threadIdx.x] = from[threadIdx.x] * limits.scale[1] + limits.first + letter;
}
__global__ void nothing() {}
__global__ void fetch(float* to, const float* from) {
    to[threadIdx.x] = from[threadIdx.x] + 1;
}

static void check(hipError_t status) {
    if (status == hipSuccess) return;
    std::printf("%s\n", hipGetErrorString(status));
    std::exit(9);
}

// A kernel on one GPU that reads the memory of another.
static void fetch_from_peer() {
    float *near = nullptr, *far = nullptr;
    check(hipSetDevice(1));
    check(hipMalloc(&far, 4096));
    check(hipMemset(far, 0, 4096));
    check(hipSetDevice(0));
    check(hipMalloc(&near, 4096));
    check(hipDeviceEnablePeerAccess(1, 0));
    fetch<<<1, 64>>>(near, far);
    check(hipDeviceSynchronize());
}

int main(int count, char** words) {
    if (count > 1 && !std::strcmp(words[1], "peer")) {
        fetch_from_peer();
        return 0;
    }
    const std::vector<float> floats(kCount, 1.0f);
    const std::vector<double> doubles(kCount, 3.0);
    float* f = nullptr;
    double* d = nullptr;
    check(hipMalloc(&f, kCount * sizeof(float)));
    check(hipMalloc(&d, kCount * sizeof(double)));
    check(hipMemcpy(f, floats.data(), kCount * sizeof(float), hipMemcpyHostToDevice));
    check(hipMemcpy(d, doubles.data(), kCount * sizeof(double), hipMemcpyHostToDevice));
    std::printf("begins\n");
    for (int stage = 0; stage < 4; ++stage) {
        stages::advance<float, 1><<<(kCount + 255) / 256, 256>>>(f, kCount);
        stages::advance<double, 1><<<(kCount + 255) / 256, 256>>>(d, kCount);
    }
    add<<<1, 64>>>(f, 0.5f);
    add<<<1, 64>>>(d, 0.25);
    limited<<<1, 64>>>(f, f + 64, Limits{-3, {0.0f, 1.5f}, 200, d}, 'A');
    nothing<<<2, dim3(8, 4, 2)>>>();
    check(hipDeviceSynchronize());
    float first = 0;
    check(hipMemcpy(&first, f, sizeof first, hipMemcpyDeviceToHost));
    std::printf("ends with %g\n", first);
    if (count > 1 && !std::strcmp(words[1], "fail")) return 3;
    if (count > 1 && !std::strcmp(words[1], "abort")) std::abort();
    return 0;
}
