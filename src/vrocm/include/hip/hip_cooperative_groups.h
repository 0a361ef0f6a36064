/* Cooperative groups: named sets of threads that synchronise and exchange values. */
#ifndef HIP_INCLUDE_HIP_HIP_COOPERATIVE_GROUPS_H
#define HIP_INCLUDE_HIP_HIP_COOPERATIVE_GROUPS_H

#include <hip/hip_runtime.h>
#include <hip/hip_version.h>

#if defined(__cplusplus) && defined(__HIP__)
#include <hip/amd_detail/amd_hip_cooperative_groups.h>
#endif

#endif
