/* Another name of hip_bfloat16.h. */
#ifndef HIP_AMD_DETAIL_AMD_HIP_BFLOAT16_H
#define HIP_AMD_DETAIL_AMD_HIP_BFLOAT16_H

#include <hip/hip_bfloat16.h>

#endif
