// Streams through arrays that together are larger than every cache. All launches are long ones.
#include "launch.h"

// Two of them are more than the 256 MiB of an Infinity Cache.
constexpr long kBytes = 160L << 20;
constexpr long kCount = kBytes / sizeof(float4);
constexpr int kAtOnce = 4;

// Each block goes through the arrays in steps of all blocks, kAtOnce parts at a time.
template <typename Body>
__device__ void stream(Body body) {
    long step = (long)gridDim.x * kThreads;
    for (long first = (long)blockIdx.x * kThreads + threadIdx.x; first < kCount; first += kAtOnce * step) {
        body(first, step);
    }
}

template <Launch kLaunch>
__global__ void copy(float4* out, const float4* in) {
    stream([=](long first, long step) {
        for (int part = 0; part < kAtOnce; ++part) {
            long i = first + part * step;
            if (i < kCount) out[i] = in[i];
        }
    });
}

template <Launch kLaunch>
__global__ void triad(float4* out, const float4* left, const float4* right, float factor) {
    stream([=](long first, long step) {
        for (int part = 0; part < kAtOnce; ++part) {
            long i = first + part * step;
            if (i >= kCount) continue;
            float4 a = left[i], b = right[i];
            out[i] = make_float4(a.x + factor * b.x, a.y + factor * b.y, a.z + factor * b.z, a.w + factor * b.w);
        }
    });
}

template <typename WarmUp, typename Long, typename... Values>
void run(const char* name, WarmUp warm_up, Long long_one, int arrays, Values... values) {
    int blocks = compute_units() * 8;
    double seconds = seconds_of(warm_up, blocks, values...);
    int repeats = seconds < 0.1 ? kRepeatsWhereCheap : 1;
    for (int repeat = 0; repeat < repeats; ++repeat) seconds_of(long_one, blocks, values...);
    std::printf("%s 0 %.0f\n", name, (double)arrays * kBytes);
}

int main(int argc, char** argv) {
    float4* arrays[3];
    for (float4*& array : arrays) CHECK(hipMalloc(&array, kBytes));
    auto [out, left, right] = arrays;
    if (wanted(argc, argv, "copy")) run("copy", copy<kWarmUp>, copy<kLong>, 2, out, (const float4*)left);
    if (wanted(argc, argv, "triad")) {
        run("triad", triad<kWarmUp>, triad<kLong>, 3, out, (const float4*)left, (const float4*)right, 0.5f);
    }
    return 0;
}
