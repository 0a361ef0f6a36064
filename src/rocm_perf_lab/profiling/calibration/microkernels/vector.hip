// Chains of fused multiply-adds in vector registers.
#include "launch.h"

constexpr int kChains = 8;
constexpr int kSteps = 4;  // of all chains in a round

// Word: what one operand of the instruction holds. An instruction by name is neither packed with another one nor
// left out by the compiler.
#define KERNEL(name, Word, instruction)                                                                        \
    template <Launch kLaunch>                                                                                  \
    __global__ void name(void* out, long rounds) {                                                             \
        Word a = {}, b = {}, x[kChains];                                                                       \
        for (Word& one : x) one = Word{};                                                                      \
        for (long round = 0; round < rounds; ++round) {                                                        \
            _Pragma("unroll") for (int step = 0; step < kSteps * kChains; ++step) {                            \
                asm volatile(instruction " %0, %0, %1, %2" : "+v"(x[step % kChains]) : "v"(a), "v"(b));        \
            }                                                                                                  \
        }                                                                                                      \
        if (out == nullptr) return; /* as it is: nothing is written */                                         \
        for (int chain = 0; chain < kChains; ++chain) ((Word*)out)[chain * kThreads + threadIdx.x] = x[chain]; \
    }

using Float2 = float __attribute__((ext_vector_type(2)));

KERNEL(fma_f32, float, "v_fma_f32")
KERNEL(fma_f64, double, "v_fma_f64")
KERNEL(fma_f16, unsigned, "v_pk_fma_f16")
#if !defined(__HIP_DEVICE_COMPILE__) || defined(__gfx90a__) || defined(__gfx942__) || defined(__gfx950__)
KERNEL(fma_f32_packed, Float2, "v_pk_fma_f32")
#else
template <Launch kLaunch>
__global__ void fma_f32_packed(void* out, long rounds) {}
#endif

int main(int argc, char** argv) {
    int blocks = compute_units() * 2;
    double multiply_adds = (double)kThreads * kChains * kSteps;
    void* out = nullptr;
    constexpr long kRounds = 4;
    RUN_ROUNDS(fma_f32, blocks, 2 * multiply_adds, out, kRounds)
    RUN_ROUNDS(fma_f64, blocks, 2 * multiply_adds, out, kRounds)
    RUN_ROUNDS(fma_f16, blocks, 4 * multiply_adds, out, kRounds)         // two in a word
    RUN_ROUNDS(fma_f32_packed, blocks, 4 * multiply_adds, out, kRounds)  // two in a word
    return 0;
}
