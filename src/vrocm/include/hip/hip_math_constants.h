/* Constants for numeric code, in single and double precision. */
#ifndef HIP_INCLUDE_HIP_HIP_MATH_CONSTANTS_H
#define HIP_INCLUDE_HIP_HIP_MATH_CONSTANTS_H

#include <hip/amd_detail/amd_hip_math_constants.h>

#endif
