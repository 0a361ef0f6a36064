// The instructions of which compilers build correctly rounded division.
//
// v_div_scale multiplies numerator or denominator by a power of two so that the Newton iterations neither
// overflow nor lose bits to denormals, and sets a mask bit when the quotient comes out scaled; v_div_fmas does the
// last step and undoes the scaling before it rounds; v_div_fixup deals with zeros, infinities and NaNs.
// v_div_scale and v_div_fmas must agree with each other. The ISA document gives their scale factors differently
// in places; the direction used here (up when the quotient is at least 1, else down) is that of RDNA3's.
#include "sim/exec/valu/handlers.h"
#include "sim/exec/valu/table.h"
#include "sim/exec/valu/vector_math.h"

namespace vrocm::sim::VROCM_SIMD_NS {

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

// Exponents as in CDNA3 ISA, V_DIV_SCALE_F32 and _F64.
template <class T>
struct Scaling;
template <>
struct Scaling<float> {
    static constexpr float up = 0x1p64f, down = 0x1p-64f, smallest_normal = 0x1p-126f, largest_reciprocal = 0x1p126f;
    static constexpr int near_overflow = 96, tiny_numerator = 23;
};
template <>
struct Scaling<double> {
    static constexpr double up = 0x1p128, down = 0x1p-128, smallest_normal = 0x1p-1022, largest_reciprocal = 0x1p1022;
    static constexpr int near_overflow = 768, tiny_numerator = 53;
};

template <class T>
struct Scaled {
    T value;
    bool quotient_is_scaled;
};

template <class T>
T magnitude(T x) {
    using F = typename FormatFor<T>::Type;
    return std::bit_cast<T>(bits(x) & ~F::sign);
}

// src0 is the one of denominator (src1) and numerator (src2) that is to be scaled.
template <class T>
Scaled<T> div_scale(T which, T denominator, T numerator) {
    using F = typename FormatFor<T>::Type;
    using S = Scaling<T>;
    const auto d = bits(denominator), n = bits(numerator);
    const bool is_denominator = bits(which) == d, is_numerator = bits(which) == n;
    if (F::is_zero(n) || F::is_zero(d)) return {std::bit_cast<T>(F::nan), false};
    if (F::exponent(n) == F::max_exponent || F::exponent(d) == F::max_exponent) return {which, false};
    if (F::exponent(n) - F::exponent(d) >= S::near_overflow) return {is_denominator ? which * S::up : which, true};
    if (F::is_denormal(d)) return {which * S::up, false};
    const bool tiny_quotient = magnitude(numerator / denominator) < S::smallest_normal;
    if (magnitude(denominator) >= S::largest_reciprocal) {  // 1 / d would be denormal
        if (tiny_quotient) return {is_denominator ? which * S::down : which, true};
        return {which * S::down, false};
    }
    if (tiny_quotient) return {is_numerator ? which * S::up : which, true};
    if (F::exponent(n) <= S::tiny_numerator) return {which * S::up, false};
    return {which, false};
}

// Lanes of a block whose exponents lie in [low, high]. `top`: the register with the exponent.
template <class T>
VI exponent_within(VU top, int low, int high) {
    constexpr unsigned shift = sizeof(T) == 4 ? 23 : 20;
    const VI exponent = (VI)(top >> shift & (sizeof(T) == 4 ? 0xffu : 0x7ffu));
    return (exponent >= low) & (exponent <= high);
}
template <class T>
VI exponent_difference_below(VU n, VU d, int limit) {
    constexpr unsigned shift = sizeof(T) == 4 ? 23 : 20, field = sizeof(T) == 4 ? 0xff : 0x7ff;
    const VI difference = (VI)(n >> shift & field) - (VI)(d >> shift & field);
    return (difference < limit) & (difference > -limit);
}

template <class T>
const Op* div_scale_handler(Wave& wave, const Op* op) {
    using F = typename FormatFor<T>::Type;
    using S = Scaling<T>;
    constexpr unsigned registers = sizeof(T) / 4, top = registers - 1;
    VReg in[3][2], out[registers];
    const VReg* const s[] = {source_for<T>(wave, op->src[0], in[0]), source_for<T>(wave, op->src[1], in[1]),
                             source_for<T>(wave, op->src[2], in[2])};
    // Nothing is scaled when numerator, denominator and quotient are far from the ends of the range.
    u64 usual = 0;
    for (unsigned k = 0; k < kBlocks; ++k) {
        const VU d = load<VU>(s[1][top], k), n = load<VU>(s[2][top], k);
        const VI inside = exponent_within<T>(d, 1, F::max_exponent - 3) &
                          exponent_within<T>(n, S::tiny_numerator + 1, F::max_exponent - 1) &
                          exponent_difference_below<T>(n, d, S::near_overflow);
        usual |= mask_bits(inside) << (k * kWidth);
        for (unsigned r = 0; r < registers; ++r) store(out[r], k, load<VU>(s[0][r], k));
    }
    const u64 exec = wave.exec();
    u64 mask = 0;
    for (u64 rest = exec & ~usual; rest; rest &= rest - 1) {
        const unsigned i = static_cast<unsigned>(std::countr_zero(rest));
        const Scaled<T> r = div_scale(lane_value<T>(s[0], i), lane_value<T>(s[1], i), lane_value<T>(s[2], i));
        set_lane(out, i, r.value);
        mask |= u64{r.quotient_is_scaled} << i;
    }
    blend(wave, op->dst, out, registers);
    wave.write_s64(op->sdst, mask);
    return op + 1;
}

// 2^scale * (a * b + c), rounded once. The sum is formed in double precision and rounded to odd there.
float scaled_fma(float a, float b, float c, int scale) {
    const double product = static_cast<double>(a) * b, addend = c, sum = product + addend;
    const double other = sum - product, error = (product - (sum - other)) + (addend - other);
    u64 odd = bits(sum);
    if (error != 0.0 && !(odd & 1)) odd += (error > 0) == (sum > 0) ? 1 : u64(-1);
    return static_cast<float>(as_double(odd) * (scale > 0 ? 0x1p64 : 0x1p-64));
}

// A finite nonzero double as significand * 2^exponent.
struct Unpacked {
    u64 significand;
    int exponent;
    bool negative;
};
Unpacked unpack(double x) {
    const u64 b = bits(x), fraction = b & ((u64{1} << 52) - 1);
    const int e = Double::exponent(b);
    return {e ? fraction | u64{1} << 52 : fraction, (e ? e : 1) - 1075, (b & Double::sign) != 0};
}

// significand * 2^exponent rounded to nearest even; `sticky`: something nonzero lies below.
double round_pack(bool negative, unsigned __int128 significand, int exponent, bool sticky) {
    if (significand == 0) return negative ? -0.0 : 0.0;
    const u64 top = static_cast<u64>(significand >> 64), rest = static_cast<u64>(significand);
    const int width = top ? 128 - std::countl_zero(top) : 64 - std::countl_zero(rest);
    int drop = width - 53;
    if (exponent + drop < -1074) drop = -1074 - exponent;  // denormal result
    u64 kept;
    if (drop <= 0) {
        kept = static_cast<u64>(significand << -drop);
    } else if (drop > 127) {
        kept = 0;
        sticky = true;
    } else {
        kept = static_cast<u64>(significand >> drop);
        const unsigned __int128 half = static_cast<unsigned __int128>(1) << (drop - 1),
                                low = significand & (half * 2 - 1);
        if (low > half || (low == half && (sticky || (kept & 1)))) ++kept;
    }
    exponent += drop;
    // kept < 2^53 + 1; adding it to the exponent field carries by itself when it reached 2^53.
    u64 result;
    if (kept < u64{1} << 52)
        result = kept;  // denormal: exponent is -1074
    else
        result = (static_cast<u64>(exponent + 1074) << 52) + kept;
    if (result >= Double::infinity) result = Double::infinity;
    return as_double(result | (negative ? Double::sign : 0));
}

double scaled_fma(double a, double b, double c, int scale) {
    using Wide = unsigned __int128;
    const auto usual = [](double x) { return x != 0.0 && Double::exponent(bits(x)) != Double::max_exponent; };
    const int shift = scale > 0 ? 128 : -128;
    if (!usual(a) || !usual(b) || !usual(c)) return __builtin_fma(a, b, c) * (scale > 0 ? 0x1p128 : 0x1p-128);
    const Unpacked x = unpack(a), y = unpack(b), z = unpack(c);
    Wide product = static_cast<Wide>(x.significand) * y.significand;  // < 2^106
    int product_exponent = x.exponent + y.exponent;
    Wide addend = z.significand;
    int addend_exponent = z.exponent;
    // Move both up as far as they go, then the smaller one down to the exponent of the larger, keeping a sticky bit.
    const auto normalize = [](Wide& v, int& e) {
        while (!(v >> 125)) {
            v <<= 1;
            --e;
        }
    };
    normalize(product, product_exponent);
    normalize(addend, addend_exponent);
    const bool product_larger = product_exponent >= addend_exponent;
    Wide& small = product_larger ? addend : product;
    const int exponent = product_larger ? product_exponent : addend_exponent;
    const int distance = product_larger ? product_exponent - addend_exponent : addend_exponent - product_exponent;
    bool sticky = false;
    if (distance > 126) {
        sticky = true;
        small = 0;
    } else {
        sticky = distance && (small & ((static_cast<Wide>(1) << distance) - 1)) != 0;
        small >>= distance;
    }
    const bool product_negative = x.negative != y.negative;
    if (product_negative == z.negative) return round_pack(product_negative, product + addend, exponent + shift, sticky);
    // What was dropped lies below the smaller one: the exact difference is less by a part of a unit.
    Wide larger = product_larger ? product : addend;
    const bool larger_negative = product_larger ? product_negative : z.negative;
    if (sticky) {
        // The exact value is (difference - fraction): one less, with something below.
        return round_pack(larger_negative, larger - small - 1, exponent + shift, true);
    }
    if (larger < small) return round_pack(!larger_negative, small - larger, exponent + shift, false);
    return larger == small ? 0.0 : round_pack(larger_negative, larger - small, exponent + shift, false);
}

constexpr Handler kFma32 = f32([](VF a, VF b, VF c) { return fused(a, b, c); });
constexpr Handler kFma64 = f64([](VD a, VD b, VD c) { return fused(a, b, c); });

// An fma; lanes that have their bit in VCC undo the scaling in the same rounding.
template <class T>
const Op* div_fmas_handler(Wave& wave, const Op* op) {
    using F = typename FormatFor<T>::Type;
    constexpr Handler fma = sizeof(T) == 4 ? kFma32 : kFma64;
    constexpr unsigned registers = sizeof(T) / 4;
    u64 scaled = wave.vcc() & wave.exec();
    if (!scaled) [[likely]]
        return fma(wave, op);
    VReg in[3][2], out[registers];
    const VReg* const s[] = {source_for<T>(wave, op->src[0], in[0]), source_for<T>(wave, op->src[1], in[1]),
                             source_for<T>(wave, op->src[2], in[2])};
    const u64 exec = wave.exec();
    for (u64 rest = scaled; rest; rest &= rest - 1) {
        const unsigned i = static_cast<unsigned>(std::countr_zero(rest));
        const T a = lane_value<T>(s[0], i), b = lane_value<T>(s[1], i), c = lane_value<T>(s[2], i);
        const T r = scaled_fma(a, b, c, F::exponent(bits(c)) > F::bias ? 1 : -1);
        const bool nan = F::is_nan(bits(r));
        set_lane(out, i, nan ? std::bit_cast<T>(F::nan) : r);
    }
    // The others first: their sources may be what the scaled lanes' results replace.
    wave.set_exec(exec & ~scaled);
    if (exec & ~scaled) fma(wave, op);
    wave.set_exec(scaled);
    blend(wave, op->dst, out, registers);
    wave.set_exec(exec);
    return op + 1;
}

template <class F>
typename F::Bits div_fixup(typename F::Bits quotient, typename F::Bits d, typename F::Bits n) {
    using B = typename F::Bits;
    const B sign = B((d ^ n) & F::sign);
    if (F::is_nan(n)) return n | F::quiet;
    if (F::is_nan(d)) return d | F::quiet;
    if ((F::is_zero(d) && F::is_zero(n)) || (F::is_infinite(d) && F::is_infinite(n))) return F::sign | F::nan;
    if (F::is_zero(d) || F::is_infinite(n)) return sign | F::infinity;
    if (F::is_infinite(d) || F::is_zero(n)) return sign;
    // An iteration that overflowed ends as NaN.
    if (F::is_nan(quotient)) return sign | F::infinity;
    return sign | B(quotient & B(~F::sign));
}

template <class T>
const Op* div_fixup_handler(Wave& wave, const Op* op) {
    using F = typename FormatFor<T>::Type;
    constexpr unsigned registers = sizeof(T) / 4, top = registers - 1;
    VReg in[3][2], out[registers];
    const VReg* const s[] = {source_for<T>(wave, op->src[0], in[0]), source_for<T>(wave, op->src[1], in[1]),
                             source_for<T>(wave, op->src[2], in[2])};
    u64 usual = 0;
    for (unsigned k = 0; k < kBlocks; ++k) {
        const VU q = load<VU>(s[0][top], k), d = load<VU>(s[1][top], k), n = load<VU>(s[2][top], k);
        const VI inside = exponent_within<T>(d, 1, F::max_exponent - 1) &
                          exponent_within<T>(n, 1, F::max_exponent - 1) & exponent_within<T>(q, 0, F::max_exponent - 1);
        usual |= mask_bits(inside) << (k * kWidth);
        if (registers == 2) store(out[0], k, load<VU>(s[0][0], k));
        store(out[top], k, (q & 0x7fffffffu) | ((d ^ n) & 0x80000000u));
    }
    for (u64 rest = wave.exec() & ~usual; rest; rest &= rest - 1) {
        const unsigned i = static_cast<unsigned>(std::countr_zero(rest));
        using B = typename F::Bits;
        set_lane(out, i, div_fixup<F>(lane_value<B>(s[0], i), lane_value<B>(s[1], i), lane_value<B>(s[2], i)));
    }
    blend(wave, op->dst, out, registers);
    return op + 1;
}

}  // namespace

void add_division(Table& t) {
    using isa::Op;
    t.add(Op::v_div_scale_f32, div_scale_handler<float>);
    t.add(Op::v_div_scale_f64, div_scale_handler<double>);
    t.add(Op::v_div_fmas_f32, div_fmas_handler<float>);
    t.add(Op::v_div_fmas_f64, div_fmas_handler<double>);
    t.add(Op::v_div_fixup_f32, div_fixup_handler<float>);
    t.add(Op::v_div_fixup_f64, div_fixup_handler<double>);
    t.add(Op::v_div_fixup_legacy_f16, lanes([](u32 q, u32 d, u32 n) {
              return u32{div_fixup<Half>(static_cast<std::uint16_t>(q), static_cast<std::uint16_t>(d),
                                         static_cast<std::uint16_t>(n))};
          }));
    t.add(Op::v_div_fixup_f16, lanes([](u32 q, u32 d, u32 n, u32 old) {
              const u32 half = div_fixup<Half>(static_cast<std::uint16_t>(q), static_cast<std::uint16_t>(d),
                                               static_cast<std::uint16_t>(n));
              return (old & 0xffff0000) | half;
          }))
        .reads_dst_as(3);
}

}  // namespace vrocm::sim::VROCM_SIMD_NS
