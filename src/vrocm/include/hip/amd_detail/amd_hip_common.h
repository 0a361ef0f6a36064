/* Another name of hip_common.h. */
#ifndef HIP_AMD_DETAIL_AMD_HIP_COMMON_H
#define HIP_AMD_DETAIL_AMD_HIP_COMMON_H

#include <hip/hip_common.h>

#endif
