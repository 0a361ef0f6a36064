/* Device intrinsics that are not atomics, warp operations or math. */
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_DEVICE_FUNCTIONS_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_DEVICE_FUNCTIONS_H

#include <hip/amd_detail/bit_functions.h>
#include <hip/amd_detail/conversion_functions.h>
#include <hip/amd_detail/packed_dot_products.h>
#include <hip/amd_detail/rounded_arithmetic.h>
#include <hip/amd_detail/synchronization_functions.h>
#include <hip/amd_detail/wave_builtins.h>

#endif
