// Half precision: the f32 functions, rounded. An f32 result with an error of a few ulp is a half with an
// error just above one half ulp.
#include "common/hardware.h"

extern "C" {
f32 __ocml_sin_f32(f32 x);
f32 __ocml_cos_f32(f32 x);
f32 __ocml_tan_f32(f32 x);
f32 __ocml_sinpi_f32(f32 x);
f32 __ocml_cospi_f32(f32 x);
f32 __ocml_tanpi_f32(f32 x);
f32 __ocml_asin_f32(f32 x);
f32 __ocml_acos_f32(f32 x);
f32 __ocml_atan_f32(f32 x);
f32 __ocml_asinpi_f32(f32 x);
f32 __ocml_acospi_f32(f32 x);
f32 __ocml_atanpi_f32(f32 x);
f32 __ocml_sinh_f32(f32 x);
f32 __ocml_cosh_f32(f32 x);
f32 __ocml_tanh_f32(f32 x);
f32 __ocml_asinh_f32(f32 x);
f32 __ocml_acosh_f32(f32 x);
f32 __ocml_atanh_f32(f32 x);
f32 __ocml_exp_f32(f32 x);
f32 __ocml_exp2_f32(f32 x);
f32 __ocml_exp10_f32(f32 x);
f32 __ocml_expm1_f32(f32 x);
f32 __ocml_log_f32(f32 x);
f32 __ocml_log2_f32(f32 x);
f32 __ocml_log10_f32(f32 x);
f32 __ocml_log1p_f32(f32 x);
f32 __ocml_rsqrt_f32(f32 x);
f32 __ocml_cbrt_f32(f32 x);
f32 __ocml_rcbrt_f32(f32 x);
f32 __ocml_erf_f32(f32 x);
f32 __ocml_erfc_f32(f32 x);
f32 __ocml_erfinv_f32(f32 x);
f32 __ocml_erfcinv_f32(f32 x);
f32 __ocml_erfcx_f32(f32 x);
f32 __ocml_ncdf_f32(f32 x);
f32 __ocml_ncdfinv_f32(f32 x);
f32 __ocml_tgamma_f32(f32 x);
f32 __ocml_lgamma_f32(f32 x);
f32 __ocml_j0_f32(f32 x);
f32 __ocml_j1_f32(f32 x);
f32 __ocml_y0_f32(f32 x);
f32 __ocml_y1_f32(f32 x);
f32 __ocml_i0_f32(f32 x);
f32 __ocml_i1_f32(f32 x);
f32 __ocml_atan2_f32(f32 x, f32 y);
f32 __ocml_atan2pi_f32(f32 x, f32 y);
f32 __ocml_pow_f32(f32 x, f32 y);
f32 __ocml_powr_f32(f32 x, f32 y);
f32 __ocml_hypot_f32(f32 x, f32 y);
f32 __ocml_rhypot_f32(f32 x, f32 y);
f32 __ocml_pown_f32(f32 x, i32 n);
f32 __ocml_rootn_f32(f32 x, i32 n);
f32 __ocml_len3_f32(f32 x, f32 y, f32 z);
f32 __ocml_rlen3_f32(f32 x, f32 y, f32 z);
f32 __ocml_len4_f32(f32 x, f32 y, f32 z, f32 w);
f32 __ocml_rlen4_f32(f32 x, f32 y, f32 z, f32 w);
f32 __ocml_sincos_f32(f32 x, PRIVATE f32* cosine);
f32 __ocml_sincospi_f32(f32 x, PRIVATE f32* cosine);
f32 __ocml_lgamma_r_f32(f32 x, PRIVATE i32* sign);
}

EXPORT f16 __ocml_sin_f16(f16 x) { return (f16)__ocml_sin_f32((f32)x); }
EXPORT f16 __ocml_cos_f16(f16 x) { return (f16)__ocml_cos_f32((f32)x); }
EXPORT f16 __ocml_tan_f16(f16 x) { return (f16)__ocml_tan_f32((f32)x); }
EXPORT f16 __ocml_sinpi_f16(f16 x) { return (f16)__ocml_sinpi_f32((f32)x); }
EXPORT f16 __ocml_cospi_f16(f16 x) { return (f16)__ocml_cospi_f32((f32)x); }
EXPORT f16 __ocml_tanpi_f16(f16 x) { return (f16)__ocml_tanpi_f32((f32)x); }
EXPORT f16 __ocml_asin_f16(f16 x) { return (f16)__ocml_asin_f32((f32)x); }
EXPORT f16 __ocml_acos_f16(f16 x) { return (f16)__ocml_acos_f32((f32)x); }
EXPORT f16 __ocml_atan_f16(f16 x) { return (f16)__ocml_atan_f32((f32)x); }
EXPORT f16 __ocml_asinpi_f16(f16 x) { return (f16)__ocml_asinpi_f32((f32)x); }
EXPORT f16 __ocml_acospi_f16(f16 x) { return (f16)__ocml_acospi_f32((f32)x); }
EXPORT f16 __ocml_atanpi_f16(f16 x) { return (f16)__ocml_atanpi_f32((f32)x); }
EXPORT f16 __ocml_sinh_f16(f16 x) { return (f16)__ocml_sinh_f32((f32)x); }
EXPORT f16 __ocml_cosh_f16(f16 x) { return (f16)__ocml_cosh_f32((f32)x); }
EXPORT f16 __ocml_tanh_f16(f16 x) { return (f16)__ocml_tanh_f32((f32)x); }
EXPORT f16 __ocml_asinh_f16(f16 x) { return (f16)__ocml_asinh_f32((f32)x); }
EXPORT f16 __ocml_acosh_f16(f16 x) { return (f16)__ocml_acosh_f32((f32)x); }
EXPORT f16 __ocml_atanh_f16(f16 x) { return (f16)__ocml_atanh_f32((f32)x); }
EXPORT f16 __ocml_exp_f16(f16 x) { return (f16)__ocml_exp_f32((f32)x); }
EXPORT f16 __ocml_exp2_f16(f16 x) { return (f16)__ocml_exp2_f32((f32)x); }
EXPORT f16 __ocml_exp10_f16(f16 x) { return (f16)__ocml_exp10_f32((f32)x); }
EXPORT f16 __ocml_expm1_f16(f16 x) { return (f16)__ocml_expm1_f32((f32)x); }
EXPORT f16 __ocml_log_f16(f16 x) { return (f16)__ocml_log_f32((f32)x); }
EXPORT f16 __ocml_log2_f16(f16 x) { return (f16)__ocml_log2_f32((f32)x); }
EXPORT f16 __ocml_log10_f16(f16 x) { return (f16)__ocml_log10_f32((f32)x); }
EXPORT f16 __ocml_log1p_f16(f16 x) { return (f16)__ocml_log1p_f32((f32)x); }
EXPORT f16 __ocml_rsqrt_f16(f16 x) { return (f16)__ocml_rsqrt_f32((f32)x); }
EXPORT f16 __ocml_cbrt_f16(f16 x) { return (f16)__ocml_cbrt_f32((f32)x); }
EXPORT f16 __ocml_rcbrt_f16(f16 x) { return (f16)__ocml_rcbrt_f32((f32)x); }
EXPORT f16 __ocml_erf_f16(f16 x) { return (f16)__ocml_erf_f32((f32)x); }
EXPORT f16 __ocml_erfc_f16(f16 x) { return (f16)__ocml_erfc_f32((f32)x); }
EXPORT f16 __ocml_erfinv_f16(f16 x) { return (f16)__ocml_erfinv_f32((f32)x); }
EXPORT f16 __ocml_erfcinv_f16(f16 x) { return (f16)__ocml_erfcinv_f32((f32)x); }
EXPORT f16 __ocml_erfcx_f16(f16 x) { return (f16)__ocml_erfcx_f32((f32)x); }
EXPORT f16 __ocml_ncdf_f16(f16 x) { return (f16)__ocml_ncdf_f32((f32)x); }
EXPORT f16 __ocml_ncdfinv_f16(f16 x) { return (f16)__ocml_ncdfinv_f32((f32)x); }
EXPORT f16 __ocml_tgamma_f16(f16 x) { return (f16)__ocml_tgamma_f32((f32)x); }
EXPORT f16 __ocml_lgamma_f16(f16 x) { return (f16)__ocml_lgamma_f32((f32)x); }
EXPORT f16 __ocml_j0_f16(f16 x) { return (f16)__ocml_j0_f32((f32)x); }
EXPORT f16 __ocml_j1_f16(f16 x) { return (f16)__ocml_j1_f32((f32)x); }
EXPORT f16 __ocml_y0_f16(f16 x) { return (f16)__ocml_y0_f32((f32)x); }
EXPORT f16 __ocml_y1_f16(f16 x) { return (f16)__ocml_y1_f32((f32)x); }
EXPORT f16 __ocml_i0_f16(f16 x) { return (f16)__ocml_i0_f32((f32)x); }
EXPORT f16 __ocml_i1_f16(f16 x) { return (f16)__ocml_i1_f32((f32)x); }
EXPORT f16 __ocml_atan2_f16(f16 x, f16 y) { return (f16)__ocml_atan2_f32((f32)x, (f32)y); }
EXPORT f16 __ocml_atan2pi_f16(f16 x, f16 y) { return (f16)__ocml_atan2pi_f32((f32)x, (f32)y); }
EXPORT f16 __ocml_pow_f16(f16 x, f16 y) { return (f16)__ocml_pow_f32((f32)x, (f32)y); }
EXPORT f16 __ocml_powr_f16(f16 x, f16 y) { return (f16)__ocml_powr_f32((f32)x, (f32)y); }
EXPORT f16 __ocml_hypot_f16(f16 x, f16 y) { return (f16)__ocml_hypot_f32((f32)x, (f32)y); }
EXPORT f16 __ocml_rhypot_f16(f16 x, f16 y) { return (f16)__ocml_rhypot_f32((f32)x, (f32)y); }
EXPORT f16 __ocml_pown_f16(f16 x, i32 n) { return (f16)__ocml_pown_f32((f32)x, n); }
EXPORT f16 __ocml_rootn_f16(f16 x, i32 n) { return (f16)__ocml_rootn_f32((f32)x, n); }
EXPORT f16 __ocml_len3_f16(f16 x, f16 y, f16 z) { return (f16)__ocml_len3_f32((f32)x, (f32)y, (f32)z); }
EXPORT f16 __ocml_rlen3_f16(f16 x, f16 y, f16 z) { return (f16)__ocml_rlen3_f32((f32)x, (f32)y, (f32)z); }
EXPORT f16 __ocml_len4_f16(f16 x, f16 y, f16 z, f16 w) { return (f16)__ocml_len4_f32((f32)x, (f32)y, (f32)z, (f32)w); }
EXPORT f16 __ocml_rlen4_f16(f16 x, f16 y, f16 z, f16 w) {
    return (f16)__ocml_rlen4_f32((f32)x, (f32)y, (f32)z, (f32)w);
}

EXPORT f16 __ocml_sincos_f16(f16 x, PRIVATE f16* cosine) {
    f32 c;
    f32 s = __ocml_sincos_f32((f32)x, (PRIVATE f32*)&c);
    *cosine = (f16)c;
    return (f16)s;
}

EXPORT f16 __ocml_sincospi_f16(f16 x, PRIVATE f16* cosine) {
    f32 c;
    f32 s = __ocml_sincospi_f32((f32)x, (PRIVATE f32*)&c);
    *cosine = (f16)c;
    return (f16)s;
}

EXPORT f16 __ocml_lgamma_r_f16(f16 x, PRIVATE i32* sign) { return (f16)__ocml_lgamma_r_f32((f32)x, sign); }
