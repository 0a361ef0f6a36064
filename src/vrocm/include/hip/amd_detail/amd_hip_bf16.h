#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_HIP_BF16_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_HIP_BF16_H
#pragma GCC system_header

#include <hip/amd_detail/bfloat16/types.h>
#include <hip/amd_detail/bfloat16/conversions.h>
#include <hip/amd_detail/bfloat16/arithmetic.h>
#if defined(__HIP__)
#include <hip/amd_detail/bfloat16/device_functions.h>
#endif

#endif
