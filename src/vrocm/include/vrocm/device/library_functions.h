/* Functions of the device library (bitcode linked into every device compilation); its README lists them all. */
#ifndef VROCM_DEVICE_LIBRARY_FUNCTIONS_H
#define VROCM_DEVICE_LIBRARY_FUNCTIONS_H

#include <hip/amd_detail/host_defines.h>

/* Everything small in these headers: no symbol, no call. */
#define VROCM_DEVICE static __device__ inline __attribute__((always_inline))
/* For what AMD's headers do not have: a program's own function of the same name is the better match. */
#define VROCM_DEVICE_EXTRA  \
    template <class = void> \
    VROCM_DEVICE
#define VROCM_PRIVATE __attribute__((address_space(5)))

#ifdef __cplusplus
extern "C" {
#endif

#define VROCM_DECLARE_1(name)                                           \
    __device__ __attribute__((const)) float __ocml_##name##_f32(float); \
    __device__ __attribute__((const)) double __ocml_##name##_f64(double);
#define VROCM_DECLARE_2(name)                                                  \
    __device__ __attribute__((const)) float __ocml_##name##_f32(float, float); \
    __device__ __attribute__((const)) double __ocml_##name##_f64(double, double);
VROCM_DECLARE_1(sin)
VROCM_DECLARE_1(cos)
VROCM_DECLARE_1(tan)
VROCM_DECLARE_1(sinpi)
VROCM_DECLARE_1(cospi)
VROCM_DECLARE_1(asin)
VROCM_DECLARE_1(acos)
VROCM_DECLARE_1(atan)
VROCM_DECLARE_1(sinh)
VROCM_DECLARE_1(cosh)
VROCM_DECLARE_1(tanh)
VROCM_DECLARE_1(asinh)
VROCM_DECLARE_1(acosh)
VROCM_DECLARE_1(atanh)
VROCM_DECLARE_1(exp)
VROCM_DECLARE_1(exp2)
VROCM_DECLARE_1(exp10)
VROCM_DECLARE_1(expm1)
VROCM_DECLARE_1(log)
VROCM_DECLARE_1(log2)
VROCM_DECLARE_1(log10)
VROCM_DECLARE_1(log1p)
VROCM_DECLARE_1(logb)
VROCM_DECLARE_1(sqrt)
VROCM_DECLARE_1(rsqrt)
VROCM_DECLARE_1(cbrt)
VROCM_DECLARE_1(rcbrt)
VROCM_DECLARE_1(erf)
VROCM_DECLARE_1(erfc)
VROCM_DECLARE_1(erfinv)
VROCM_DECLARE_1(erfcinv)
VROCM_DECLARE_1(erfcx)
VROCM_DECLARE_1(ncdf)
VROCM_DECLARE_1(ncdfinv)
VROCM_DECLARE_1(tgamma)
VROCM_DECLARE_1(lgamma)
VROCM_DECLARE_1(j0)
VROCM_DECLARE_1(j1)
VROCM_DECLARE_1(y0)
VROCM_DECLARE_1(y1)
VROCM_DECLARE_1(i0)
VROCM_DECLARE_1(i1)
VROCM_DECLARE_1(round)
VROCM_DECLARE_2(atan2)
VROCM_DECLARE_2(pow)
VROCM_DECLARE_2(hypot)
VROCM_DECLARE_2(rhypot)
VROCM_DECLARE_2(fmod)
VROCM_DECLARE_2(remainder)
VROCM_DECLARE_2(fdim)
VROCM_DECLARE_2(nextafter)
#undef VROCM_DECLARE_1
#undef VROCM_DECLARE_2

#define VROCM_DECLARE_OTHERS(T, suffix)                                    \
    __device__ __attribute__((const)) T __ocml_pown_##suffix(T, int);      \
    __device__ __attribute__((const)) T __ocml_scalbn_##suffix(T, int);    \
    __device__ __attribute__((const)) T __ocml_jn_##suffix(int, T);        \
    __device__ __attribute__((const)) T __ocml_yn_##suffix(int, T);        \
    __device__ __attribute__((const)) int __ocml_ilogb_##suffix(T);        \
    __device__ __attribute__((const)) T __ocml_len3_##suffix(T, T, T);     \
    __device__ __attribute__((const)) T __ocml_len4_##suffix(T, T, T, T);  \
    __device__ __attribute__((const)) T __ocml_rlen3_##suffix(T, T, T);    \
    __device__ __attribute__((const)) T __ocml_rlen4_##suffix(T, T, T, T); \
    __device__ T __ocml_sincos_##suffix(T, VROCM_PRIVATE T*);              \
    __device__ T __ocml_sincospi_##suffix(T, VROCM_PRIVATE T*);            \
    __device__ T __ocml_modf_##suffix(T, VROCM_PRIVATE T*);                \
    __device__ T __ocml_remquo_##suffix(T, T, VROCM_PRIVATE int*);
VROCM_DECLARE_OTHERS(float, f32)
VROCM_DECLARE_OTHERS(double, f64)
#undef VROCM_DECLARE_OTHERS

#define VROCM_DECLARE_ROUNDED(T, suffix, mode)                              \
    __device__ __attribute__((const)) T __ocml_add_##mode##_##suffix(T, T); \
    __device__ __attribute__((const)) T __ocml_sub_##mode##_##suffix(T, T); \
    __device__ __attribute__((const)) T __ocml_mul_##mode##_##suffix(T, T); \
    __device__ __attribute__((const)) T __ocml_div_##mode##_##suffix(T, T); \
    __device__ __attribute__((const)) T __ocml_sqrt_##mode##_##suffix(T);   \
    __device__ __attribute__((const)) T __ocml_fma_##mode##_##suffix(T, T, T);
VROCM_DECLARE_ROUNDED(float, f32, rtz)
VROCM_DECLARE_ROUNDED(float, f32, rtp)
VROCM_DECLARE_ROUNDED(float, f32, rtn)
VROCM_DECLARE_ROUNDED(double, f64, rtz)
VROCM_DECLARE_ROUNDED(double, f64, rtp)
VROCM_DECLARE_ROUNDED(double, f64, rtn)
#undef VROCM_DECLARE_ROUNDED

__device__ __attribute__((const)) float __ocml_native_sin_f32(float);
__device__ __attribute__((const)) float __ocml_native_cos_f32(float);
__device__ __attribute__((const)) float __ocml_native_exp_f32(float);
__device__ __attribute__((const)) float __ocml_native_exp2_f32(float);
__device__ __attribute__((const)) float __ocml_native_exp10_f32(float);
__device__ __attribute__((const)) float __ocml_native_log_f32(float);
__device__ __attribute__((const)) float __ocml_native_log2_f32(float);
__device__ __attribute__((const)) float __ocml_native_log10_f32(float);

/* Work-items, waves, clocks. */
__device__ __attribute__((const)) __SIZE_TYPE__ __ockl_get_local_id(unsigned);
__device__ __attribute__((const)) __SIZE_TYPE__ __ockl_get_group_id(unsigned);
__device__ __attribute__((const)) __SIZE_TYPE__ __ockl_get_local_size(unsigned);
__device__ __attribute__((const)) __SIZE_TYPE__ __ockl_get_num_groups(unsigned);
__device__ __attribute__((const)) __SIZE_TYPE__ __ockl_get_global_size(unsigned);
__device__ __attribute__((const)) __SIZE_TYPE__ __ockl_get_global_id(unsigned);
__device__ unsigned long __ockl_steadyctr_u64(void);
__device__ unsigned long __ockl_cyclectr_u64(void);

/* Grids. */
__device__ int __ockl_grid_is_valid(void);
__device__ void __ockl_grid_sync(void);
__device__ int __ockl_multi_grid_is_valid(void);
__device__ unsigned __ockl_multi_grid_num_grids(void);
__device__ unsigned __ockl_multi_grid_grid_rank(void);
__device__ unsigned __ockl_multi_grid_size(void);
__device__ unsigned __ockl_multi_grid_thread_rank(void);
__device__ void __ockl_multi_grid_sync(void);

/* Memory and text. */
__device__ unsigned long __ockl_dm_alloc(unsigned long);
__device__ void __ockl_dm_dealloc(unsigned long);

#ifdef __cplusplus
}
#endif

#endif
