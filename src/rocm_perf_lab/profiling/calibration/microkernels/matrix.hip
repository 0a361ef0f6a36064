// Chains of matrix instructions, one wave on each SIMD.
#include "launch.h"

constexpr int kChains = 4;

template <typename Element, int kCount>
using Vector = Element __attribute__((ext_vector_type(kCount)));
using Half4 = Vector<_Float16, 4>;
using Half8 = Vector<_Float16, 8>;
using Short4 = Vector<short, 4>;
using Bfloat8 = Vector<__bf16, 8>;
using Float2 = Vector<float, 2>;
using Int4 = Vector<int, 4>;
using Float16 = Vector<float, 16>;
using Int16 = Vector<int, 16>;
using Double4 = Vector<double, 4>;

// The sums begin with different values, or the compiler would do one chain for all.
#define KERNEL(name, Operand, Sum, builtin)                                                                      \
    template <Launch kLaunch>                                                                                    \
    __global__ void name(void* out, long rounds) {                                                               \
        Operand a{}, b{};                                                                                        \
        Sum sums[kChains];                                                                                       \
        for (int chain = 0; chain < kChains; ++chain) sums[chain] = Sum(chain + 1);                              \
        for (long round = 0; round < rounds; ++round) {                                                          \
            for (Sum& sum : sums) sum = builtin(a, b, sum, 0, 0, 0);                                             \
        }                                                                                                        \
        if (out == nullptr) return; /* as it is: nothing is written */                                           \
        for (int chain = 0; chain < kChains; ++chain) ((Sum*)out)[chain * kThreads + threadIdx.x] = sums[chain]; \
    }

// For the host, and for architectures that do not have the instruction: a kernel of the name. The driver does not
// ask for it there.
#define NAMED(name)           \
    template <Launch kLaunch> \
    __global__ void name(void* out, long rounds) {}

#if defined(__gfx90a__)
KERNEL(mfma_f16, Half4, Float16, __builtin_amdgcn_mfma_f32_32x32x8f16)
KERNEL(mfma_bf16, Short4, Float16, __builtin_amdgcn_mfma_f32_32x32x8bf16_1k)
KERNEL(mfma_f32, float, Float16, __builtin_amdgcn_mfma_f32_32x32x2f32)
KERNEL(mfma_f64, double, Double4, __builtin_amdgcn_mfma_f64_16x16x4f64)
KERNEL(mfma_i8, int, Int16, __builtin_amdgcn_mfma_i32_32x32x8i8)
NAMED(mfma_xf32)
NAMED(mfma_f8)
#elif defined(__gfx942__)
KERNEL(mfma_f16, Half4, Float16, __builtin_amdgcn_mfma_f32_32x32x8f16)
KERNEL(mfma_bf16, Short4, Float16, __builtin_amdgcn_mfma_f32_32x32x8bf16_1k)
KERNEL(mfma_f32, float, Float16, __builtin_amdgcn_mfma_f32_32x32x2f32)
KERNEL(mfma_xf32, Float2, Float16, __builtin_amdgcn_mfma_f32_32x32x4_xf32)
KERNEL(mfma_f64, double, Double4, __builtin_amdgcn_mfma_f64_16x16x4f64)
KERNEL(mfma_f8, long, Float16, __builtin_amdgcn_mfma_f32_32x32x16_fp8_fp8)
KERNEL(mfma_i8, long, Int16, __builtin_amdgcn_mfma_i32_32x32x16_i8)
#elif defined(__gfx950__)
KERNEL(mfma_f16, Half8, Float16, __builtin_amdgcn_mfma_f32_32x32x16_f16)
KERNEL(mfma_bf16, Bfloat8, Float16, __builtin_amdgcn_mfma_f32_32x32x16_bf16)
KERNEL(mfma_f32, float, Float16, __builtin_amdgcn_mfma_f32_32x32x2f32)
KERNEL(mfma_f64, double, Double4, __builtin_amdgcn_mfma_f64_16x16x4f64)
KERNEL(mfma_f8, long, Float16, __builtin_amdgcn_mfma_f32_32x32x16_fp8_fp8)
KERNEL(mfma_i8, Int4, Int16, __builtin_amdgcn_mfma_i32_32x32x32_i8)
NAMED(mfma_xf32)
#else
NAMED(mfma_f16)
NAMED(mfma_bf16)
NAMED(mfma_f32)
NAMED(mfma_xf32)
NAMED(mfma_f64)
NAMED(mfma_f8)
NAMED(mfma_i8)
#endif

int main(int argc, char** argv) {
    hipDeviceProp_t properties;
    CHECK(hipGetDeviceProperties(&properties, 0));
    bool wide = std::strstr(properties.gcnArchName, "gfx950") != nullptr;    // twice as deep
    bool narrow = std::strstr(properties.gcnArchName, "gfx90a") != nullptr;  // half as deep, for bytes
    int blocks = compute_units();
    // Multiplications and additions for each step of the inner dimension of 32 by 32 results.
    double depth = 2.0 * 32 * 32 * kChains * kWaves;
    void* out = nullptr;
    constexpr long kRounds = 8;
    RUN_ROUNDS(mfma_f16, blocks, depth * (wide ? 16 : 8), out, kRounds)
    RUN_ROUNDS(mfma_bf16, blocks, depth * (wide ? 16 : 8), out, kRounds)
    RUN_ROUNDS(mfma_f32, blocks, depth * 2, out, kRounds)
    RUN_ROUNDS(mfma_xf32, blocks, depth * 4, out, kRounds)
    RUN_ROUNDS(mfma_f64, blocks, 2.0 * 16 * 16 * 4 * kChains * kWaves, out, kRounds)
    RUN_ROUNDS(mfma_f8, blocks, depth * 16, out, kRounds)
    RUN_ROUNDS(mfma_i8, blocks, depth * (wide ? 32 : narrow ? 8 : 16), out, kRounds)
    return 0;
}
