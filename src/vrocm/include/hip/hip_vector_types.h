/* Vector types of the HIP language: float4 and its relatives, dim3. */
#ifndef HIP_INCLUDE_HIP_HIP_VECTOR_TYPES_H
#define HIP_INCLUDE_HIP_HIP_VECTOR_TYPES_H

#include <hip/amd_detail/amd_hip_vector_types.h>
#include <hip/amd_detail/launch/dim3.h>

#endif
