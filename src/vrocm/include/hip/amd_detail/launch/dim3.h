/* dim3: the only type that host API declarations and device code both need by value. */
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_DIM3_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_DIM3_H

#include <hip/amd_detail/host_defines.h>
#if !defined(__HIPCC_RTC__)
#include <stdint.h>
#endif

typedef struct dim3 {
    uint32_t x;
    uint32_t y;
    uint32_t z;
#ifdef __cplusplus
    constexpr __host__ __device__ dim3(uint32_t x_ = 1, uint32_t y_ = 1, uint32_t z_ = 1) : x(x_), y(y_), z(z_) {}
#endif
} dim3;

#endif
