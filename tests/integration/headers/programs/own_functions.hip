// Functions that AMD's headers lack and programs define for themselves: theirs are taken. Compiled with `using
// namespace std`, which puts the standard library's overloads beside the headers'.
#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>

#include <cstring>
#include <ctime>

#include "check.h"

using namespace std;

__device__ float rsqrt(float) { return 1000; }
__host__ inline float rsqrtf(float) { return 1001; }
__device__ unsigned max(unsigned, unsigned) { return 1002; }
__device__ float __fmaf_ieee_rn(float, float, float) { return 1003; }
__device__ double __dmul_rd(double, double) { return 1004; }
static inline __device__ __hip_bfloat162 __float2bfloat162_rn(float) { return __halves2bfloat162(1.0f, 2.0f); }
__device__ size_t strlen(const char*) { return 1005; }
__device__ int __dp4a(int, int, int) { return 1006; }
__device__ unsigned atomicInc_system(unsigned*, unsigned) { return 1007; }
__device__ float saturate(float) { return 1008; }

__global__ void own(double* out, unsigned u, float f) {
    out[0] = rsqrt(f);
    out[1] = max(u, u);
    out[2] = __fmaf_ieee_rn(f, f, f);
    out[3] = __dmul_rd(f, f);
    out[4] = __bfloat162float(__float2bfloat162_rn(f).y);
    out[5] = strlen("text");
    out[6] = __dp4a(1, 2, 3);
    out[7] = atomicInc_system(&u, 1u);
    out[8] = saturate(f);
}
// Unqualified calls with all kinds of arguments.
__global__ void mixed(double* out, float f, double d, int i, long l, size_t n) {
    int k = 0;
    out[k++] = max(f, 2);
    out[k++] = min(f, 2.0);
    out[k++] = max(i, l);
    out[k++] = min(n, (size_t)3);
    out[k++] = max((short)3, (short)4);
    out[k++] = pow(f, 2) + pow(d, 2) + pow(2, i) + pow(f, d);
    out[k++] = abs(f) + abs(-i) + fabs(f) + fabs(i);
    out[k++] = sqrt(i) + floor(f / 2) + ceil(i / 2.0f) + round(f) + sqrt(2);
    out[k++] = fmax(f, 0.0) + fmaxf(f, 0) + copysign(f, -1) + fmin(f, d) + fmod(d, 2) + hypot(3, 4);
    out[k++] = isnan(f) + isinf(d) + isfinite(f) + signbit(-f);
    out[k++] = std::max(i, 3) + std::min<int>(i, n) + ::max(i, 7);
}

int main() {
    DeviceArray<double> out(11);
    own<<<1, 1>>>(out, 3, 4.0f);
    const std::vector<double> got = out.read();
    const double want[] = {1000, 1002, 1003, 1004, 2, 1005, 1006, 1007, 1008};
    for (int i = 0; i < 9; ++i) EXPECT(got[i] == want[i]);
    mixed<<<1, 1>>>(out, 2.5f, 3.0, 4, 5, 2);
    const std::vector<double> sums = out.read();
    const double expected[] = {2.5, 2.0, 5, 2, 4, 6.25 + 9 + 16 + 15.625, 2.5 + 4 + 2.5 + 4,
                               2 + 1 + 2 + 3 + 1.4142135623730951, 2.5 + 2.5 - 2.5 + 2.5 + 1 + 5, 2, 4 + 2 + 7};
    for (int i = 0; i < 11; ++i) EXPECT(std::fabs(sums[i] - expected[i]) < 1e-5);
    EXPECT(rsqrtf(4.0f) == 1001 && max(2, 3) == 3 && max(1.0f, 2.0) == 2 && abs(-2.5f) == 2.5f);
    EXPECT(clock() != (clock_t)-1 && strlen("abc") == 3);
    return finish();
}
