/* The host API of HIP, as ROCm 7 defines it. Compiles as C and as C++ with any compiler; device code
 * lives in hip/hip_runtime.h, which includes this. Every function declared here is implemented: a name
 * that is missing is refused by the compiler, not at run time. */
#ifndef HIP_INCLUDE_HIP_HIP_RUNTIME_API_H
#define HIP_INCLUDE_HIP_HIP_RUNTIME_API_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <hip/hip_common.h>
#include <hip/hip_version.h>

#include <hip/amd_detail/host_defines.h>
#include <hip/amd_detail/api/errors.h>
#include <hip/amd_detail/api/device_types.h>
#include <hip/driver_types.h>
#include <hip/linker_types.h>
#include <hip/surface_types.h>
#include <hip/texture_types.h>
#include <hip/amd_detail/api/types.h>
#include <hip/amd_detail/api/external_types.h>
#include <hip/amd_detail/api/graph_types.h>

/* Default arguments exist in C++ only. */
#ifdef __cplusplus
#define __dparm(x) = x
#else
#define __dparm(x)
#endif
#if defined(HIP_ABI_IMPL)
#define HIP_DEPRECATED(msg)
#else
#define HIP_DEPRECATED(msg) __attribute__((deprecated(msg)))
#endif
#define HIP_DEPRECATED_MSG "this HIP function is deprecated"
#ifndef DEPRECATED
#define DEPRECATED(msg) HIP_DEPRECATED(msg)
#define DEPRECATED_MSG HIP_DEPRECATED_MSG
#endif

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

#include <hip/amd_detail/api/device.inc>
#include <hip/amd_detail/api/memory.inc>
#include <hip/amd_detail/api/stream.inc>
#include <hip/amd_detail/api/module.inc>
#include <hip/amd_detail/api/graph.inc>
#include <hip/amd_detail/api/external.inc>
#include <hip/amd_detail/api/texture.inc>
#include <hip/amd_detail/api/per_thread.inc>

#ifdef __cplusplus
}
#include <hip/amd_detail/api/cxx.h>
#endif
#pragma GCC visibility pop

#endif
