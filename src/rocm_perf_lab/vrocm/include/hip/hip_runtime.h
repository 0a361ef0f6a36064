/* The HIP language and runtime: what a HIP program includes first. */
#ifndef HIP_INCLUDE_HIP_HIP_RUNTIME_H
#define HIP_INCLUDE_HIP_HIP_RUNTIME_H

#if !defined(__HIPCC_RTC__)
#if defined(__cplusplus)
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#else
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#endif
#endif

#include <hip/hip_common.h>
#include <hip/hip_version.h>

#include <hip/amd_detail/amd_hip_runtime.h>

#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime_api.h>
#include <hip/library_types.h>
#endif
#include <hip/hip_vector_types.h>

#endif
