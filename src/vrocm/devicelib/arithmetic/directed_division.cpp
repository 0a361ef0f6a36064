// Division and square root in every rounding mode, and the operations that round to nearest.
//
// The result rounded to nearest is compared with the exact one by its residual, which fma gives exactly, and
// replaced by a neighbour where the mode asks for the other side.
#include "common/double_double.h"

namespace {

enum class Mode { Up, Down, Zero };

template <typename T>
INLINE T next_above(T x) {
    using Bits = typename Format<T>::Bits;
    Bits b = bits_of(x);
    if (x == T(0)) return from_bits((Bits)1);
    return from_bits((Bits)(sign_bit(x) ? b - 1 : b + 1));
}

template <typename T>
INLINE T next_below(T x) {
    return -next_above(-x);
}

// y is a nearest result; `exact_is` says where the exact one lies: above (+1), below (-1), or there (0).
template <typename T>
INLINE T directed(T y, i32 exact_is, Mode mode) {
    bool up = mode == Mode::Up || (mode == Mode::Zero && sign_bit(y));
    if (exact_is > 0 && up) return next_above(y);
    if (exact_is < 0 && !up) return next_below(y);
    return y;
}

INLINE i32 sign_of(f64 x) { return x > 0.0 ? 1 : x < 0.0 ? -1 : 0; }

// A quotient of f32s is an f32 or further from one than the rounding error of f64.
INLINE f32 narrow(f64 exact_enough, Mode mode) {
    f32 y = (f32)exact_enough;
    if (is_nan(y) || is_inf(exact_enough)) return y;
    return directed(y, sign_of(exact_enough - (f64)y), mode);
}

INLINE f32 divide(f32 a, f32 b, Mode mode) { return narrow((f64)a / (f64)b, mode); }

INLINE f32 square_root(f32 x, Mode mode) { return narrow(sqrt_rn((f64)x), mode); }

INLINE f64 divide(f64 a, f64 b, Mode mode) {
    f64 y = a / b;
    if (!is_finite(a) || !is_finite(b) || a == 0.0 || b == 0.0) return y;
    // On mantissas the quotient is near 1 and its residual exact.
    f64 ma = hw::frexp_mantissa(a), mb = hw::frexp_mantissa(b);
    i32 e = hw::frexp_exponent(a) - hw::frexp_exponent(b);
    f64 q = ma / mb;
    i32 beyond = sign_of(fma(-q, mb, ma)) * (mb < 0.0 ? -1 : 1);  // where the exact quotient is from q
    f64 scaled = hw::ldexp(q, e), back = hw::ldexp(scaled, -e);
    // Scaling rounds again when the result is denormal or overflows; that outweighs the first rounding.
    if (back != q) beyond = is_inf(scaled) ? (scaled > 0.0 ? -1 : 1) : sign_of(q - back);
    return directed(scaled, beyond, mode);
}

INLINE f64 square_root(f64 x, Mode mode) {
    f64 y = sqrt_rn(x);
    if (!(x > 0.0) || is_inf(x)) return y;
    i32 e = (hw::frexp_exponent(x) + 1) & ~1;
    f64 m = hw::ldexp(x, -e), s = hw::ldexp(y, -e / 2);
    return directed(y, sign_of(fma(-s, s, m)), mode);
}

}  // namespace

EXPORT f32 __ocml_div_rtp_f32(f32 a, f32 b) { return divide(a, b, Mode::Up); }
EXPORT f32 __ocml_sqrt_rtp_f32(f32 x) { return square_root(x, Mode::Up); }
EXPORT f32 __ocml_div_rtn_f32(f32 a, f32 b) { return divide(a, b, Mode::Down); }
EXPORT f32 __ocml_sqrt_rtn_f32(f32 x) { return square_root(x, Mode::Down); }
EXPORT f32 __ocml_div_rtz_f32(f32 a, f32 b) { return divide(a, b, Mode::Zero); }
EXPORT f32 __ocml_sqrt_rtz_f32(f32 x) { return square_root(x, Mode::Zero); }
EXPORT f32 __ocml_add_rte_f32(f32 a, f32 b) { return a + b; }
EXPORT f32 __ocml_sub_rte_f32(f32 a, f32 b) { return a - b; }
EXPORT f32 __ocml_mul_rte_f32(f32 a, f32 b) { return a * b; }
EXPORT f32 __ocml_div_rte_f32(f32 a, f32 b) { return a / b; }
EXPORT f32 __ocml_sqrt_rte_f32(f32 x) { return sqrt_rn(x); }
EXPORT f32 __ocml_fma_rte_f32(f32 a, f32 b, f32 c) { return fma(a, b, c); }

EXPORT f64 __ocml_div_rtp_f64(f64 a, f64 b) { return divide(a, b, Mode::Up); }
EXPORT f64 __ocml_sqrt_rtp_f64(f64 x) { return square_root(x, Mode::Up); }
EXPORT f64 __ocml_div_rtn_f64(f64 a, f64 b) { return divide(a, b, Mode::Down); }
EXPORT f64 __ocml_sqrt_rtn_f64(f64 x) { return square_root(x, Mode::Down); }
EXPORT f64 __ocml_div_rtz_f64(f64 a, f64 b) { return divide(a, b, Mode::Zero); }
EXPORT f64 __ocml_sqrt_rtz_f64(f64 x) { return square_root(x, Mode::Zero); }
EXPORT f64 __ocml_add_rte_f64(f64 a, f64 b) { return a + b; }
EXPORT f64 __ocml_sub_rte_f64(f64 a, f64 b) { return a - b; }
EXPORT f64 __ocml_mul_rte_f64(f64 a, f64 b) { return a * b; }
EXPORT f64 __ocml_div_rte_f64(f64 a, f64 b) { return a / b; }
EXPORT f64 __ocml_sqrt_rte_f64(f64 x) { return sqrt_rn(x); }
EXPORT f64 __ocml_fma_rte_f64(f64 a, f64 b, f64 c) { return fma(a, b, c); }
