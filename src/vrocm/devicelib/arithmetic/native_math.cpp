// The fast variants: one or two hardware instructions, with the accuracy and the range that these have.
#include "common/float_bits.h"

namespace {
constexpr f32 kLog2E = 0x1.715476p+0f;
constexpr f32 kLog2Of10 = 0x1.a934f0p+1f;
constexpr f32 kLn2 = 0x1.62e430p-1f;
constexpr f32 kLog10Of2 = 0x1.344136p-2f;
constexpr f32 kHalfOverPi = 0x1.45f306p-3f;
}  // namespace

EXPORT f32 __ocml_native_sin_f32(f32 x) { return hw::sin_turns(hw::fract(x * kHalfOverPi)); }
EXPORT f32 __ocml_native_cos_f32(f32 x) { return hw::cos_turns(hw::fract(x * kHalfOverPi)); }
EXPORT f32 __ocml_native_exp_f32(f32 x) { return hw::exp2(x * kLog2E); }
EXPORT f32 __ocml_native_exp2_f32(f32 x) { return hw::exp2(x); }
EXPORT f32 __ocml_native_exp10_f32(f32 x) { return hw::exp2(x * kLog2Of10); }
EXPORT f32 __ocml_native_log_f32(f32 x) { return hw::log2(x) * kLn2; }
EXPORT f32 __ocml_native_log2_f32(f32 x) { return hw::log2(x); }
EXPORT f32 __ocml_native_log10_f32(f32 x) { return hw::log2(x) * kLog10Of2; }
EXPORT f32 __ocml_native_sqrt_f32(f32 x) { return hw::sqrt(x); }
EXPORT f32 __ocml_native_rsqrt_f32(f32 x) { return hw::rsq(x); }
EXPORT f32 __ocml_native_recip_f32(f32 x) { return hw::rcp(x); }

EXPORT f64 __ocml_native_sqrt_f64(f64 x) { return sqrt_rn(x); }
EXPORT f64 __ocml_native_rsqrt_f64(f64 x) { return hw::rsq(x); }
EXPORT f64 __ocml_native_recip_f64(f64 x) { return hw::rcp(x); }

EXPORT f16 __ocml_native_sqrt_f16(f16 x) { return hw::sqrt(x); }
EXPORT f16 __ocml_native_rsqrt_f16(f16 x) { return hw::rsq(x); }
EXPORT f16 __ocml_native_recip_f16(f16 x) { return hw::rcp(x); }
EXPORT f16 __ocml_native_exp2_f16(f16 x) { return (f16)hw::exp2((f32)x); }
EXPORT f16 __ocml_native_log2_f16(f16 x) { return (f16)hw::log2((f32)x); }
EXPORT f16 __ocml_native_sin_f16(f16 x) { return (f16)__ocml_native_sin_f32((f32)x); }
EXPORT f16 __ocml_native_cos_f16(f16 x) { return (f16)__ocml_native_cos_f32((f32)x); }
