// Streaming bandwidth of each level over the whole GPU, by events.
#include "report.h"

constexpr std::size_t kMiB = std::size_t(1) << 20;

// Every group reads the same `count` float4 again and again, each starting elsewhere.
__global__ void read_again(const float4* data, unsigned count, int rounds, float* sink) {
    float4 sum = {0, 0, 0, 0};
    const unsigned first = (blockIdx.x * 2654435761u >> 8) & ~63u;
    for (int round = 0; round < rounds; ++round)
        for (unsigned i = threadIdx.x; i < count; i += blockDim.x * 4) {
            asm volatile("" ::: "memory");  // loads are not carried over to the next round
#pragma unroll
            for (unsigned u = 0; u < 4; ++u) {
                const float4 value = data[(first + i + u * blockDim.x) & (count - 1)];
                sum.x += value.x;
                sum.y += value.y;
                sum.z += value.z;
                sum.w += value.w;
            }
        }
    if (sum.x + sum.y + sum.z + sum.w == 1.0f) *sink = sum.x;
}

__global__ void read_once(const float4* __restrict__ data, float* sink) {
    const std::size_t at = (std::size_t(blockIdx.x) * blockDim.x * 4) + threadIdx.x;
    float sum = 0;
#pragma unroll
    for (unsigned u = 0; u < 4; ++u) {
        const float4 value = data[at + u * 256];
        sum += value.x + value.y + value.z + value.w;
    }
    if (sum == 1.0f) *sink = sum;
}

__global__ void write_once(float4* __restrict__ data) {
    data[std::size_t(blockIdx.x) * blockDim.x + threadIdx.x] = make_float4(1, 2, 3, 4);
}

__global__ void copy_once(float4* __restrict__ to, const float4* __restrict__ from) {
    const std::size_t at = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    to[at] = from[at];
}

static void again(const char* name, const float4* data, std::size_t bytes, int groups, int rounds, float* sink) {
    if (!wanted(name)) return;
    const unsigned count = unsigned(bytes / sizeof(float4));
    const double ms = event_ms([&] { read_again<<<groups, 256>>>(data, count, rounds, sink); });
    report(name, double(bytes) * groups * rounds / ms * 1e-9, "TB/s");
}

int main(int argc, char** argv) {
    take_names(argc, argv);
    const std::size_t big = 2048 * kMiB;
    float4 *a = on_device<float4>(big / sizeof(float4)), *b = on_device<float4>(big / sizeof(float4));
    float* sink = on_device<float>(1);
    // 304 compute units, 8 groups of 4 waves each on MI300X.
    again("bandwidth_l1", a, 16384, 304 * 8, 64, sink);
    again("bandwidth_l2", a, kMiB, 304 * 8, 1, sink);
    const auto groups = [](std::size_t bytes) { return unsigned(bytes / sizeof(float4) / 256); };
    const std::size_t cached = 128 * kMiB;
    const auto stream = [](const char* name, double bytes, auto body) {
        if (wanted(name)) report(name, bytes / event_ms(body) * 1e-9, "TB/s");
    };
    stream("bandwidth_infinity_cache_read", double(cached), [&] { read_once<<<groups(cached) / 4, 256>>>(a, sink); });
    stream("bandwidth_hbm_read", double(big), [&] { read_once<<<groups(big) / 4, 256>>>(a, sink); });
    stream("bandwidth_hbm_write", double(big), [&] { write_once<<<groups(big), 256>>>(a); });
    stream("bandwidth_hbm_copy", 2.0 * double(big), [&] { copy_once<<<groups(big), 256>>>(b, a); });
}
