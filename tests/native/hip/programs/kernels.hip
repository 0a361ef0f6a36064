// Launches in all their forms, symbols, managed variables, function queries.
#include <hip/hip_ext.h>
#include <hip/hip_runtime.h>

#include "check.h"

__device__ int device_counter = 5;
__constant__ float table[4] = {1, 2, 3, 4};
__managed__ int shared_by_both = 7;

struct Pair {
    char tag;
    double value;
};

__global__ void add(const float* x, const float* y, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = x[i] + y[i];
}
__global__ void mixed(char c, short s, Pair p, float3 v, long long w, double* out) {
    out[0] = c;
    out[1] = s;
    out[2] = p.tag;
    out[3] = p.value;
    out[4] = v.x + v.y + v.z;
    out[5] = static_cast<double>(w);
}
__global__ void where(unsigned* out) {
    if (threadIdx.x + threadIdx.y + threadIdx.z == 0 && blockIdx.x + blockIdx.y + blockIdx.z == 0) {
        out[0] = gridDim.x, out[1] = gridDim.y, out[2] = gridDim.z;
        out[3] = blockDim.x, out[4] = blockDim.y, out[5] = blockDim.z;
    }
    atomicAdd(&out[6], 1u);
}
__global__ void symbols(int* out) {
    out[0] = atomicAdd(&device_counter, 1);
    out[1] = static_cast<int>(table[2]);
    out[2] = shared_by_both;
    shared_by_both = 9;
}
__global__ void dynamic_shared(int* out, int n) {
    extern __shared__ int buffer[];
    buffer[threadIdx.x] = static_cast<int>(threadIdx.x);
    __syncthreads();
    if (threadIdx.x == 0) {
        int sum = 0;
        for (int i = 0; i < n; ++i) sum += buffer[i];
        *out = sum;
    }
}
__global__ void __launch_bounds__(64) bounded(int* out) { *out = 1; }
template <class T>
__global__ void scale(T* data, T factor) {
    data[threadIdx.x] *= factor;
}

static void plain() {
    constexpr int n = 1000;
    std::vector<float> x(n), y(n), out(n);
    for (int i = 0; i < n; ++i) x[i] = static_cast<float>(i), y[i] = 0.5f;
    float *dx, *dy, *dout;
    OK(hipMalloc(&dx, n * 4));
    OK(hipMalloc(&dy, n * 4));
    OK(hipMalloc(&dout, n * 4));
    OK(hipMemcpy(dx, x.data(), n * 4, hipMemcpyHostToDevice));
    OK(hipMemcpy(dy, y.data(), n * 4, hipMemcpyHostToDevice));
    add<<<(n + 255) / 256, 256>>>(dx, dy, dout, n);
    OK(hipGetLastError());
    OK(hipMemcpy(out.data(), dout, n * 4, hipMemcpyDeviceToHost));
    for (int i = 0; i < n; ++i) CHECK(out[i] == static_cast<float>(i) + 0.5f);
    hipLaunchKernelGGL(HIP_KERNEL_NAME(scale<float>), dim3(1), dim3(64), 0, 0, dout, 2.0f);
    OK(hipMemcpy(out.data(), dout, 256, hipMemcpyDeviceToHost));
    CHECK(out[63] == 127.0f);
    int count = n;
    void* args[] = {&dx, &dy, &dout, &count};
    OK(hipLaunchKernel(reinterpret_cast<const void*>(add), dim3(4), dim3(256), args, 0, nullptr));
    hipLaunchConfig_t config{};
    config.gridDim = dim3(4);
    config.blockDim = dim3(256);
    OK(hipLaunchKernelExC(&config, reinterpret_cast<const void*>(add), args));
    OK(hipDeviceSynchronize());
    OK(hipFree(dx));
    OK(hipFree(dy));
    OK(hipFree(dout));
}

static void arguments() {
    double *out, got[6];
    OK(hipMalloc(&out, sizeof got));
    mixed<<<1, 1>>>('c', -3, Pair{'p', 2.5}, make_float3(1, 2, 4), -1234567890123ll, out);
    OK(hipMemcpy(got, out, sizeof got, hipMemcpyDeviceToHost));
    CHECK(got[0] == 'c' && got[1] == -3 && got[2] == 'p' && got[3] == 2.5 && got[4] == 7 && got[5] == -1234567890123.0);
    OK(hipFree(out));
}

static void geometry() {
    unsigned *out, got[7];
    OK(hipMalloc(&out, sizeof got));
    OK(hipMemset(out, 0, sizeof got));
    where<<<dim3(3, 2, 2), dim3(5, 4, 3)>>>(out);
    OK(hipMemcpy(got, out, sizeof got, hipMemcpyDeviceToHost));
    CHECK(got[0] == 3 && got[1] == 2 && got[2] == 2 && got[3] == 5 && got[4] == 4 && got[5] == 3);
    CHECK(got[6] == 3 * 2 * 2 * 5 * 4 * 3);
    OK(hipFree(out));
}

static void variables() {
    int *out, got[3], value = 0;
    OK(hipMalloc(&out, sizeof got));
    symbols<<<1, 1>>>(out);
    OK(hipMemcpy(got, out, sizeof got, hipMemcpyDeviceToHost));
    CHECK(got[0] == 5 && got[1] == 3 && got[2] == 7 && shared_by_both == 9);
    OK(hipMemcpyFromSymbol(&value, HIP_SYMBOL(device_counter), sizeof value));
    CHECK(value == 6);
    value = 100;
    OK(hipMemcpyToSymbol(HIP_SYMBOL(device_counter), &value, sizeof value));
    float three = 33;
    OK(hipMemcpyToSymbol(table, &three, 4, 8));
    shared_by_both = -1;
    symbols<<<1, 1>>>(out);
    OK(hipMemcpy(got, out, sizeof got, hipMemcpyDeviceToHost));
    CHECK(got[0] == 100 && got[1] == 33 && got[2] == -1);
    void* address = nullptr;
    size_t size = 0;
    OK(hipGetSymbolAddress(&address, HIP_SYMBOL(table)));
    OK(hipGetSymbolSize(&size, HIP_SYMBOL(table)));
    CHECK(address != nullptr && size == 16);
    OK(hipMemset(address, 0, 16));
    OK(hipGetSymbolAddress(&address, HIP_SYMBOL(shared_by_both)));
    CHECK(address == &shared_by_both);
    GIVES(hipErrorInvalidValue, hipMemcpyToSymbol(table, &three, 4, 16));
    static int not_a_symbol;
    GIVES(hipErrorInvalidSymbol, hipMemcpyToSymbol(HIP_SYMBOL(not_a_symbol), &value, 4));
    OK(hipFree(out));
}

static void shared_memory() {
    int *out, got = 0;
    OK(hipMalloc(&out, 4));
    dynamic_shared<<<1, 256, 1024>>>(out, 256);
    OK(hipMemcpy(&got, out, 4, hipMemcpyDeviceToHost));
    CHECK(got == 255 * 128);
    OK(hipFuncSetAttribute(reinterpret_cast<const void*>(dynamic_shared), hipFuncAttributeMaxDynamicSharedMemorySize,
                           65536));
    GIVES(hipErrorInvalidValue, hipFuncSetAttribute(reinterpret_cast<const void*>(dynamic_shared),
                                                    hipFuncAttributeMaxDynamicSharedMemorySize, 65537));
    (void)hipGetLastError();
    dynamic_shared<<<1, 256, 65536>>>(out, 256);
    OK(hipGetLastError());
    dynamic_shared<<<1, 256, 65537>>>(out, 256);
    GIVES(hipErrorInvalidValue, hipGetLastError());
    OK(hipFree(out));
}

static void bad_shapes() {
    int* out;
    OK(hipMalloc(&out, 4));
    bounded<<<0, 64>>>(out);
    GIVES(hipErrorInvalidConfiguration, hipGetLastError());
    bounded<<<1, 0>>>(out);
    GIVES(hipErrorInvalidConfiguration, hipGetLastError());
    where<<<1, 1025>>>(reinterpret_cast<unsigned*>(out));
    GIVES(hipErrorInvalidConfiguration, hipGetLastError());
    where<<<1, dim3(2, 2, 1024)>>>(reinterpret_cast<unsigned*>(out));
    GIVES(hipErrorInvalidConfiguration, hipGetLastError());
    bounded<<<1, 65>>>(out);  // more than __launch_bounds__ allows
    GIVES(hipErrorLaunchFailure, hipGetLastError());
    GIVES(hipErrorInvalidDeviceFunction,
          hipLaunchKernel(static_cast<const void*>(&failures), dim3(1), dim3(1), nullptr, 0, nullptr));
    (void)hipGetLastError();
    OK(hipDeviceSynchronize());
    OK(hipFree(out));
}

static void queries() {
    hipFuncAttributes attributes;
    OK(hipFuncGetAttributes(&attributes, reinterpret_cast<const void*>(bounded)));
    CHECK(attributes.maxThreadsPerBlock == 64 && attributes.numRegs > 0 && attributes.sharedSizeBytes == 0);
    int blocks = 0, grid = 0, block = 0;
    OK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, 256, 0));
    CHECK(blocks == 8);
    OK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, 1024, 0));
    CHECK(blocks == 2);
    OK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, 64, 65536));
    CHECK(blocks == 1);
    OK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, 64, 0));
    CHECK(blocks == 32);
    OK(hipOccupancyMaxPotentialBlockSize(&grid, &block, add, 0, 0));
    CHECK(block == 1024 && grid == 2 * 304);
    OK(hipOccupancyMaxPotentialBlockSize(&grid, &block, bounded, 0, 0));
    CHECK(block == 64);
    hipFunction_t function;
    OK(hipGetFuncBySymbol(&function, reinterpret_cast<const void*>(add)));
    CHECK(std::strstr(hipKernelNameRef(function), "add"));
    CHECK(hipKernelNameRefByPtr(reinterpret_cast<const void*>(add), nullptr) != nullptr);
}

static void timed_launch() {
    hipEvent_t start, stop;
    OK(hipEventCreate(&start));
    OK(hipEventCreate(&stop));
    int* out;
    OK(hipMalloc(&out, 4));
    hipExtLaunchKernelGGL(bounded, dim3(1), dim3(64), 0, nullptr, start, stop, 0, out);
    OK(hipEventSynchronize(stop));
    float ms = -1;
    OK(hipEventElapsedTime(&ms, start, stop));
    CHECK(ms > 0 && ms < 1000);
    OK(hipFree(out));
    OK(hipEventDestroy(start));
    OK(hipEventDestroy(stop));
}

int main() {
    plain();
    arguments();
    geometry();
    variables();
    shared_memory();
    bad_shapes();
    queries();
    timed_launch();
    return finish();
}
