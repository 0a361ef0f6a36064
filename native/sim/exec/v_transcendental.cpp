// Exponentials, logarithms, roots, reciprocals and trigonometric functions.
//
// Hardware approximates these within about 1 ulp. Here they are computed in double precision by polynomials and
// rounded once, which is within 0.51 ulp and the same on every host. NaNs outside the domain: CDNA3 ISA.
#include "sim/exec/v_handlers.h"
#include "sim/exec/v_table.h"
#include "sim/exec/v_vector_math.h"

namespace vrocm::sim::VROCM_SIMD_NS {

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

// c[0] + x * (c[1] + x * (...)).
template <unsigned n>
inline double polynomial(double x, const double (&c)[n]) {
    double sum = c[n - 1];
    for (unsigned i = n - 1; i-- > 0;) sum = __builtin_fma(sum, x, c[i]);
    return sum;
}

// What a NaN source gives: the same NaN, quiet.
inline float or_source_nan(float source, float result) {
    return source != source ? as_float(bits(source) | Single::quiet) : result;
}

// 2^52 * 1.5: adding it to a whole number leaves that number in the low bits.
constexpr double kWholeBits = 0x1.8p52;

inline float exp2_f32(float x) {
    // ln(2)^n / n!; |f| <= 0.5, so the first term left out is below 2^-37.
    constexpr double c[] = {1.0,
                            0x1.62e42fefa39efp-1,
                            0x1.ebfbdff82c58fp-3,
                            0x1.c6b08d704a0cp-5,
                            0x1.3b2ab6fba4e77p-7,
                            0x1.5d87fe78a6731p-10,
                            0x1.430912f86c787p-13,
                            0x1.ffcbfc588b0c7p-17,
                            0x1.62c0223a5c824p-20,
                            0x1.b5253d395e7c4p-24};
    double d = x;
    d = d < -200.0 ? -200.0 : d > 200.0 ? 200.0 : d;  // beyond, the result is 0 or infinite
    const double whole = __builtin_floor(d + 0.5), p = polynomial(d - whole, c);
    return or_source_nan(x, static_cast<float>(as_double(bits(p) + (bits(whole + kWholeBits) << 52))));
}

inline float log2_f32(float x) {
    // 2 / ln(2) / (2n + 1): log2((1 + s) / (1 - s)) = s * (c0 + c1 s^2 + ...); |s| < 0.172.
    constexpr double c[] = {0x1.71547652b82fep+1, 0x1.ec709dc3a03fdp-1, 0x1.2776c50ef9bfep-1, 0x1.a61762a7aded9p-2,
                            0x1.484b13d7c02a9p-2, 0x1.0c9a84994022dp-2, 0x1.c68f568d3176p-3,  0x1.89f3b1694cffep-3};
    constexpr u64 fraction = (u64{1} << 52) - 1;
    const u64 b = bits(static_cast<double>(x));
    // Mantissa in [sqrt(1/2), sqrt(2)), so that nothing cancels near 1.
    const double m = as_double((b & fraction) | u64{1023} << 52);
    const bool halve = m > 0x1.6a09e667f3bcdp0;
    const double mantissa = halve ? m * 0.5 : m;
    const double exponent = as_double(b >> 52 | bits(0x1p52)) - (halve ? 0x1p52 + 1022 : 0x1p52 + 1023);
    const double s = (mantissa - 1.0) / (mantissa + 1.0);
    float r = static_cast<float>(__builtin_fma(s, polynomial(s * s, c), exponent));
    r = x == as_float(Single::infinity) ? x : r;
    r = x < 0.0f ? as_float(kInvalid32) : r;
    r = x == 0.0f ? as_float(Single::sign | Single::infinity) : r;
    return or_source_nan(x, r);
}

// sin(2 pi r) for |r| <= 0.25.
inline double sin_turns(double r) {
    // (-1)^n (2 pi)^(2n+1) / (2n+1)!
    constexpr double c[] = {0x1.921fb54442d18p+2,  -0x1.4abbce625be53p+5, 0x1.466bc6775aae2p+6,
                            -0x1.32d2cce62bd86p+6, 0x1.50783487ee782p+5,  -0x1.e3074fde8871fp+3,
                            0x1.e8f434d018d63p+1,  -0x1.6fadb9f155744p-1, 0x1.aaec32af93359p-4};
    return r * polynomial(r * r, c);
}

// The part of x beyond the nearest whole number, in [-0.5, 0.5]. From 2^24 on a float is a whole number.
inline double turn(float x) {
    const double d = x;
    return __builtin_fabs(d) < 0x1p24 ? d - __builtin_floor(d + 0.5) : 0.0;
}

inline float outside_infinities(float x, float result) {
    return or_source_nan(x, __builtin_fabsf(x) == as_float(Single::infinity) ? as_float(kInvalid32) : result);
}

inline float sin_f32(float x) {
    const double r = turn(x);
    const double folded = r > 0.25 ? 0.5 - r : r < -0.25 ? -0.5 - r : r;
    const float sine = static_cast<float>(sin_turns(folded));
    return outside_infinities(x, x == 0.0f ? x : sine);
}
inline float cos_f32(float x) {
    return outside_infinities(x, static_cast<float>(sin_turns(0.25 - __builtin_fabs(turn(x)))));
}

inline float rcp_f32(float x) {
    return or_source_nan(x, 1.0f / x);
}
inline float sqrt_f32(float x) {
    return or_source_nan(x, x < 0.0f ? as_float(kInvalid32) : __builtin_sqrtf(x));
}
inline float rsq_f32(float x) {
    const float r = static_cast<float>(1.0 / __builtin_sqrt(static_cast<double>(x)));
    return or_source_nan(x, x < 0.0f ? as_float(kInvalid32) : r);
}

inline double or_source_nan(double source, double result) {
    return source != source ? as_double(bits(source) | Double::quiet) : result;
}
inline double rcp_f64(double x) {
    return or_source_nan(x, 1.0 / x);
}
inline double sqrt_f64(double x) {
    return or_source_nan(x, x < 0.0 ? as_double(kInvalid64) : __builtin_sqrt(x));
}
inline double rsq_f64(double x) {
    return or_source_nan(x, x < 0.0 ? as_double(kInvalid64) : 1.0 / __builtin_sqrt(x));
}

// Half precision through single precision.
template <class F>
constexpr Handler through_f32(F) {
    return lanes_f64_f16([](u32 x) { return float_to_half(F{}(half_to_float(x))); });
}

}  // namespace

void add_transcendental(Table& t) {
    using isa::Op;
    const auto exp = [](float x) { return exp2_f32(x); };
    const auto log = [](float x) { return log2_f32(x); };
    const auto sin = [](float x) { return sin_f32(x); };
    const auto cos = [](float x) { return cos_f32(x); };
    const auto rcp = [](float x) { return rcp_f32(x); };
    const auto rsq = [](float x) { return rsq_f32(x); };
    const auto sqrt = [](float x) { return sqrt_f32(x); };
    t.add(Op::v_exp_f32, lanes_f32(exp));
    t.add(Op::v_exp_legacy_f32, lanes_f32(exp));
    t.add(Op::v_log_f32, lanes_f32(log));
    t.add(Op::v_log_legacy_f32, lanes_f32(log));
    t.add(Op::v_sin_f32, lanes_f32(sin));
    t.add(Op::v_cos_f32, lanes_f32(cos));
    t.add(Op::v_rcp_f32, lanes_f32(rcp));
    t.add(Op::v_rcp_iflag_f32, lanes_f32(rcp));
    t.add(Op::v_rsq_f32, lanes_f32(rsq));
    t.add(Op::v_sqrt_f32, lanes_f32(sqrt));

    t.add(Op::v_exp_f16, through_f32(exp));
    t.add(Op::v_log_f16, through_f32(log));
    t.add(Op::v_sin_f16, through_f32(sin));
    t.add(Op::v_cos_f16, through_f32(cos));
    t.add(Op::v_rcp_f16, through_f32(rcp));
    t.add(Op::v_rsq_f16, through_f32(rsq));
    t.add(Op::v_sqrt_f16, through_f32(sqrt));

    t.add(Op::v_rcp_f64, lanes_f64_f16([](double x) { return rcp_f64(x); }));
    t.add(Op::v_rsq_f64, lanes_f64_f16([](double x) { return rsq_f64(x); }));
    t.add(Op::v_sqrt_f64, lanes_f64_f16([](double x) { return sqrt_f64(x); }));
}

}  // namespace vrocm::sim::VROCM_SIMD_NS
