/* The device side of HIP: thread coordinates, launches, intrinsics, atomics, textures. */
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_HIP_RUNTIME_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_HIP_RUNTIME_H
#pragma GCC system_header

#include <hip/hip_common.h>
#include <hip/amd_detail/host_defines.h>

#ifndef __align__
#define __align__(bytes) __attribute__((aligned(bytes)))
#endif
#ifndef __grid_constant__
#define __grid_constant__
#endif

/* gfx9: 64 lanes. Newer compilers do not define the macros any more. */
#ifndef __AMDGCN_WAVEFRONT_SIZE
#define __AMDGCN_WAVEFRONT_SIZE 64
#endif
#ifndef __AMDGCN_WAVEFRONT_SIZE__
#define __AMDGCN_WAVEFRONT_SIZE__ 64
#endif

#include <hip/amd_detail/amd_hip_vector_types.h>
#include <hip/amd_detail/launch/dim3.h>
#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime_api.h>
#endif

#if defined(__HIP__) && defined(__cplusplus)

static constexpr int warpSize = __AMDGCN_WAVEFRONT_SIZE;

#include <hip/amd_detail/launch/kernel_launch.h>
#include <hip/amd_detail/device/thread_coordinates.h>

#include <hip/amd_detail/amd_device_functions.h>
#include <hip/amd_detail/amd_hip_atomic.h>
#include <hip/amd_detail/amd_math_functions.h>
#include <hip/amd_detail/amd_surface_functions.h>
#include <hip/amd_detail/amd_warp_functions.h>
#include <hip/amd_detail/amd_warp_sync_functions.h>
#include <hip/amd_detail/hip_ldg.h>
#include <hip/amd_detail/texture_fetch_functions.h>
#include <hip/amd_detail/texture_indirect_functions.h>

#endif
#endif
