/* The HIP language and runtime: what a HIP program includes first. */
#ifndef HIP_INCLUDE_HIP_HIP_RUNTIME_H
#define HIP_INCLUDE_HIP_HIP_RUNTIME_H

#if !defined(__HIPCC_RTC__)
/* Programs have come to rely on these arriving with this header, <thread> and what it brings included. */
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(__cplusplus)
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <limits>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>
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
