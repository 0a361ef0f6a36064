// Rounding to integers, fractions, exponents and mantissas.
#include "sim/exec/valu/handlers.h"
#include "sim/exec/valu/table.h"
#include "sim/exec/valu/vector_math.h"

namespace vrocm::sim::VROCM_SIMD_NS {

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i32 = std::int32_t;

template <Round round, class V>
V rounded(V x) {
    return round_to_integer<round>(x);
}

// The largest values below 1: v_fract never returns 1.
constexpr float kBelowOne32 = 0x1.fffffep-1f;
constexpr double kBelowOne64 = 0x1.fffffffffffffp-1;
constexpr float kBelowOne16 = 0x1.ffcp-1f;

VF fract(VF x, float below_one) {
    const VF r = x - round_to_integer<Round::Down>(x), limit = VF{} + below_one;
    return select(r > limit, limit, r);
}
VD fract(VD x) {
    const VD r = x - round_to_integer<Round::Down>(x), limit = VD{} + kBelowOne64;
    return select(r > limit, limit, r);
}

template <class F>
struct Parts {
    typename F::Bits mantissa;  // in [0.5, 1) with the sign; zero, infinite and NaN values stay as they are
    i32 exponent;               // value = mantissa * 2^exponent; 0 for zero, infinite and NaN values
};

template <class F>
Parts<F> frexp(typename F::Bits x) {
    using B = typename F::Bits;
    if (F::is_nan(x)) return {B(x | F::quiet), 0};
    if (F::is_zero(x) || F::is_infinite(x)) return {x, 0};
    constexpr B fraction = B((B{1} << F::mantissa) - 1);
    int exponent = F::exponent(x);
    B mantissa = B(x & fraction);
    if (exponent == 0) {
        const int shift = std::countl_zero(mantissa) - int(sizeof(B) * 8 - F::mantissa - 1);
        mantissa = B(B(mantissa << shift) & fraction);
        exponent = 1 - shift;
    }
    const B half = B(B(F::bias - 1) << F::mantissa);
    return {B((x & F::sign) | half | mantissa), exponent - F::bias + 1};
}

float power_of_two(int n) {  // normal results only
    return as_float(static_cast<u32>(n + 127) << 23);
}
double power_of_two_f64(int n) {
    return as_double(static_cast<u64>(n + 1023) << 52);
}
constexpr int clamp(int x, int low, int high) {
    return x < low ? low : x > high ? high : x;
}

float ldexp_f32(float x, i32 n) {
    // Exact in double precision, so it is rounded once. Beyond the limits the result is 0 or infinite anyway.
    return static_cast<float>(static_cast<double>(x) * power_of_two_f64(clamp(n, -400, 400)));
}

double ldexp_f64(double x, i32 exponent) {
    int n = clamp(exponent, -2200, 2200);
    while (n > 1023) {  // exact until it overflows
        x *= 0x1p1023;
        n -= 1023;
    }
    if (n >= -1022) return x * power_of_two_f64(n);
    // Scale down in normal range first; only the last step may round.
    n += 1022;
    if (n < -1022) {
        x *= 0x1p-1022;
        n += 1022;
    }
    return x * power_of_two_f64(n) * 0x1p-1022;
}

u32 ldexp_f16(u32 x, u32 exponent) {
    const int n = static_cast<std::int16_t>(exponent);
    return float_to_half(half_to_float(x) * power_of_two(clamp(n, -60, 60)));
}

void add_singles(Table& t) {
    using isa::Op;
    t.add(Op::v_trunc_f32, f32([](VF x) { return rounded<Round::Zero>(x); }));
    t.add(Op::v_ceil_f32, f32([](VF x) { return rounded<Round::Up>(x); }));
    t.add(Op::v_floor_f32, f32([](VF x) { return rounded<Round::Down>(x); }));
    t.add(Op::v_rndne_f32, f32([](VF x) { return rounded<Round::Nearest>(x); }));
    t.add(Op::v_fract_f32, f32([](VF x) { return fract(x, kBelowOne32); }));
    t.add(Op::v_frexp_mant_f32, lanes_f32([](u32 x) { return frexp<Single>(x).mantissa; }));
    t.add(Op::v_frexp_exp_i32_f32, lanes_f32([](u32 x) { return frexp<Single>(x).exponent; }));
    t.add(Op::v_ldexp_f32, lanes_f32([](float x, i32 n) { return ldexp_f32(x, n); }));
}

void add_doubles(Table& t) {
    using isa::Op;
    t.add(Op::v_trunc_f64, f64([](VD x) { return rounded<Round::Zero>(x); }));
    t.add(Op::v_ceil_f64, f64([](VD x) { return rounded<Round::Up>(x); }));
    t.add(Op::v_floor_f64, f64([](VD x) { return rounded<Round::Down>(x); }));
    t.add(Op::v_rndne_f64, f64([](VD x) { return rounded<Round::Nearest>(x); }));
    t.add(Op::v_fract_f64, f64([](VD x) { return fract(x); }));
    t.add(Op::v_frexp_mant_f64, lanes_f64_f16([](u64 x) { return frexp<Double>(x).mantissa; }));
    t.add(Op::v_frexp_exp_i32_f64, lanes_f64_f16([](u64 x) { return frexp<Double>(x).exponent; }));
    t.add(Op::v_ldexp_f64, lanes_f64_f16([](double x, i32 n) { return ldexp_f64(x, n); }));
}

void add_halves(Table& t) {
    using isa::Op;
    t.add(Op::v_trunc_f16, f16([](VF x) { return rounded<Round::Zero>(x); }));
    t.add(Op::v_ceil_f16, f16([](VF x) { return rounded<Round::Up>(x); }));
    t.add(Op::v_floor_f16, f16([](VF x) { return rounded<Round::Down>(x); }));
    t.add(Op::v_rndne_f16, f16([](VF x) { return rounded<Round::Nearest>(x); }));
    t.add(Op::v_fract_f16, f16([](VF x) { return fract(x, kBelowOne16); }));
    t.add(Op::v_frexp_mant_f16,
          lanes_f64_f16([](u32 x) { return u32{frexp<Half>(static_cast<std::uint16_t>(x)).mantissa}; }));
    t.add(Op::v_frexp_exp_i16_f16, lanes_f64_f16([](u32 x) {
              return static_cast<u32>(frexp<Half>(static_cast<std::uint16_t>(x)).exponent) & 0xffff;
          }));
    t.add(Op::v_ldexp_f16, lanes_f64_f16([](u32 x, u32 n) { return ldexp_f16(x, n); }));
}

}  // namespace

void add_rounding(Table& table) {
    add_singles(table);
    add_doubles(table);
    add_halves(table);
}

}  // namespace vrocm::sim::VROCM_SIMD_NS
