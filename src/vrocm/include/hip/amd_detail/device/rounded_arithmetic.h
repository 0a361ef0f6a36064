/* Arithmetic with a stated rounding (__fadd_rn …) and fast approximations (__expf …). */
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_ROUNDED_ARITHMETIC_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_ROUNDED_ARITHMETIC_H

#include <vrocm/device/library_functions.h>

/* To nearest even: the default mode. Not to be fused with a neighbouring operation. */
#define VROCM_NEAREST(name, T, expression) \
    VROCM_DEVICE T name(T x, T y) { _Pragma("clang fp contract(off)") return expression; }
VROCM_NEAREST(__fadd_rn, float, x + y)
VROCM_NEAREST(__fsub_rn, float, x - y)
VROCM_NEAREST(__fmul_rn, float, x* y)
VROCM_NEAREST(__fdiv_rn, float, x / y)
VROCM_NEAREST(__dadd_rn, double, x + y)
VROCM_NEAREST(__dsub_rn, double, x - y)
VROCM_NEAREST(__dmul_rn, double, x* y)
VROCM_NEAREST(__ddiv_rn, double, x / y)
#undef VROCM_NEAREST
VROCM_DEVICE float __fsqrt_rn(float x) { return __builtin_sqrtf(x); }
VROCM_DEVICE double __dsqrt_rn(double x) { return __builtin_sqrt(x); }
VROCM_DEVICE float __fmaf_rn(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
VROCM_DEVICE_EXTRA float __fmaf_ieee_rn(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
VROCM_DEVICE double __fma_rn(double x, double y, double z) { return __builtin_fma(x, y, z); }
VROCM_DEVICE float __frcp_rn(float x) { return 1.0f / x; }
VROCM_DEVICE double __drcp_rn(double x) { return 1.0 / x; }
VROCM_DEVICE float __frsqrt_rn(float x) { return __ocml_rsqrt_f32(x); }
VROCM_DEVICE_EXTRA double __drsqrt_rn(double x) { return __ocml_rsqrt_f64(x); }

/* Down, up, towards zero: AMD's headers have them only on request. */
#define VROCM_DIRECTED(letter, T, suffix, mode, ocml, fma_name)                                          \
    VROCM_DEVICE_EXTRA T __##letter##add_##mode(T x, T y) { return __ocml_add_##ocml##_##suffix(x, y); } \
    VROCM_DEVICE_EXTRA T __##letter##sub_##mode(T x, T y) { return __ocml_sub_##ocml##_##suffix(x, y); } \
    VROCM_DEVICE_EXTRA T __##letter##mul_##mode(T x, T y) { return __ocml_mul_##ocml##_##suffix(x, y); } \
    VROCM_DEVICE_EXTRA T __##letter##div_##mode(T x, T y) { return __ocml_div_##ocml##_##suffix(x, y); } \
    VROCM_DEVICE_EXTRA T __##letter##rcp_##mode(T x) { return __ocml_div_##ocml##_##suffix((T)1, x); }   \
    VROCM_DEVICE_EXTRA T __##letter##sqrt_##mode(T x) { return __ocml_sqrt_##ocml##_##suffix(x); }       \
    VROCM_DEVICE_EXTRA T __##fma_name##_##mode(T x, T y, T z) { return __ocml_fma_##ocml##_##suffix(x, y, z); }
VROCM_DIRECTED(f, float, f32, rd, rtn, fmaf)
VROCM_DIRECTED(f, float, f32, ru, rtp, fmaf)
VROCM_DIRECTED(f, float, f32, rz, rtz, fmaf)
VROCM_DIRECTED(d, double, f64, rd, rtn, fma)
VROCM_DIRECTED(d, double, f64, ru, rtp, fma)
VROCM_DIRECTED(d, double, f64, rz, rtz, fma)
#undef VROCM_DIRECTED

/* The hardware's approximations. */
VROCM_DEVICE float __cosf(float x) { return __ocml_native_cos_f32(x); }
VROCM_DEVICE float __sinf(float x) { return __ocml_native_sin_f32(x); }
VROCM_DEVICE float __tanf(float x) { return __sinf(x) / __cosf(x); }
VROCM_DEVICE float __expf(float x) { return __ocml_native_exp_f32(x); }
VROCM_DEVICE float __exp10f(float x) { return __ocml_native_exp10_f32(x); }
VROCM_DEVICE float __logf(float x) { return __ocml_native_log_f32(x); }
VROCM_DEVICE float __log2f(float x) { return __ocml_native_log2_f32(x); }
VROCM_DEVICE float __log10f(float x) { return __ocml_native_log10_f32(x); }
VROCM_DEVICE float __powf(float x, float y) { return __ocml_pow_f32(x, y); }
VROCM_DEVICE float __fdividef(float x, float y) { return x / y; }
VROCM_DEVICE_EXTRA float __tanhf(float x) { return __ocml_tanh_f32(x); }
VROCM_DEVICE float __saturatef(float x) { return x < 0.0f || x != x ? 0.0f : x > 1.0f ? 1.0f : x; }
VROCM_DEVICE void __sincosf(float x, float* sine, float* cosine) {
    *sine = __sinf(x);
    *cosine = __cosf(x);
}

#endif
