// Half precision: the device's instructions against the host's integer arithmetic, over all values.
#include <hip/hip_fp16.h>

#include "check.h"

static_assert(sizeof(__half) == 2 && sizeof(__half2) == 4 && alignof(__half2) == 4, "layout");

static bool equal(__half a, __half b) {
    return __half_as_ushort(a) == __half_as_ushort(b) || (__hisnan(a) && __hisnan(b));
}
#define EXPECT_EQUAL(what, index, got, want)                                                                 \
    do {                                                                                                     \
        if (!equal(got, want) && ++failures() <= 20)                                                         \
            std::printf("%s [%ld]: got %04x, want %04x\n", what, (long)(index), __half_as_ushort(got),       \
                        __half_as_ushort(want));                                                             \
    } while (0)

// What host and device compute from the same inputs.
struct Results {
    __half add, sub, mul, div, fma, neg, abs, min, max, from_float, down, up, zero, saturated, from_int;
    __half2 add2, fma2;
    float wide;
    int rounded, truncated, relation;
};
__host__ __device__ inline Results compute(__half a, __half b, __half c, float f) {
    Results r;
    r.add = a + b;
    r.sub = a - b;
    r.mul = a * b;
    r.div = a / b;
    r.fma = __hfma(a, b, c);
    r.neg = -a;
    r.abs = __habs(a);
    r.min = __hmin(a, b);
    r.max = __hmax(a, b);
    r.from_float = __float2half(f);
    r.down = __float2half_rd(f);
    r.up = __float2half_ru(f);
    r.zero = __float2half_rz(f);
    r.saturated = __hadd_sat(a, b);
    r.from_int = __int2half_rn((int)(f * 3));
    r.add2 = __hadd2(__halves2half2(a, b), __halves2half2(c, a));
    r.fma2 = __hfma2(__halves2half2(a, b), __halves2half2(b, c), __halves2half2(c, a));
    r.wide = __half2float(a);
    r.rounded = __half2int_rn(a);
    r.truncated = __half2int_rz(a);
    r.relation = (a == b) | (a != b) << 1 | (a < b) << 2 | (a <= b) << 3 | (a > b) << 4 | (a >= b) << 5 |
                 __hltu(a, b) << 6 | __hne(a, b) << 7 | __hbeq2(__half2half2(a), __half2half2(b)) << 8;
    return r;
}

int main() {
    const int n = 65536;
    std::mt19937 random(1);
    std::vector<__half> a(n), b(n), c(n);
    std::vector<float> f(n);
    for (int i = 0; i < n; ++i) {
        a[i] = __ushort_as_half((unsigned short)i);
        b[i] = __ushort_as_half((unsigned short)random());
        c[i] = __ushort_as_half((unsigned short)random());
        f[i] = (float)((double)(int)random() / (double)(1u << (random() % 32)) / (i % 2 ? 65536.0 : 1e9));
    }
    f[0] = 65519.99f, f[1] = 65520.0f, f[2] = 2.98e-8f, f[3] = -INFINITY, f[4] = 6.1e-5f, f[5] = -1e-9f;
    DeviceArray<__half> da(a), db(b), dc(c);
    DeviceArray<float> df(f);
    DeviceArray<Results> out(n);
    __half *pa = da, *pb = db, *pc = dc;
    float* pf = df;
    Results* po = out;
    for_each(n, [=] __device__(int i) { po[i] = compute(pa[i], pb[i], pc[i], pf[i]); });
    const std::vector<Results> got = out.read();
    for (int i = 0; i < n; ++i) {
        const Results want = compute(a[i], b[i], c[i], f[i]);
        const Results& r = got[i];
        EXPECT_EQUAL("add", i, r.add, want.add);
        EXPECT_EQUAL("sub", i, r.sub, want.sub);
        EXPECT_EQUAL("mul", i, r.mul, want.mul);
        EXPECT_EQUAL("div", i, r.div, want.div);
        EXPECT_EQUAL("fma", i, r.fma, want.fma);
        EXPECT_EQUAL("neg", i, r.neg, want.neg);
        EXPECT_EQUAL("abs", i, r.abs, want.abs);
        EXPECT_EQUAL("min", i, r.min, want.min);
        EXPECT_EQUAL("max", i, r.max, want.max);
        EXPECT_EQUAL("from_float", i, r.from_float, want.from_float);
        EXPECT_EQUAL("down", i, r.down, want.down);
        EXPECT_EQUAL("up", i, r.up, want.up);
        EXPECT_EQUAL("zero", i, r.zero, want.zero);
        EXPECT_EQUAL("saturated", i, r.saturated, want.saturated);
        EXPECT_EQUAL("from_int", i, r.from_int, want.from_int);
        EXPECT_EQUAL("add2.x", i, r.add2.x, want.add2.x);
        EXPECT_EQUAL("add2.y", i, r.add2.y, want.add2.y);
        EXPECT_EQUAL("fma2.x", i, r.fma2.x, want.fma2.x);
        EXPECT_EQUAL("fma2.y", i, r.fma2.y, want.fma2.y);
        if (!std::isnan(want.wide)) EXPECT_SAME("wide", i, r.wide, want.wide);
        EXPECT_SAME("rounded", i, r.rounded, want.rounded);
        EXPECT_SAME("truncated", i, r.truncated, want.truncated);
        EXPECT_SAME("relation", i, r.relation, want.relation);
    }

    // Math functions: one unit in the last place of half precision.
    DeviceArray<__half> math((size_t)n * 8);
    __half* pm = math;
    for_each(n, [=] __device__(int i) {
        __half* r = pm + (size_t)i * 8;
        r[0] = hexp(pa[i]), r[1] = hlog(pa[i]), r[2] = hsqrt(pa[i]), r[3] = hsin(pa[i]);
        r[4] = hfloor(pa[i]), r[5] = hrint(pa[i]), r[6] = hrsqrt(pa[i]), r[7] = htanh(pa[i]);
    });
    const std::vector<__half> values = math.read();
    for (int i = 0; i < n; ++i) {
        const double x = __half2float(a[i]);
        const double want[8] = {std::exp(x), std::log(x), std::sqrt(x), std::sin(x),
                                std::floor(x), std::nearbyint(x), 1 / std::sqrt(x), std::tanh(x)};
        for (int k = 0; k < 8; ++k) {
            const float got_value = __half2float(values[(size_t)i * 8 + k]);
            const float nearest = __half2float(__double2half(want[k]));
            if (std::isnan(nearest) ? std::isnan(got_value) : got_value == nearest) continue;
            const double unit = std::fmax(std::ldexp(1.0, -24), std::fabs(nearest) / 1024);
            EXPECT(std::fabs(got_value - nearest) <= unit);
        }
    }
    return finish();
}
