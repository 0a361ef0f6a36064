// Multiply-add rates of one compute unit: 16 waves, eight independent chains each, timed by the constant clock.
#include "report.h"

constexpr int kWaves = 16, kLoops = 512, kChains = 8;

using float2v = float __attribute__((ext_vector_type(2)));

template <class T>
__global__ void chains(T factor, long long* begin, long long* end, T* out) {
    T value[kChains];
    for (int c = 0; c < kChains; ++c) value[c] = factor * T(c + 1);
    __syncthreads();
    const long long start = clock64();
    for (int i = 0; i < kLoops; ++i)
#pragma unroll
        for (int u = 0; u < 4; ++u)
#pragma unroll
            for (int c = 0; c < kChains; ++c) {
                value[c] = __builtin_elementwise_fma(value[c], factor, factor);
                asm volatile("" : "+v"(value[c]));
            }
    const long long stop = clock64();
    T sum = value[0];
    for (int c = 1; c < kChains; ++c) sum += value[c];
    out[threadIdx.x] = sum;
    if (threadIdx.x % 64 == 0) {
        begin[threadIdx.x / 64] = start;
        end[threadIdx.x / 64] = stop;
    }
}

template <class T>
static void rate(const char* name, T factor, double flops_per_lane) {
    if (!wanted(name)) return;
    long long* times = on_device<long long>(2 * kWaves);
    T* out = on_device<T>(kWaves * 64);
    long long host[2 * kWaves];
    for (int run = 0; run < 2; ++run) chains<T><<<1, kWaves * 64>>>(factor, times, times + kWaves, out);
    HIP_OK(hipMemcpy(host, times, sizeof host, hipMemcpyDeviceToHost));
    long long first = host[0], last = host[kWaves];
    for (int w = 0; w < kWaves; ++w) {
        first = host[w] < first ? host[w] : first;
        last = host[kWaves + w] > last ? host[kWaves + w] : last;
    }
    hipDeviceProp_t properties;
    HIP_OK(hipGetDeviceProperties(&properties, 0));
    const double flops = double(kWaves) * 64 * kLoops * 4 * kChains * flops_per_lane;
    const double seconds = double(last - first) / (properties.clockRate * 1e3);
    report(name, flops / seconds * 1e-9, "GFLOP/s");
}

int main(int argc, char** argv) {
    take_names(argc, argv);
    rate<float>("fma_fp32_one_cu", 0.5f, 2);
    rate<float2v>("fma_packed_fp32_one_cu", float2v{0.5f, 0.25f}, 4);
    rate<double>("fma_fp64_one_cu", 0.5, 2);
}
