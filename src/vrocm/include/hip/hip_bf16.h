/* bfloat16: __hip_bfloat16, __hip_bfloat162 and their functions, on host and device. */
#ifndef HIP_INCLUDE_HIP_HIP_BF16_H
#define HIP_INCLUDE_HIP_HIP_BF16_H

#include <hip/hip_common.h>
#include <hip/amd_detail/amd_hip_bf16.h>

#endif
