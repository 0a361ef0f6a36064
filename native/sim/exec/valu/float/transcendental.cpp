// Exponentials, logarithms, roots, reciprocals and trigonometric functions.
//
// Hardware approximates these within about 1 ulp. Here they are computed in double precision by polynomials and
// rounded once, which is within 0.51 ulp and the same on every host. NaNs outside the domain: CDNA3 ISA.
#include "sim/exec/valu/handlers.h"
#include "sim/exec/valu/table.h"
#include "sim/exec/valu/vector_math.h"

namespace vrocm::sim::VROCM_SIMD_NS {

namespace {

// c[0] + x * (c[1] + x * (...)).
template <unsigned n, unsigned first = 0>
inline VD polynomial(VD x, const double (&c)[n]) {
    if constexpr (first + 1 == n)
        return VD{} + c[first];
    else
        return fused(polynomial<n, first + 1>(x, c), x, VD{} + c[first]);
}

// A function of doubles applied to single precision.
template <class F>
inline VF in_double(VF x, F f) {
    const Pair<VD> wide = widen(x);
    return narrow({f(wide.first), f(wide.second)});
}

inline VD nearest_whole(VD x) {
    return round_to_integer<Round::Down>(x + 0.5);
}

VF exp2_f32(VF x) {
    return in_double(x, [](VD d) {
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
        // Beyond +-200 the result is 0 or infinite.
        const VD low = VD{} - 200.0, high = VD{} + 200.0;
        const VD x = select(d < low, low, select(d > high, high, d));
        const VD whole = nearest_whole(x), p = polynomial(x - whole, c);
        // Adding 1.5 * 2^52 leaves a whole number in the low bits; from there it goes to the exponent.
        const VD scaled = (VD)((VU64)p + ((VU64)(whole + 0x1.8p52) << 52));
        return select(d != d, d, scaled);
    });
}

VF log2_f32(VF x) {
    const VF logarithm = in_double(x, [](VD d) {
        // 2 / ln(2) / (2n + 1): log2((1 + s) / (1 - s)) = s * (c0 + c1 s^2 + ...); |s| < 0.172.
        constexpr double c[] = {0x1.71547652b82fep+1, 0x1.ec709dc3a03fdp-1, 0x1.2776c50ef9bfep-1, 0x1.a61762a7aded9p-2,
                                0x1.484b13d7c02a9p-2, 0x1.0c9a84994022dp-2, 0x1.c68f568d3176p-3,  0x1.89f3b1694cffep-3};
        constexpr std::uint64_t fraction = (std::uint64_t{1} << 52) - 1, two52 = std::uint64_t{1075} << 52;
        const VU64 b = (VU64)d;
        // Mantissa in [sqrt(1/2), sqrt(2)), so that nothing cancels near 1.
        const VD m = (VD)((b & fraction) | (std::uint64_t{1023} << 52));
        const VI64 halve = m > 0x1.6a09e667f3bcdp0;
        const VD mantissa = select(halve, m * 0.5, m);
        const VD exponent = (VD)(b >> 52 | two52) - select(halve, VD{} + (0x1p52 + 1022), VD{} + (0x1p52 + 1023));
        const VD s = (mantissa - 1.0) / (mantissa + 1.0);
        const VD r = fused(s, polynomial(s * s, c), exponent);
        return select(d != d, d, r);
    });
    const VF infinity = VF{} + as_float(Single::infinity), nan = VF{} + as_float(kInvalid32);
    VF r = select(x == infinity, x, logarithm);
    r = select(x < 0.0f, nan, r);
    return select(x == 0.0f, -infinity, r);
}

// sin(2 pi r) for |r| <= 0.25.
VD sin_turns(VD r) {
    // (-1)^n (2 pi)^(2n+1) / (2n+1)!
    constexpr double c[] = {0x1.921fb54442d18p+2,  -0x1.4abbce625be53p+5, 0x1.466bc6775aae2p+6,
                            -0x1.32d2cce62bd86p+6, 0x1.50783487ee782p+5,  -0x1.e3074fde8871fp+3,
                            0x1.e8f434d018d63p+1,  -0x1.6fadb9f155744p-1, 0x1.aaec32af93359p-4};
    return r * polynomial(r * r, c);
}

VD magnitude(VD x) {
    return (VD)((VI64)x & ~(std::int64_t{1} << 63));
}

// The part of x beyond the nearest whole number, in [-0.5, 0.5]. From 2^24 on a float is a whole number.
// An infinity becomes NaN.
VD turn(VD x) {
    const VD beyond = x - nearest_whole(x);
    return select((magnitude(x) >= 0x1p24) & (magnitude(x) < 0x1p200), VD{}, beyond);
}

VF sin_f32(VF x) {
    const VF sine = in_double(x, [](VD d) {
        const VD r = turn(d);
        return sin_turns(select(r > 0.25, 0.5 - r, select(r < -0.25, -0.5 - r, r)));
    });
    return select(x == 0.0f, x, sine);
}
VF cos_f32(VF x) {
    return in_double(x, [](VD d) { return sin_turns(0.25 - magnitude(turn(d))); });
}

VF rcp_f32(VF x) {
    return 1.0f / x;
}
VF rsq_f32(VF x) {
    return in_double(x, [](VD d) { return 1.0 / square_root(d); });
}

}  // namespace

void add_transcendental(Table& t) {
    using isa::Op;
    const auto exp = [](VF x) { return exp2_f32(x); };
    const auto log = [](VF x) { return log2_f32(x); };
    const auto sin = [](VF x) { return sin_f32(x); };
    const auto cos = [](VF x) { return cos_f32(x); };
    const auto rcp = [](VF x) { return rcp_f32(x); };
    const auto rsq = [](VF x) { return rsq_f32(x); };
    const auto sqrt = [](VF x) { return square_root(x); };
    t.add(Op::v_exp_f32, f32_domain(exp));
    t.add(Op::v_exp_legacy_f32, f32_domain(exp));
    t.add(Op::v_log_f32, f32_domain(log));
    t.add(Op::v_log_legacy_f32, f32_domain(log));
    t.add(Op::v_sin_f32, f32_domain(sin));
    t.add(Op::v_cos_f32, f32_domain(cos));
    t.add(Op::v_rcp_f32, f32_domain(rcp));
    t.add(Op::v_rcp_iflag_f32, f32_domain(rcp));
    t.add(Op::v_rsq_f32, f32_domain(rsq));
    t.add(Op::v_sqrt_f32, f32_domain(sqrt));

    t.add(Op::v_exp_f16, f16_domain(exp));
    t.add(Op::v_log_f16, f16_domain(log));
    t.add(Op::v_sin_f16, f16_domain(sin));
    t.add(Op::v_cos_f16, f16_domain(cos));
    t.add(Op::v_rcp_f16, f16_domain(rcp));
    t.add(Op::v_rsq_f16, f16_domain(rsq));
    t.add(Op::v_sqrt_f16, f16_domain(sqrt));

    t.add(Op::v_rcp_f64, f64_domain([](VD x) { return 1.0 / x; }));
    t.add(Op::v_rsq_f64, f64_domain([](VD x) { return 1.0 / square_root(x); }));
    t.add(Op::v_sqrt_f64, f64_domain([](VD x) { return square_root(x); }));
}

}  // namespace vrocm::sim::VROCM_SIMD_NS
