// Pairs about launches, streams and copies.
#include <cstring>

#include "pair.h"

__global__ void spin(float* out, int loops) {
    float x = out[threadIdx.x];
    for (int i = 0; i < loops; ++i) x = __builtin_fmaf(x, 0.5f, 1.0f);
    out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

__global__ void add(float* data, float value) {
    data[blockIdx.x * 256 + threadIdx.x] += value;
}
__global__ void add_and_scale(float* data, float value, float factor) {
    float& at = data[blockIdx.x * 256 + threadIdx.x];
    at = (at + value) * factor;
}
__global__ void scale(float* data, float factor) {
    data[blockIdx.x * 256 + threadIdx.x] *= factor;
}

int main(int argc, char** argv) {
    take_names(argc, argv);
    const std::size_t count = 4 * kMiB;
    float *a = on_device<float>(count), *b = on_device<float>(count);
    hipStream_t one, two;
    HIP_OK(hipStreamCreate(&one));
    HIP_OK(hipStreamCreate(&two));

    // 16 waves leave most of the machine free for the other kernel.
    variant("two_streams", "one_stream", [&] {
        spin<<<16, 64, 0, one>>>(a, 10000);
        spin<<<16, 64, 0, one>>>(b, 10000);
    });
    variant("two_streams", "two_streams", [&] {
        spin<<<16, 64, 0, one>>>(a, 10000);
        spin<<<16, 64, 0, two>>>(b, 10000);
    });

    void* host = nullptr;
    HIP_OK(hipHostMalloc(&host, 4 * kMiB, hipHostMallocDefault));
    std::memset(host, 0, 4 * kMiB);
    variant("copy_overlap", "one_stream", [&] {
        HIP_OK(hipMemcpyAsync(b, host, 4 * kMiB, hipMemcpyHostToDevice, one));
        spin<<<16, 64, 0, one>>>(a, 10000);
    });
    variant("copy_overlap", "two_streams", [&] {
        HIP_OK(hipMemcpyAsync(b, host, 4 * kMiB, hipMemcpyHostToDevice, two));
        spin<<<16, 64, 0, one>>>(a, 10000);
    });

    variant("kernel_fusion", "two_kernels", [&] {
        add<<<count / 256, 256>>>(a, 1.0f);
        scale<<<count / 256, 256>>>(a, 2.0f);
    });
    variant("kernel_fusion", "one_kernel", [&] { add_and_scale<<<count / 256, 256>>>(a, 1.0f, 2.0f); });

    variant("launches", "64_small_kernels", [&] {
        for (int i = 0; i < 64; ++i) add<<<4, 256>>>(a + i * 1024, 1.0f);
    });
    variant("launches", "one_kernel", [&] { add<<<256, 256>>>(a, 1.0f); });
}
