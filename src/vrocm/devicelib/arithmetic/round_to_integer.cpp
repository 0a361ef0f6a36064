// Rounding to integers, and splitting into whole and fractional part.
#include "common/float_bits.h"

EXPORT f16 __ocml_floor_f16(f16 x) { return __builtin_floorf16(x); }
EXPORT f16 __ocml_ceil_f16(f16 x) { return __builtin_ceilf16(x); }
EXPORT f16 __ocml_trunc_f16(f16 x) { return __builtin_truncf16(x); }
EXPORT f16 __ocml_rint_f16(f16 x) { return __builtin_rintf16(x); }
EXPORT f16 __ocml_nearbyint_f16(f16 x) { return __builtin_rintf16(x); }
EXPORT f16 __ocml_round_f16(f16 x) { return __builtin_roundf16(x); }
EXPORT f32 __ocml_floor_f32(f32 x) { return __builtin_floorf(x); }
EXPORT f32 __ocml_ceil_f32(f32 x) { return __builtin_ceilf(x); }
EXPORT f32 __ocml_trunc_f32(f32 x) { return __builtin_truncf(x); }
EXPORT f32 __ocml_rint_f32(f32 x) { return __builtin_rintf(x); }
EXPORT f32 __ocml_nearbyint_f32(f32 x) { return __builtin_rintf(x); }
EXPORT f32 __ocml_round_f32(f32 x) { return __builtin_roundf(x); }
EXPORT f64 __ocml_floor_f64(f64 x) { return __builtin_floor(x); }
EXPORT f64 __ocml_ceil_f64(f64 x) { return __builtin_ceil(x); }
EXPORT f64 __ocml_trunc_f64(f64 x) { return __builtin_trunc(x); }
EXPORT f64 __ocml_rint_f64(f64 x) { return __builtin_rint(x); }
EXPORT f64 __ocml_nearbyint_f64(f64 x) { return __builtin_rint(x); }
EXPORT f64 __ocml_round_f64(f64 x) { return __builtin_round(x); }
EXPORT i64 __ocml_lround_f16(f16 x) { return (i64)__builtin_roundf16(x); }
EXPORT i64 __ocml_llround_f16(f16 x) { return (i64)__builtin_roundf16(x); }
EXPORT i64 __ocml_lrint_f16(f16 x) { return (i64)__builtin_rintf16(x); }
EXPORT i64 __ocml_llrint_f16(f16 x) { return (i64)__builtin_rintf16(x); }
EXPORT i64 __ocml_lround_f32(f32 x) { return (i64)__builtin_roundf(x); }
EXPORT i64 __ocml_llround_f32(f32 x) { return (i64)__builtin_roundf(x); }
EXPORT i64 __ocml_lrint_f32(f32 x) { return (i64)__builtin_rintf(x); }
EXPORT i64 __ocml_llrint_f32(f32 x) { return (i64)__builtin_rintf(x); }
EXPORT i64 __ocml_lround_f64(f64 x) { return (i64)__builtin_round(x); }
EXPORT i64 __ocml_llround_f64(f64 x) { return (i64)__builtin_round(x); }
EXPORT i64 __ocml_lrint_f64(f64 x) { return (i64)__builtin_rint(x); }
EXPORT i64 __ocml_llrint_f64(f64 x) { return (i64)__builtin_rint(x); }

template <typename T>
INLINE T split(T x, PRIVATE T* whole) {
    T w = trunc(x);
    *whole = w;
    // An infinity has no fraction: C wants a zero with its sign.
    return copysign(is_inf(x) ? T(0) : x - w, x);
}

EXPORT f16 __ocml_modf_f16(f16 x, PRIVATE f16* whole) { return split(x, whole); }
EXPORT f32 __ocml_modf_f32(f32 x, PRIVATE f32* whole) { return split(x, whole); }
EXPORT f64 __ocml_modf_f64(f64 x, PRIVATE f64* whole) { return split(x, whole); }

template <typename T>
INLINE T fraction(T x, PRIVATE T* whole) {
    *whole = floor(x);
    return is_inf(x) ? copysign(T(0), x) : hw::fract(x);
}

EXPORT f16 __ocml_fract_f16(f16 x, PRIVATE f16* whole) { return fraction(x, whole); }
EXPORT f32 __ocml_fract_f32(f32 x, PRIVATE f32* whole) { return fraction(x, whole); }
EXPORT f64 __ocml_fract_f64(f64 x, PRIVATE f64* whole) { return fraction(x, whole); }
