/* 8-bit floating point: E4M3 and E5M2, in the FNUZ form of gfx942 and in the OCP form. */
#ifndef HIP_INCLUDE_HIP_HIP_FP8_H
#define HIP_INCLUDE_HIP_HIP_FP8_H

#include <hip/hip_common.h>
#include <hip/amd_detail/amd_hip_fp8.h>

#endif
