// Two kernels, launched a known number of times: what tracers, counters and captures have to find.
// Argument: the block size (256). Prints the number of waves of a launch, and PASS.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void scale(const float* in, float* out, float factor, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] * factor;
}

__global__ void shift(float* data, float by, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] += by;
}

static void require(hipError_t status) {
    if (status == hipSuccess) return;
    std::fprintf(stderr, "%s\n", hipGetErrorString(status));
    std::exit(1);
}

int main(int argc, char** argv) {
    constexpr int n = 16384;
    const int block = argc > 1 ? std::atoi(argv[1]) : 256;
    std::vector<float> host(n);
    for (int i = 0; i < n; ++i) host[i] = static_cast<float>(i % 101);
    float *in = nullptr, *out = nullptr;
    const std::size_t bytes = n * sizeof(float);
    require(hipMalloc(reinterpret_cast<void**>(&in), bytes));
    require(hipMalloc(reinterpret_cast<void**>(&out), bytes));
    require(hipMemcpy(in, host.data(), bytes, hipMemcpyHostToDevice));
    for (int launch = 1; launch <= 3; ++launch) scale<<<n / block, block>>>(in, out, static_cast<float>(launch), n);
    for (int launch = 0; launch < 2; ++launch) shift<<<n / block, block>>>(out, 1.0f, n);
    require(hipGetLastError());
    std::vector<float> result(n);
    require(hipMemcpy(result.data(), out, bytes, hipMemcpyDeviceToHost));
    for (int i = 0; i < n; ++i)
        if (result[i] != 3.0f * host[i] + 2.0f) {
            std::printf("FAIL at %d\n", i);
            return 1;
        }
    hipDeviceProp_t device;
    require(hipGetDeviceProperties(&device, 0));
    require(hipFree(in));
    require(hipFree(out));
    std::printf("waves %d\nPASS\n", n / device.warpSize);
    return 0;
}
