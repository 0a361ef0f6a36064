/* Multiplication and division of complex numbers: the functions that `_Complex` and std::complex arithmetic call. */
#ifndef VROCM_DEVICE_COMPLEX_ARITHMETIC_H
#define VROCM_DEVICE_COMPLEX_ARITHMETIC_H

#include <vrocm/device/library_functions.h>

/* C11 annex G: an infinite operand gives an infinite product or quotient even where the formula says NaN. */
#define VROCM_COMPLEX_ARITHMETIC(T, suffix, scale_of, ldexp_of, fabs_of, copysign_of, fmax_of)                         \
    extern "C" __device__ inline T _Complex __mul##suffix##c3(T a, T b, T c, T d) {                                    \
        T ac = a * c, bd = b * d, ad = a * d, bc = b * c;                                                              \
        T real = ac - bd, imaginary = ad + bc;                                                                         \
        if (__builtin_isnan(real) && __builtin_isnan(imaginary)) {                                                     \
            bool again = false;                                                                                        \
            if (__builtin_isinf(a) || __builtin_isinf(b)) {                                                            \
                a = copysign_of(__builtin_isinf(a) ? T(1) : T(0), a);                                                  \
                b = copysign_of(__builtin_isinf(b) ? T(1) : T(0), b);                                                  \
                c = __builtin_isnan(c) ? copysign_of(T(0), c) : c;                                                     \
                d = __builtin_isnan(d) ? copysign_of(T(0), d) : d;                                                     \
                again = true;                                                                                          \
            }                                                                                                          \
            if (__builtin_isinf(c) || __builtin_isinf(d)) {                                                            \
                c = copysign_of(__builtin_isinf(c) ? T(1) : T(0), c);                                                  \
                d = copysign_of(__builtin_isinf(d) ? T(1) : T(0), d);                                                  \
                a = __builtin_isnan(a) ? copysign_of(T(0), a) : a;                                                     \
                b = __builtin_isnan(b) ? copysign_of(T(0), b) : b;                                                     \
                again = true;                                                                                          \
            }                                                                                                          \
            if (!again &&                                                                                              \
                (__builtin_isinf(ac) || __builtin_isinf(bd) || __builtin_isinf(ad) || __builtin_isinf(bc))) {          \
                a = __builtin_isnan(a) ? copysign_of(T(0), a) : a;                                                     \
                b = __builtin_isnan(b) ? copysign_of(T(0), b) : b;                                                     \
                c = __builtin_isnan(c) ? copysign_of(T(0), c) : c;                                                     \
                d = __builtin_isnan(d) ? copysign_of(T(0), d) : d;                                                     \
                again = true;                                                                                          \
            }                                                                                                          \
            if (again) {                                                                                               \
                const T infinity = (T)__builtin_inf();                                                                 \
                real = infinity * (a * c - b * d);                                                                     \
                imaginary = infinity * (a * d + b * c);                                                                \
            }                                                                                                          \
        }                                                                                                              \
        return __builtin_complex(real, imaginary);                                                                     \
    }                                                                                                                  \
    extern "C" __device__ inline T _Complex __div##suffix##c3(T a, T b, T c, T d) {                                    \
        /* Scaling the divisor to about 1 keeps its square in range. */                                                \
        int exponent = 0;                                                                                              \
        T scale = scale_of(fmax_of(fabs_of(c), fabs_of(d)));                                                           \
        if (__builtin_isfinite(scale)) {                                                                               \
            exponent = (int)scale;                                                                                     \
            c = ldexp_of(c, -exponent);                                                                                \
            d = ldexp_of(d, -exponent);                                                                                \
        }                                                                                                              \
        T divisor = c * c + d * d;                                                                                     \
        T real = ldexp_of((a * c + b * d) / divisor, -exponent);                                                       \
        T imaginary = ldexp_of((b * c - a * d) / divisor, -exponent);                                                  \
        if (__builtin_isnan(real) && __builtin_isnan(imaginary)) {                                                     \
            if (divisor == T(0) && (!__builtin_isnan(a) || !__builtin_isnan(b))) {                                     \
                real = copysign_of((T)__builtin_inf(), c) * a;                                                         \
                imaginary = copysign_of((T)__builtin_inf(), c) * b;                                                    \
            } else if ((__builtin_isinf(a) || __builtin_isinf(b)) && __builtin_isfinite(c) && __builtin_isfinite(d)) { \
                a = copysign_of(__builtin_isinf(a) ? T(1) : T(0), a);                                                  \
                b = copysign_of(__builtin_isinf(b) ? T(1) : T(0), b);                                                  \
                real = (T)__builtin_inf() * (a * c + b * d);                                                           \
                imaginary = (T)__builtin_inf() * (b * c - a * d);                                                      \
            } else if (__builtin_isinf(scale) && scale > T(0) && __builtin_isfinite(a) && __builtin_isfinite(b)) {     \
                c = copysign_of(__builtin_isinf(c) ? T(1) : T(0), c);                                                  \
                d = copysign_of(__builtin_isinf(d) ? T(1) : T(0), d);                                                  \
                real = T(0) * (a * c + b * d);                                                                         \
                imaginary = T(0) * (b * c - a * d);                                                                    \
            }                                                                                                          \
        }                                                                                                              \
        return __builtin_complex(real, imaginary);                                                                     \
    }
VROCM_COMPLEX_ARITHMETIC(float, s, __ocml_logb_f32, __builtin_ldexpf, __builtin_fabsf, __builtin_copysignf,
                         __builtin_fmaxf)
VROCM_COMPLEX_ARITHMETIC(double, d, __ocml_logb_f64, __builtin_ldexp, __builtin_fabs, __builtin_copysign,
                         __builtin_fmax)
#undef VROCM_COMPLEX_ARITHMETIC

#endif
