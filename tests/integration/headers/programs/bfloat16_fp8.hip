// bfloat16 and 8-bit floats: device against host, and against their definitions.
#include <hip/hip_bf16.h>
#include <hip/hip_bfloat16.h>
#include <hip/hip_fp8.h>

#include "check.h"

struct Results {
    __hip_bfloat16 add, mul, div, fma, from_float, down, up, from_double, min;
    hip_bfloat16 old_sum;
    float wide;
    int whole, relation;
    unsigned char e4m3, e5m2, e4m3_fnuz, e5m2_fnuz, unsaturated, unsaturated_fnuz;
    float from_e4m3, from_e5m2, from_e4m3_fnuz, from_e5m2_fnuz;
    __hip_fp8x4_e4m3_fnuz four;
};
__host__ __device__ inline Results compute(int i, __hip_bfloat16 a, __hip_bfloat16 b, float f) {
    Results r;
    r.add = a + b;
    r.mul = a * b;
    r.div = __hdiv(a, b);
    r.fma = __hfma(a, b, a);
    r.from_float = __float2bfloat16(f);
    r.down = __float2bfloat16_rd(f);
    r.up = __float2bfloat16_ru(f);
    r.from_double = __double2bfloat16((double)f * 1.0000000001);
    r.min = __hmin(a, b);
    r.old_sum = hip_bfloat16(f) + hip_bfloat16(1.0f);
    r.wide = __bfloat162float(a);
    r.whole = __bfloat162int_rn(a);
    r.relation = (a == b) | (a < b) << 1 | (a >= b) << 2 | __hgtu(a, b) << 3;
    r.e4m3 = __hip_cvt_float_to_fp8(f, __HIP_SATFINITE, __HIP_E4M3);
    r.e5m2 = __hip_cvt_float_to_fp8(f, __HIP_SATFINITE, __HIP_E5M2);
    r.e4m3_fnuz = __hip_cvt_float_to_fp8(f, __HIP_SATFINITE, __HIP_E4M3_FNUZ);
    r.e5m2_fnuz = __hip_cvt_float_to_fp8(f, __HIP_SATFINITE, __HIP_E5M2_FNUZ);
    r.unsaturated = __hip_cvt_float_to_fp8(f, __HIP_NOSAT, __HIP_E5M2);
    r.unsaturated_fnuz = __hip_cvt_float_to_fp8(f, __HIP_NOSAT, __HIP_E4M3_FNUZ);
    __hip_fp8_e4m3 o4;
    __hip_fp8_e5m2 o5;
    __hip_fp8_e4m3_fnuz n4;
    __hip_fp8_e5m2_fnuz n5;
    o4.__x = o5.__x = n4.__x = n5.__x = (unsigned char)i;
    r.from_e4m3 = o4;
    r.from_e5m2 = o5;
    r.from_e4m3_fnuz = n4;
    r.from_e5m2_fnuz = n5;
    r.four = __hip_fp8x4_e4m3_fnuz(make_float4(f, -f, f * 2, 1.0f));
    return r;
}
static bool equal(__hip_bfloat16 a, __hip_bfloat16 b) {
    return a.__x == b.__x || (__hisnan(a) && __hisnan(b));
}
static bool equal(float a, float b) { return same_bits(a, b) || (std::isnan(a) && std::isnan(b)); }

int main() {
    const int n = 65536;
    std::mt19937 random(7);
    std::vector<__hip_bfloat16> a(n), b(n);
    std::vector<float> f(n);
    for (int i = 0; i < n; ++i) {
        a[i] = __ushort_as_bfloat16((unsigned short)i);
        b[i] = __ushort_as_bfloat16((unsigned short)random());
        f[i] = (float)std::ldexp((double)(int)random(), -(int)(random() % 50) - 5);
    }
    const float corners[] = {0.0f, -0.0f, 448, 449, 464, 465, 480, 240, 248, 249, 57344, 61440, 61441, INFINITY,
                             -INFINITY, NAN, 0.0009765625f, 0.00048828125f, 1e-10f, -1e-10f, 3e38f};
    std::copy(std::begin(corners), std::end(corners), f.begin());
    DeviceArray<__hip_bfloat16> da(a), db(b);
    DeviceArray<float> df(f);
    DeviceArray<Results> out(n);
    __hip_bfloat16 *pa = da, *pb = db;
    float* pf = df;
    Results* po = out;
    for_each(n, [=] __device__(int i) { po[i] = compute(i, pa[i], pb[i], pf[i]); });
    const std::vector<Results> got = out.read();
    for (int i = 0; i < n; ++i) {
        const Results want = compute(i, a[i], b[i], f[i]);
        const Results& r = got[i];
        EXPECT(equal(r.add, want.add));
        EXPECT(equal(r.mul, want.mul));
        EXPECT(equal(r.div, want.div));
        EXPECT(equal(r.fma, want.fma));
        EXPECT(equal(r.from_float, want.from_float));
        EXPECT(equal(r.down, want.down));
        EXPECT(equal(r.up, want.up));
        EXPECT(equal(r.from_double, want.from_double));
        EXPECT(equal(r.min, want.min));
        EXPECT(r.old_sum.data == want.old_sum.data || std::isnan((float)want.old_sum));
        EXPECT(equal(r.wide, want.wide));
        EXPECT(r.whole == want.whole);
        EXPECT(r.relation == want.relation);
        EXPECT(r.e4m3 == want.e4m3 && r.e5m2 == want.e5m2);
        EXPECT(r.e4m3_fnuz == want.e4m3_fnuz && r.e5m2_fnuz == want.e5m2_fnuz);
        EXPECT(r.unsaturated == want.unsaturated && r.unsaturated_fnuz == want.unsaturated_fnuz);
        EXPECT(equal(r.from_e4m3, want.from_e4m3) && equal(r.from_e5m2, want.from_e5m2));
        EXPECT(equal(r.from_e4m3_fnuz, want.from_e4m3_fnuz) && equal(r.from_e5m2_fnuz, want.from_e5m2_fnuz));
        EXPECT(r.four.__x == want.four.__x);
        // Rounded down is the largest bfloat16 not above; rounded up the smallest not below.
        if (std::isfinite(f[i])) {
            EXPECT((float)want.down <= f[i] && f[i] <= (float)want.up);
            EXPECT((unsigned short)(want.up.__x - want.down.__x) <= 1 || (unsigned short)(want.down.__x - want.up.__x) <= 1);
        }
    }

    // Values that the formats' definitions give directly.
    EXPECT((float)__hip_fp8_e4m3(1000.0f) == 448 && (float)__hip_fp8_e5m2(1e9f) == 57344);
    EXPECT((float)__hip_fp8_e4m3_fnuz(1000.0f) == 240 && (float)__hip_fp8_e5m2_fnuz(1e9f) == 57344);
    EXPECT(__hip_fp8_e4m3_fnuz(-0.0f).__x == 0 && __hip_fp8_e4m3(-0.0f).__x == 0x80);
    EXPECT(__hip_fp8_e4m3_fnuz(1.0f).__x == 0x40 && __hip_fp8_e4m3(1.0f).__x == 0x38);
    EXPECT(__hip_fp8_e5m2_fnuz(1.0f).__x == 0x40 && __hip_fp8_e5m2(1.0f).__x == 0x3c);
    EXPECT((float)__hip_fp8_e4m3(17.0f) == 16 && (float)__hip_fp8_e4m3(19.0f) == 20);  // ties to even
    return finish();
}
