/* Kept for programs that name it. */
#ifndef HIP_AMD_DETAIL_HIP_COOPERATIVE_GROUPS_HELPER_H
#define HIP_AMD_DETAIL_HIP_COOPERATIVE_GROUPS_HELPER_H

#include <hip/amd_detail/cooperative_groups/grid.h>

#endif
