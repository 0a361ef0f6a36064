#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_HIP_FP16_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_HIP_FP16_H
#pragma GCC system_header

#if defined(__cplusplus)
#include <hip/amd_detail/half/types.h>
#include <hip/amd_detail/half/conversions.h>
#include <hip/amd_detail/half/arithmetic.h>
#if defined(__HIP__)
#include <hip/amd_detail/hip_fp16_math_fwd.h>
#include <hip/amd_detail/half/device_functions.h>
#endif
#else
/* In C there is the storage only. */
typedef struct {
    unsigned short x;
} __half_raw;
typedef struct {
    unsigned short x, y;
} __half2_raw;
typedef __half_raw __half;
typedef __half2_raw __half2;
#endif

#endif
