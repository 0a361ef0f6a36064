/* The classes of 8-bit floating-point numbers, alone, in pairs and in fours. Constructors round and saturate. */
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_FP8_TYPES_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_FP8_TYPES_H

#include <hip/amd_detail/fp8/conversions.h>

#define VROCM_FP8(name, format, exponent_bits, mantissa_bits)                                                          \
    struct __hip_fp8_##name {                                                                                          \
        __hip_fp8_storage_t __x;                                                                                       \
        static constexpr __hip_saturation_t __default_saturation = __HIP_SATFINITE;                                    \
        static constexpr __hip_fp8_interpretation_t __default_interpret = format;                                      \
        static constexpr unsigned int __we = exponent_bits;                                                            \
        static constexpr unsigned int __wm = mantissa_bits;                                                            \
        __hip_fp8_##name() = default;                                                                                  \
        template <class T, hip_detail::if_number<T>* = nullptr>                                                        \
        __host__ __device__ __hip_fp8_##name(T value)                                                                  \
            : __x(std::is_same<T, float>::value                                                                        \
                      ? hip_detail::fp8_from_float(static_cast<float>(value), true, format)                            \
                      : hip_detail::fp8_from_double(static_cast<double>(value), true, format)) {}                      \
        __host__ __device__ __hip_fp8_##name(const __half value)                                                       \
            : __x(hip_detail::fp8_from_float(__half2float(value), true, format)) {}                                    \
        __host__ __device__ __hip_fp8_##name(const __hip_bfloat16 value)                                               \
            : __x(hip_detail::fp8_from_float(value.as_float(), true, format)) {}                                       \
        __host__ __device__ operator float() const { return hip_detail::float_from_fp8_fast(__x, format); }            \
        __host__ __device__ explicit operator __half() const { return __float2half(float(*this)); }                    \
        __host__ __device__ explicit operator __hip_bfloat16() const { return __float2bfloat16(float(*this)); }        \
    };                                                                                                                 \
    struct __hip_fp8x2_##name {                                                                                        \
        __hip_fp8x2_storage_t __x;                                                                                     \
        static constexpr __hip_saturation_t __default_saturation = __HIP_SATFINITE;                                    \
        static constexpr __hip_fp8_interpretation_t __default_interpret = format;                                      \
        __hip_fp8x2_##name() = default;                                                                                \
        __host__ __device__ __hip_fp8x2_##name(const float2 v)                                                         \
            : __x(__hip_cvt_float2_to_fp8x2(v, __HIP_SATFINITE, format)) {}                                            \
        __host__ __device__ __hip_fp8x2_##name(const double2 v)                                                        \
            : __x(__hip_cvt_double2_to_fp8x2(v, __HIP_SATFINITE, format)) {}                                           \
        __host__ __device__ __hip_fp8x2_##name(const __half2 v)                                                        \
            : __x(__hip_cvt_halfraw2_to_fp8x2(v, __HIP_SATFINITE, format)) {}                                          \
        __host__ __device__ __hip_fp8x2_##name(const __hip_bfloat162 v)                                                \
            : __x(__hip_cvt_bfloat16raw2_to_fp8x2(v, __HIP_SATFINITE, format)) {}                                      \
        __host__ __device__ operator float2() const {                                                                  \
            return float2(hip_detail::float_from_fp8_fast(static_cast<__hip_fp8_storage_t>(__x), format),              \
                          hip_detail::float_from_fp8_fast(static_cast<__hip_fp8_storage_t>(__x >> 8), format));        \
        }                                                                                                              \
        __host__ __device__ explicit operator __half2() const { return __float22half2_rn(float2(*this)); }             \
        __host__ __device__ explicit operator __hip_bfloat162() const { return __float22bfloat162_rn(float2(*this)); } \
    };                                                                                                                 \
    struct __hip_fp8x4_##name {                                                                                        \
        __hip_fp8x4_storage_t __x;                                                                                     \
        static constexpr __hip_saturation_t __default_saturation = __HIP_SATFINITE;                                    \
        static constexpr __hip_fp8_interpretation_t __default_interpret = format;                                      \
        __hip_fp8x4_##name() = default;                                                                                \
        __host__ __device__ __hip_fp8x4_##name(const float4 v)                                                         \
            : __x(__hip_cvt_float2_to_fp8x2(float2(v.x, v.y), __HIP_SATFINITE, format) |                               \
                  (static_cast<unsigned int>(__hip_cvt_float2_to_fp8x2(float2(v.z, v.w), __HIP_SATFINITE, format))     \
                   << 16)) {}                                                                                          \
        __host__ __device__ __hip_fp8x4_##name(const double4 v)                                                        \
            : __x(__hip_cvt_double2_to_fp8x2(double2(v.x, v.y), __HIP_SATFINITE, format) |                             \
                  (static_cast<unsigned int>(__hip_cvt_double2_to_fp8x2(double2(v.z, v.w), __HIP_SATFINITE, format))   \
                   << 16)) {}                                                                                          \
        __host__ __device__ __hip_fp8x4_##name(const __half2 low, const __half2 high)                                  \
            : __x(__hip_cvt_halfraw2_to_fp8x2(low, __HIP_SATFINITE, format) |                                          \
                  (static_cast<unsigned int>(__hip_cvt_halfraw2_to_fp8x2(high, __HIP_SATFINITE, format)) << 16)) {}    \
        __host__ __device__ __hip_fp8x4_##name(const __hip_bfloat162 low, const __hip_bfloat162 high)                  \
            : __x(__hip_cvt_bfloat16raw2_to_fp8x2(low, __HIP_SATFINITE, format) |                                      \
                  (static_cast<unsigned int>(__hip_cvt_bfloat16raw2_to_fp8x2(high, __HIP_SATFINITE, format)) << 16)) { \
        }                                                                                                              \
        __host__ __device__ operator float4() const {                                                                  \
            return float4(hip_detail::float_from_fp8_fast(static_cast<__hip_fp8_storage_t>(__x), format),              \
                          hip_detail::float_from_fp8_fast(static_cast<__hip_fp8_storage_t>(__x >> 8), format),         \
                          hip_detail::float_from_fp8_fast(static_cast<__hip_fp8_storage_t>(__x >> 16), format),        \
                          hip_detail::float_from_fp8_fast(static_cast<__hip_fp8_storage_t>(__x >> 24), format));       \
        }                                                                                                              \
    };
VROCM_FP8(e4m3_fnuz, __HIP_E4M3_FNUZ, 4, 3)
VROCM_FP8(e5m2_fnuz, __HIP_E5M2_FNUZ, 5, 2)
VROCM_FP8(e4m3, __HIP_E4M3, 4, 3)
VROCM_FP8(e5m2, __HIP_E5M2, 5, 2)
#undef VROCM_FP8

#endif
