// Latency of each level by chasing pointers with one thread: cycles a step by clock64.
//
// The chain visits 128-byte lines in an order with no pattern. A chain that L1 or L2 can hold is walked once before
// the clock starts. For larger footprints a kernel on every compute unit does that, in the order of the chain as a
// walk of one thread would, and then reads something else that is larger than all L2s: lines are where the footprint
// says, in the Infinity Cache or, when they were driven out by those that follow them in the chain, in memory.
#include "report.h"

using Global = __attribute__((address_space(1))) std::uint64_t;
using Constant = const __attribute__((address_space(4))) std::uint64_t;
using Lds = __attribute__((address_space(3))) std::uint32_t;

constexpr std::size_t kLine = 128;
constexpr int kUnroll = 16;

__global__ void chase_vector(std::uint64_t start, int warm, int steps, long long* result) {
    std::uint64_t at = start;
    asm volatile("" : "+v"(at));  // in a vector register from the first load on
    for (int i = 0; i < warm; ++i) at = *reinterpret_cast<Global*>(at);
    asm volatile("" : "+v"(at));
    const long long begin = clock64();
    for (int i = 0; i < steps; i += kUnroll) {
#pragma unroll
        for (int u = 0; u < kUnroll; ++u) at = *reinterpret_cast<Global*>(at);
    }
    asm volatile("" : "+v"(at));
    const long long end = clock64();
    result[0] = end - begin;
    result[1] = static_cast<long long>(at);
}

__global__ void chase_scalar(std::uint64_t start, int warm, int steps, long long* result) {
    std::uint64_t at = start;
    asm volatile("" : "+s"(at));  // in a scalar register from the first load on
    for (int i = 0; i < warm; ++i) at = *reinterpret_cast<Constant*>(at);
    asm volatile("" : "+s"(at));
    const long long begin = clock64();
    for (int i = 0; i < steps; i += kUnroll) {
#pragma unroll
        for (int u = 0; u < kUnroll; ++u) at = *reinterpret_cast<Constant*>(at);
    }
    asm volatile("" : "+s"(at));
    const long long end = clock64();
    result[0] = end - begin;
    result[1] = static_cast<long long>(at);
}

__global__ void chase_lds(int steps, long long* result) {
    __shared__ std::uint32_t chain[1024];
    const std::uint32_t base = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>((Lds*)chain));
    for (int i = 0; i < 1024; ++i) chain[i] = base + ((i * 37 + 11) % 1024) * 4;
    std::uint32_t at = base;
    asm volatile("" : "+v"(at));
    const long long begin = clock64();
    for (int i = 0; i < steps; i += kUnroll) {
#pragma unroll
        for (int u = 0; u < kUnroll; ++u) at = *reinterpret_cast<Lds*>(at);
    }
    asm volatile("" : "+v"(at));
    const long long end = clock64();
    result[0] = end - begin;
    result[1] = at;
}

__global__ void read_all(const float4* data, std::size_t count, float* sink) {
    float sum = 0;
    for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < count;
         i += std::size_t(gridDim.x) * blockDim.x)
        sum += data[i].x;
    if (sum == 1.0f) *sink = sum;
}

// The chain is a sequence of line numbers, next = (at * a + c) mod lines, which visits each when lines is a power of
// two. `Step` is any number of its steps at once.
struct Step {
    std::uint64_t a = 2654435761u, c = 12345u;
    __host__ __device__ std::uint64_t from(std::uint64_t at, std::uint64_t lines) const {
        return (at * a + c) & (lines - 1);
    }
    __host__ __device__ Step then(const Step& next) const { return {a * next.a, c * next.a + next.c}; }
    __host__ __device__ static Step times(std::uint64_t count) {
        Step all{1, 0}, power;
        for (; count; count >>= 1, power = power.then(power))
            if (count & 1) all = all.then(power);
        return all;
    }
};

// Every line once, in the order of the chain as far as threads run side by side.
__global__ void read_chain(const char* data, std::uint64_t lines, Step stride, float* sink) {
    const std::uint64_t thread = blockIdx.x * std::uint64_t(blockDim.x) + threadIdx.x;
    const std::uint64_t threads = gridDim.x * std::uint64_t(blockDim.x);
    std::uint64_t at = Step::times(thread).from(0, lines);
    float sum = 0;
    for (std::uint64_t i = thread; i < lines; i += threads, at = stride.from(at, lines))
        sum += *reinterpret_cast<const float*>(data + at * kLine);
    if (sum == 1.0f) *sink = sum;
}

// Only the visited part of the chain is written: a footprint may be larger than the number of steps.
static std::uint64_t lay_chain(char* device, std::size_t bytes, long steps) {
    const std::size_t lines = bytes / kLine;
    std::uint64_t at = 0;
    for (long i = 0; i < steps; ++i) {
        const std::uint64_t next = Step{}.from(at, lines);
        const std::uint64_t pointer = reinterpret_cast<std::uint64_t>(device) + (i + 1 < steps ? next : 0) * kLine;
        HIP_OK(hipMemcpyHtoD(reinterpret_cast<hipDeviceptr_t>(device + at * kLine),
                             const_cast<std::uint64_t*>(&pointer), sizeof pointer));
        at = next;
    }
    return reinterpret_cast<std::uint64_t>(device);
}

static void vector_level(const char* name, std::size_t bytes, long steps, bool walk_first, long long* result) {
    if (!wanted(name)) return;
    static const std::size_t other_bytes = std::size_t(48) << 20;  // more than the L2s of eight XCDs
    static const float4* other = on_device<float4>(other_bytes / sizeof(float4));
    char* device = on_device<char>(bytes);
    float* sink = on_device<float>(1);
    const std::uint64_t start = lay_chain(device, bytes, steps);
    if (!walk_first) {
        read_chain<<<1216, 256>>>(device, bytes / kLine, Step::times(1216 * 256), sink);
        read_all<<<1216, 256>>>(other, other_bytes / sizeof(float4), sink);
    }
    chase_vector<<<1, 1>>>(start, walk_first ? int(steps) : 0, int(steps), result);
    long long host[2];
    HIP_OK(hipMemcpy(host, result, sizeof host, hipMemcpyDeviceToHost));
    report(name, double(host[0]) / double(steps), "cycles");
    HIP_OK(hipFree(device));
    HIP_OK(hipFree(sink));
}

int main(int argc, char** argv) {
    take_names(argc, argv);
    long long* result = on_device<long long>(2);
    long long host[2];
    if (wanted("latency_lds")) {
        chase_lds<<<1, 1>>>(1024, result);
        HIP_OK(hipMemcpy(host, result, sizeof host, hipMemcpyDeviceToHost));
        report("latency_lds", double(host[0]) / 1024, "cycles");
    }
    if (wanted("latency_scalar_l1")) {
        const std::uint64_t start = lay_chain(on_device<char>(8192), 8192, 64);
        chase_scalar<<<1, 1>>>(start, 64, 1024, result);
        HIP_OK(hipMemcpy(host, result, sizeof host, hipMemcpyDeviceToHost));
        report("latency_scalar_l1", double(host[0]) / 1024, "cycles");
    }

    constexpr std::size_t kMiB = std::size_t(1) << 20;
    vector_level("latency_vector_l1", 16384, 128, true, result);
    vector_level("latency_l2_256KB", kMiB / 4, 2048, true, result);
    vector_level("latency_l2_2MB", 2 * kMiB, 16384, true, result);
    vector_level("latency_infinity_cache_16MB", 16 * kMiB, 2048, false, result);
    vector_level("latency_infinity_cache_32MB", 32 * kMiB, 2048, false, result);
    vector_level("latency_infinity_cache_64MB", 64 * kMiB, 2048, false, result);
    vector_level("latency_infinity_cache_128MB", 128 * kMiB, 2048, false, result);
    vector_level("latency_hbm_512MB", 512 * kMiB, 2048, false, result);
    vector_level("latency_hbm_1GB", 1024 * kMiB, 2048, false, result);
}
