// Kernels whose emulated time is compared with the same loop on the host: prints nanoseconds of wall time.
// usage: functional_speed elementwise|matmul
#include <hip/hip_runtime.h>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <vector>

__global__ void elementwise(const float* a, const float* b, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] * b[i] + 1.0f;
}

__global__ void matmul(const float* a, const float* b, float* c, int n) {
    int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}

int main(int argc, char** argv) {
    bool is_matmul = argc > 1 && !std::strcmp(argv[1], "matmul");
    const int n = is_matmul ? 512 : 1 << 24;
    const size_t count = is_matmul ? size_t(n) * n : n;
    std::vector<float> host(count);
    for (size_t i = 0; i < count; ++i) host[i] = float(i % 1000) / 1000;
    float* device[3];
    for (float*& buffer : device)
        if (hipMalloc(&buffer, count * sizeof(float)) || hipMemcpy(buffer, host.data(), count * sizeof(float), hipMemcpyHostToDevice))
            return 1;
    for (int run = 0; run < 3; ++run) {
        auto begin = std::chrono::steady_clock::now();
        if (is_matmul)
            matmul<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(device[0], device[1], device[2], n);
        else
            elementwise<<<n / 256, 256>>>(device[0], device[1], device[2], n);
        if (hipDeviceSynchronize()) return 2;
        auto end = std::chrono::steady_clock::now();
        std::printf("%lld\n", (long long)std::chrono::nanoseconds(end - begin).count());
    }
}
