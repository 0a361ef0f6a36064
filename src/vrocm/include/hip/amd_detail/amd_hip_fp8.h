#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_HIP_FP8_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_HIP_FP8_H
#pragma GCC system_header

#include <hip/amd_detail/amd_hip_bf16.h>
#include <hip/amd_detail/amd_hip_fp16.h>
#include <hip/amd_detail/fp8/conversions.h>
#include <hip/amd_detail/fp8/types.h>

/* What the target has instructions for. Both forms work everywhere; the other one is converted in integers. */
#define HIP_FP8_TYPE_FNUZ 1
#if defined(__HIP_DEVICE_COMPILE__)
#define HIP_FP8_TYPE_OCP 0
#else
#define HIP_FP8_TYPE_OCP 1
#endif
#if defined(__gfx942__)
#define HIP_FP8_CVT_FAST_PATH 1
#else
#define HIP_FP8_CVT_FAST_PATH 0
#endif

#endif
