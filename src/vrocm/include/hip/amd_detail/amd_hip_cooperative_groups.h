#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_HIP_COOPERATIVE_GROUPS_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_HIP_COOPERATIVE_GROUPS_H
#pragma GCC system_header

#include <hip/amd_detail/cooperative_groups/grid.h>
#include <hip/amd_detail/cooperative_groups/tile.h>
#include <hip/amd_detail/amd_hip_cooperative_groups_reduce.h>

#endif
