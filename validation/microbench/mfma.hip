// Cycles a matrix instruction takes: one wave, a loop of independent accumulators, clock64 around it.
#include "report.h"

template <class T, int N>
using Vector = T __attribute__((ext_vector_type(N)));
using f1 = float;
using f2 = Vector<float, 2>;
using f4 = Vector<float, 4>;
using f16 = Vector<float, 16>;
using f32 = Vector<float, 32>;
using h4 = Vector<_Float16, 4>;
using h8 = Vector<_Float16, 8>;
using s4 = Vector<short, 4>;
using s8 = Vector<short, 8>;
using i1 = int;
using i2 = Vector<int, 2>;
using i4 = Vector<int, 4>;
using i16 = Vector<int, 16>;
using i32 = Vector<int, 32>;
using l1 = long;
using d1 = double;
using d4 = Vector<double, 4>;

constexpr int kLoops = 64, kAccumulators = 4, kUnroll = 4;

template <class C, class Multiply>
__device__ void time_loop(long long* cycles, C* out, Multiply multiply) {
    C sum[kAccumulators] = {};
    for (C& each : sum) asm volatile("" : "+v"(each));
    const long long begin = clock64();
    for (int i = 0; i < kLoops; ++i)
#pragma unroll
        for (int u = 0; u < kUnroll; ++u)
#pragma unroll
            for (int a = 0; a < kAccumulators; ++a) sum[a] = multiply(sum[a]);
    for (C& each : sum) asm volatile("" : "+v"(each));
    const long long end = clock64();
    if (threadIdx.x == 0) *cycles = end - begin;
    for (int a = 0; a < kAccumulators; ++a) out[64 * a + threadIdx.x] = sum[a];
}

// Operands the compiler cannot know, so that the loop keeps its instructions.
template <class T>
__device__ T unknown() {
    T value;
    asm volatile("" : "=v"(value));
    return value - value;
}

#define DENSE(name, builtin, c, a, b)                                                         \
    __global__ void __launch_bounds__(64) name(long long* cycles, c* out) {                   \
        const a left = unknown<a>();                                                          \
        const b right = unknown<b>();                                                         \
        time_loop<c>(cycles, out, [=](c sum) { return builtin(left, right, sum, 0, 0, 0); }); \
    }
#define SPARSE(name, builtin, c, a, b)                                                            \
    __global__ void __launch_bounds__(64) name(long long* cycles, c* out) {                       \
        const a left = unknown<a>();                                                              \
        const b right = unknown<b>();                                                             \
        const int index = unknown<int>();                                                         \
        time_loop<c>(cycles, out, [=](c sum) { return builtin(left, right, sum, index, 0, 0); }); \
    }
#include "mfma.def"
#undef DENSE
#undef SPARSE

template <class C>
static void measure(const char* name, void (*kernel)(long long*, C*)) {
    if (!wanted(name)) return;
    static long long* cycles = on_device<long long>(1);
    C* out = on_device<C>(64 * kAccumulators);
    long long host = 0;
    for (int run = 0; run < 2; ++run) kernel<<<1, 64>>>(cycles, out);  // the second finds its code cached
    HIP_OK(hipMemcpy(&host, cycles, sizeof host, hipMemcpyDeviceToHost));
    HIP_OK(hipFree(out));
    report(name, double(host) / (kLoops * kUnroll * kAccumulators), "cycles");
}

int main(int argc, char** argv) {
    take_names(argc, argv);
#define DENSE(name, builtin, c, a, b) measure<c>(#name, name);
#define SPARSE(name, builtin, c, a, b) measure<c>(#name, name);
#include "mfma.def"
}
