// The machine under the device library: number types, and the instructions that C has no name for.
//
// Everything else in this folder is portable. For the host test build (see tests/differential/math) the
// same names are provided by a shim that rounds correctly or, on request, is wrong by one ulp, which is
// what the ISA manual promises for the f32 approximations.
#pragma once

using i8 = signed char;
using u8 = unsigned char;
using i16 = short;
using u16 = unsigned short;
using i32 = int;
using u32 = unsigned int;
using i64 = long;
using u64 = unsigned long;
using f16 = _Float16;
using f32 = float;
using f64 = double;

#define INLINE static inline __attribute__((always_inline))

#ifdef __AMDGCN__
#define EXPORT extern "C" __attribute__((visibility("hidden")))
#define PRIVATE __attribute__((address_space(5)))
#define GLOBAL __attribute__((address_space(1)))
#define CONSTANT __attribute__((address_space(4)))
#else
#define EXPORT extern "C" __attribute__((visibility("default")))
#define PRIVATE
#define GLOBAL
#define CONSTANT
#endif

namespace hw {

#ifdef __AMDGCN__

// f32 approximations: at most 1 ulp; they flush no denormals of the result except where noted.
INLINE f32 rcp(f32 x) { return __builtin_amdgcn_rcpf(x); }
INLINE f32 rsq(f32 x) { return __builtin_amdgcn_rsqf(x); }
INLINE f32 sqrt(f32 x) { return __builtin_amdgcn_sqrtf(x); }
INLINE f32 exp2(f32 x) { return __builtin_amdgcn_exp2f(x); }  // denormal results become 0
INLINE f32 log2(f32 x) { return __builtin_amdgcn_logf(x); }  // denormal arguments count as 0
INLINE f32 sin_turns(f32 x) { return __builtin_amdgcn_sinf(x); }  // sin(2 pi x), absolute error 2^-20 or so
INLINE f32 cos_turns(f32 x) { return __builtin_amdgcn_cosf(x); }
// f64 approximations: about 24 good bits (the ISA manual says 2^29 ulp).
INLINE f64 rcp(f64 x) { return __builtin_amdgcn_rcp(x); }
INLINE f64 rsq(f64 x) { return __builtin_amdgcn_rsq(x); }
INLINE f16 exp2(f16 x) { return (f16)__builtin_amdgcn_exp2f((f32)x); }
INLINE f16 rcp(f16 x) { return __builtin_amdgcn_rcph(x); }
INLINE f16 rsq(f16 x) { return __builtin_amdgcn_rsqh(x); }
INLINE f16 sqrt(f16 x) { return __builtin_amdgcn_sqrth(x); }

INLINE f16 ldexp(f16 x, i32 e) { return __builtin_amdgcn_ldexph(x, e); }
INLINE f32 ldexp(f32 x, i32 e) { return __builtin_amdgcn_ldexpf(x, e); }
INLINE f64 ldexp(f64 x, i32 e) { return __builtin_amdgcn_ldexp(x, e); }
// x = mantissa * 2^exponent, |mantissa| in [1/2, 1); zero, infinity and NaN come back with exponent 0.
INLINE f16 frexp_mantissa(f16 x) { return __builtin_amdgcn_frexp_manth(x); }
INLINE f32 frexp_mantissa(f32 x) { return __builtin_amdgcn_frexp_mantf(x); }
INLINE f64 frexp_mantissa(f64 x) { return __builtin_amdgcn_frexp_mant(x); }
INLINE i32 frexp_exponent(f16 x) { return __builtin_amdgcn_frexp_exph(x); }
INLINE i32 frexp_exponent(f32 x) { return __builtin_amdgcn_frexp_expf(x); }
INLINE i32 frexp_exponent(f64 x) { return __builtin_amdgcn_frexp_exp(x); }
// x - floor(x), kept below 1.
INLINE f16 fract(f16 x) { return __builtin_amdgcn_fracth(x); }
INLINE f32 fract(f32 x) { return __builtin_amdgcn_fractf(x); }
INLINE f64 fract(f64 x) { return __builtin_amdgcn_fract(x); }

#else

extern "C" {
f32 shim_rcp_f32(f32 x);
f32 shim_rsq_f32(f32 x);
f32 shim_sqrt_f32(f32 x);
f32 shim_exp2_f32(f32 x);
f32 shim_log2_f32(f32 x);
f32 shim_sin_turns_f32(f32 x);
f32 shim_cos_turns_f32(f32 x);
f64 shim_rcp_f64(f64 x);
f64 shim_rsq_f64(f64 x);
f64 shim_ldexp_f64(f64 x, i32 e);
f32 shim_ldexp_f32(f32 x, i32 e);
f64 shim_frexp_mantissa_f64(f64 x);
i32 shim_frexp_exponent_f64(f64 x);
}
INLINE f32 rcp(f32 x) { return shim_rcp_f32(x); }
INLINE f32 rsq(f32 x) { return shim_rsq_f32(x); }
INLINE f32 sqrt(f32 x) { return shim_sqrt_f32(x); }
INLINE f32 exp2(f32 x) { return shim_exp2_f32(x); }
INLINE f32 log2(f32 x) { return shim_log2_f32(x); }
INLINE f32 sin_turns(f32 x) { return shim_sin_turns_f32(x); }
INLINE f32 cos_turns(f32 x) { return shim_cos_turns_f32(x); }
INLINE f64 rcp(f64 x) { return shim_rcp_f64(x); }
INLINE f64 rsq(f64 x) { return shim_rsq_f64(x); }
INLINE f16 exp2(f16 x) { return (f16)shim_exp2_f32((f32)x); }
INLINE f16 rcp(f16 x) { return (f16)shim_rcp_f32((f32)x); }
INLINE f16 rsq(f16 x) { return (f16)shim_rsq_f32((f32)x); }
INLINE f16 sqrt(f16 x) { return (f16)shim_sqrt_f32((f32)x); }
INLINE f16 ldexp(f16 x, i32 e) { return (f16)shim_ldexp_f64((f64)x, e); }
INLINE f32 ldexp(f32 x, i32 e) { return shim_ldexp_f32(x, e); }
INLINE f64 ldexp(f64 x, i32 e) { return shim_ldexp_f64(x, e); }
INLINE f16 frexp_mantissa(f16 x) { return (f16)shim_frexp_mantissa_f64((f64)x); }
INLINE f32 frexp_mantissa(f32 x) { return (f32)shim_frexp_mantissa_f64((f64)x); }
INLINE f64 frexp_mantissa(f64 x) { return shim_frexp_mantissa_f64(x); }
INLINE i32 frexp_exponent(f16 x) { return shim_frexp_exponent_f64((f64)x); }
INLINE i32 frexp_exponent(f32 x) { return shim_frexp_exponent_f64((f64)x); }
INLINE i32 frexp_exponent(f64 x) { return shim_frexp_exponent_f64(x); }
INLINE f16 fract(f16 x) { return x - __builtin_floorf16(x); }
INLINE f32 fract(f32 x) { return __builtin_fminf(x - __builtin_floorf(x), 0x1.fffffep-1f); }
INLINE f64 fract(f64 x) { return __builtin_fmin(x - __builtin_floor(x), 0x1.fffffffffffffp-1); }

#endif

}  // namespace hw
