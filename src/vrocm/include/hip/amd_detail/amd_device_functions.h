/* Device intrinsics that are not atomics, warp operations or math. */
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_DEVICE_FUNCTIONS_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_DEVICE_FUNCTIONS_H

#include <hip/amd_detail/device/bit_functions.h>
#include <hip/amd_detail/device/conversion_functions.h>
#include <hip/amd_detail/device/packed_dot_products.h>
#include <hip/amd_detail/device/rounded_arithmetic.h>
#include <hip/amd_detail/device/synchronization_functions.h>
#include <hip/amd_detail/device/wave_builtins.h>

#endif
