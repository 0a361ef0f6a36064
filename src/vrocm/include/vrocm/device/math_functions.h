/* C and HIP math functions on the device, and their C++ overloads. Accuracy: that of the device library. */
#ifndef VROCM_DEVICE_MATH_FUNCTIONS_H
#define VROCM_DEVICE_MATH_FUNCTIONS_H

#include <vrocm/device/library_functions.h>
#include <vrocm/device/math_overload_declarations.h>

/* name(float), namef(float), name(double) */
#define VROCM_UNARY(name, f32, f64)                        \
    VROCM_DEVICE float name##f(float x) { return f32(x); } \
    VROCM_DEVICE float name(float x) { return f32(x); }    \
    VROCM_DEVICE double name(double x) { return f64(x); }
#define VROCM_UNARY_LIBRARY(name, function) VROCM_UNARY(name, __ocml_##function##_f32, __ocml_##function##_f64)
#define VROCM_UNARY_C(name, function)                                          \
    VROCM_DEVICE float name##f(float x) { return __ocml_##function##_f32(x); } \
    VROCM_DEVICE double name(double x) { return __ocml_##function##_f64(x); }
#define VROCM_BINARY(name, f32, f64)                                   \
    VROCM_DEVICE float name##f(float x, float y) { return f32(x, y); } \
    VROCM_DEVICE float name(float x, float y) { return f32(x, y); }    \
    VROCM_DEVICE double name(double x, double y) { return f64(x, y); }
#define VROCM_BINARY_LIBRARY(name, function) VROCM_BINARY(name, __ocml_##function##_f32, __ocml_##function##_f64)

/* -ffast-math trades accuracy for the hardware's own approximations. */
#if defined(__CLANG_GPU_APPROX_TRANSCENDENTALS__)
#define VROCM_UNARY_APPROXIMABLE(name) VROCM_UNARY(name, __ocml_native_##name##_f32, __ocml_##name##_f64)
VROCM_DEVICE float vrocm_fast_tan(float x) { return __ocml_native_sin_f32(x) / __ocml_native_cos_f32(x); }
VROCM_UNARY(tan, vrocm_fast_tan, __ocml_tan_f64)
#else
#define VROCM_UNARY_APPROXIMABLE(name) VROCM_UNARY_LIBRARY(name, name)
VROCM_UNARY_LIBRARY(tan, tan)
#endif

/* The instruction set has these, or the compiler expands them exactly. */
VROCM_UNARY(ceil, __builtin_ceilf, __builtin_ceil)
VROCM_UNARY(fabs, __builtin_fabsf, __builtin_fabs)
VROCM_UNARY(floor, __builtin_floorf, __builtin_floor)
VROCM_UNARY(nearbyint, __builtin_nearbyintf, __builtin_nearbyint)
VROCM_UNARY(rint, __builtin_rintf, __builtin_rint)
VROCM_UNARY(sqrt, __builtin_sqrtf, __builtin_sqrt)
VROCM_UNARY(trunc, __builtin_truncf, __builtin_trunc)
VROCM_BINARY(copysign, __builtin_copysignf, __builtin_copysign)
VROCM_BINARY(fmax, __builtin_fmaxf, __builtin_fmax)
VROCM_BINARY(fmin, __builtin_fminf, __builtin_fmin)

VROCM_UNARY_APPROXIMABLE(cos)
VROCM_UNARY_APPROXIMABLE(exp)
VROCM_UNARY_APPROXIMABLE(exp2)
VROCM_UNARY_APPROXIMABLE(log)
VROCM_UNARY_APPROXIMABLE(log10)
VROCM_UNARY_APPROXIMABLE(log2)
VROCM_UNARY_APPROXIMABLE(sin)
VROCM_UNARY_LIBRARY(acos, acos)
VROCM_UNARY_LIBRARY(acosh, acosh)
VROCM_UNARY_LIBRARY(asin, asin)
VROCM_UNARY_LIBRARY(asinh, asinh)
VROCM_UNARY_LIBRARY(atan, atan)
VROCM_UNARY_LIBRARY(atanh, atanh)
VROCM_UNARY_LIBRARY(cbrt, cbrt)
VROCM_UNARY_LIBRARY(cosh, cosh)
VROCM_UNARY_LIBRARY(erf, erf)
VROCM_UNARY_LIBRARY(erfc, erfc)
VROCM_UNARY_LIBRARY(expm1, expm1)
VROCM_UNARY_LIBRARY(lgamma, lgamma)
VROCM_UNARY_LIBRARY(log1p, log1p)
VROCM_UNARY_LIBRARY(logb, logb)
VROCM_UNARY_LIBRARY(round, round)
VROCM_UNARY_LIBRARY(sinh, sinh)
VROCM_UNARY_LIBRARY(tanh, tanh)
VROCM_UNARY_LIBRARY(tgamma, tgamma)
VROCM_BINARY_LIBRARY(atan2, atan2)
VROCM_BINARY_LIBRARY(fdim, fdim)
VROCM_BINARY_LIBRARY(fmod, fmod)
VROCM_BINARY_LIBRARY(hypot, hypot)
VROCM_BINARY_LIBRARY(nextafter, nextafter)
VROCM_BINARY_LIBRARY(pow, pow)
VROCM_BINARY_LIBRARY(remainder, remainder)

/* Not C++ functions: there is no overload for float, so that programs can define theirs. */
#if defined(__CLANG_GPU_APPROX_TRANSCENDENTALS__)
VROCM_DEVICE float exp10f(float x) { return __ocml_native_exp10_f32(x); }
#else
VROCM_DEVICE float exp10f(float x) { return __ocml_exp10_f32(x); }
#endif
VROCM_DEVICE double exp10(double x) { return __ocml_exp10_f64(x); }
VROCM_UNARY_C(cospi, cospi)
VROCM_UNARY_C(cyl_bessel_i0, i0)
VROCM_UNARY_C(cyl_bessel_i1, i1)
VROCM_UNARY_C(erfcinv, erfcinv)
VROCM_UNARY_C(erfcx, erfcx)
VROCM_UNARY_C(erfinv, erfinv)
VROCM_UNARY_C(j0, j0)
VROCM_UNARY_C(j1, j1)
VROCM_UNARY_C(normcdf, ncdf)
VROCM_UNARY_C(normcdfinv, ncdfinv)
VROCM_UNARY_C(rcbrt, rcbrt)
VROCM_UNARY_C(rsqrt, rsqrt)
VROCM_UNARY_C(sinpi, sinpi)
VROCM_UNARY_C(y0, y0)
VROCM_UNARY_C(y1, y1)
VROCM_DEVICE float rhypotf(float x, float y) { return __ocml_rhypot_f32(x, y); }
VROCM_DEVICE double rhypot(double x, double y) { return __ocml_rhypot_f64(x, y); }
#undef VROCM_UNARY
#undef VROCM_UNARY_LIBRARY
#undef VROCM_UNARY_C
#undef VROCM_UNARY_APPROXIMABLE
#undef VROCM_BINARY
#undef VROCM_BINARY_LIBRARY

VROCM_DEVICE float fdividef(float x, float y) { return x / y; }
VROCM_DEVICE float fmaf(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
VROCM_DEVICE float fma(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
VROCM_DEVICE double fma(double x, double y, double z) { return __builtin_fma(x, y, z); }

VROCM_DEVICE float powif(float x, int n) { return __ocml_pown_f32(x, n); }
VROCM_DEVICE double powi(double x, int n) { return __ocml_pown_f64(x, n); }
VROCM_DEVICE float pow(float x, int n) { return __ocml_pown_f32(x, n); }
VROCM_DEVICE double pow(double x, int n) { return __ocml_pown_f64(x, n); }

/* Powers of two: an exponent beyond int is beyond every floating-point exponent as well. */
VROCM_DEVICE int vrocm_clamp_exponent(long n) { return n > 100000 ? 100000 : n < -100000 ? -100000 : (int)n; }
VROCM_DEVICE float ldexpf(float x, int n) { return __builtin_ldexpf(x, n); }
VROCM_DEVICE float ldexp(float x, int n) { return __builtin_ldexpf(x, n); }
VROCM_DEVICE double ldexp(double x, int n) { return __builtin_ldexp(x, n); }
VROCM_DEVICE float scalbnf(float x, int n) { return __builtin_ldexpf(x, n); }
VROCM_DEVICE float scalbn(float x, int n) { return __builtin_ldexpf(x, n); }
VROCM_DEVICE double scalbn(double x, int n) { return __builtin_ldexp(x, n); }
VROCM_DEVICE float scalblnf(float x, long n) { return __builtin_ldexpf(x, vrocm_clamp_exponent(n)); }
VROCM_DEVICE float scalbln(float x, long n) { return __builtin_ldexpf(x, vrocm_clamp_exponent(n)); }
VROCM_DEVICE double scalbln(double x, long n) { return __builtin_ldexp(x, vrocm_clamp_exponent(n)); }
VROCM_DEVICE int ilogbf(float x) { return __ocml_ilogb_f32(x); }
VROCM_DEVICE int ilogb(float x) { return __ocml_ilogb_f32(x); }
VROCM_DEVICE int ilogb(double x) { return __ocml_ilogb_f64(x); }

/* Rounding to integers: to nearest even (rint) or half away from zero (round). */
#define VROCM_TO_INTEGER(result, name, rounding)                            \
    VROCM_DEVICE result name##f(float x) { return (result)rounding##f(x); } \
    VROCM_DEVICE result name(float x) { return (result)rounding##f(x); }    \
    VROCM_DEVICE result name(double x) { return (result)rounding(x); }
VROCM_TO_INTEGER(long, lrint, rint)
VROCM_TO_INTEGER(long long, llrint, rint)
VROCM_TO_INTEGER(long, lround, round)
VROCM_TO_INTEGER(long long, llround, round)
#undef VROCM_TO_INTEGER

/* Results through pointers. */
#define VROCM_TWO_RESULTS(T, suffix, f)                                                         \
    VROCM_DEVICE void sincos##f(T x, T* sine, T* cosine) {                                      \
        T second;                                                                               \
        *sine = __ocml_sincos_##suffix(x, (VROCM_PRIVATE T*)&second);                           \
        *cosine = second;                                                                       \
    }                                                                                           \
    VROCM_DEVICE void sincospi##f(T x, T* sine, T* cosine) {                                    \
        T second;                                                                               \
        *sine = __ocml_sincospi_##suffix(x, (VROCM_PRIVATE T*)&second);                         \
        *cosine = second;                                                                       \
    }                                                                                           \
    VROCM_DEVICE T modf(T x, T* whole) {                                                        \
        T part;                                                                                 \
        T fraction = __ocml_modf_##suffix(x, (VROCM_PRIVATE T*)&part);                          \
        *whole = part;                                                                          \
        return fraction;                                                                        \
    }                                                                                           \
    VROCM_DEVICE T remquo(T x, T y, int* quotient) {                                            \
        int bits;                                                                               \
        T rest = __ocml_remquo_##suffix(x, y, (VROCM_PRIVATE int*)&bits);                       \
        *quotient = bits;                                                                       \
        return rest;                                                                            \
    }                                                                                           \
    VROCM_DEVICE T jn##f(int n, T x) { return __ocml_jn_##suffix(n, x); }                       \
    VROCM_DEVICE T yn##f(int n, T x) { return __ocml_yn_##suffix(n, x); }                       \
    VROCM_DEVICE T norm3d##f(T x, T y, T z) { return __ocml_len3_##suffix(x, y, z); }           \
    VROCM_DEVICE T norm4d##f(T x, T y, T z, T w) { return __ocml_len4_##suffix(x, y, z, w); }   \
    VROCM_DEVICE T rnorm3d##f(T x, T y, T z) { return __ocml_rlen3_##suffix(x, y, z); }         \
    VROCM_DEVICE T rnorm4d##f(T x, T y, T z, T w) { return __ocml_rlen4_##suffix(x, y, z, w); } \
    /* Lengths of any dimension: plain sums, as their use in kernels expects. */                \
    VROCM_DEVICE T norm##f(int dimensions, const T* values) {                                   \
        T sum = 0;                                                                              \
        for (int i = 0; i < dimensions; ++i) sum += values[i] * values[i];                      \
        return sqrt(sum);                                                                       \
    }                                                                                           \
    VROCM_DEVICE T rnorm##f(int dimensions, const T* values) {                                  \
        T sum = 0;                                                                              \
        for (int i = 0; i < dimensions; ++i) sum += values[i] * values[i];                      \
        return __ocml_rsqrt_##suffix(sum);                                                      \
    }
VROCM_TWO_RESULTS(float, f32, f)
VROCM_TWO_RESULTS(double, f64, )
#undef VROCM_TWO_RESULTS
VROCM_DEVICE float modff(float x, float* whole) { return modf(x, whole); }
VROCM_DEVICE float remquof(float x, float y, int* quotient) { return remquo(x, y, quotient); }
VROCM_DEVICE float frexpf(float x, int* exponent) { return __builtin_frexpf(x, exponent); }
VROCM_DEVICE float frexp(float x, int* exponent) { return __builtin_frexpf(x, exponent); }
VROCM_DEVICE double frexp(double x, int* exponent) { return __builtin_frexp(x, exponent); }

/* The payload in hexadecimal, decimal or octal, as in strtoull. */
VROCM_DEVICE unsigned long long vrocm_nan_payload(const char* text) {
    unsigned base = 10;
    if (*text == '0') {
        ++text;
        base = 8;
        if (*text == 'x' || *text == 'X') {
            ++text;
            base = 16;
        }
    }
    unsigned long long value = 0;
    for (; *text; ++text) {
        unsigned lower = *text | 0x20;
        unsigned digit = *text >= '0' && *text <= '9'   ? *text - '0'
                         : lower >= 'a' && lower <= 'f' ? lower - 'a' + 10
                                                        : 16;
        if (digit >= base) return 0;
        value = value * base + digit;
    }
    return value;
}
VROCM_DEVICE float nanf(const char* text) {
    return __builtin_bit_cast(float, 0x7fc00000u | ((unsigned)vrocm_nan_payload(text) & 0x3fffffu));
}
VROCM_DEVICE double nan(const char* text) {
    return __builtin_bit_cast(double, 0x7ff8000000000000ull | (vrocm_nan_payload(text) & 0x7ffffffffffffull));
}

/* Classification and comparison. */
#define VROCM_CLASSIFY(T)                                                                                 \
    VROCM_DEVICE bool isfinite(T x) { return __builtin_isfinite(x); }                                     \
    VROCM_DEVICE bool isinf(T x) { return __builtin_isinf(x); }                                           \
    VROCM_DEVICE bool isnan(T x) { return __builtin_isnan(x); }                                           \
    VROCM_DEVICE bool isnormal(T x) { return __builtin_isnormal(x); }                                     \
    VROCM_DEVICE bool signbit(T x) { return __builtin_signbit(x); }                                       \
    VROCM_DEVICE int fpclassify(T x) {                                                                    \
        return __builtin_fpclassify(0 /*FP_NAN*/, 1 /*FP_INFINITE*/, 4 /*FP_NORMAL*/, 3 /*FP_SUBNORMAL*/, \
                                    2 /*FP_ZERO*/, x);                                                    \
    }                                                                                                     \
    VROCM_DEVICE bool isgreater(T x, T y) { return __builtin_isgreater(x, y); }                           \
    VROCM_DEVICE bool isgreaterequal(T x, T y) { return __builtin_isgreaterequal(x, y); }                 \
    VROCM_DEVICE bool isless(T x, T y) { return __builtin_isless(x, y); }                                 \
    VROCM_DEVICE bool islessequal(T x, T y) { return __builtin_islessequal(x, y); }                       \
    VROCM_DEVICE bool islessgreater(T x, T y) { return __builtin_islessgreater(x, y); }                   \
    VROCM_DEVICE bool isunordered(T x, T y) { return __builtin_isunordered(x, y); }
VROCM_CLASSIFY(float)
VROCM_CLASSIFY(double)
#undef VROCM_CLASSIFY
VROCM_DEVICE int __finitef(float x) { return __builtin_isfinite(x); }
VROCM_DEVICE int __finite(double x) { return __builtin_isfinite(x); }
VROCM_DEVICE int __isinff(float x) { return __builtin_isinf(x); }
VROCM_DEVICE int __isinf(double x) { return __builtin_isinf(x); }
VROCM_DEVICE int __isnanf(float x) { return __builtin_isnan(x); }
VROCM_DEVICE int __isnan(double x) { return __builtin_isnan(x); }
VROCM_DEVICE int __signbitf(float x) { return __builtin_signbit(x); }
VROCM_DEVICE int __signbit(double x) { return __builtin_signbit(x); }

/* Absolute values of integers and floats. */
VROCM_DEVICE int abs(int x) { return __builtin_abs(x); }
VROCM_DEVICE long abs(long x) { return __builtin_labs(x); }
VROCM_DEVICE long long abs(long long x) { return __builtin_llabs(x); }
VROCM_DEVICE long labs(long x) { return __builtin_labs(x); }
VROCM_DEVICE long long llabs(long long x) { return __builtin_llabs(x); }
VROCM_DEVICE float abs(float x) { return __builtin_fabsf(x); }
VROCM_DEVICE double abs(double x) { return __builtin_fabs(x); }

#endif
