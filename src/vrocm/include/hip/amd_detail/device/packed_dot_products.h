/* amd_mixed_dot: dot products of packed numbers added to a wider one; `saturate` clamps the sum. */
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_PACKED_DOT_PRODUCTS_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_PACKED_DOT_PRODUCTS_H

#include <hip/amd_detail/amd_hip_vector_types.h>
#include <vrocm/device/library_functions.h>

/* The instructions take the clamp as a constant. */
#define VROCM_DOT(builtin, a, b, c, saturate) ((saturate) ? builtin(a, b, c, true) : builtin(a, b, c, false))

VROCM_DEVICE int amd_mixed_dot(short2 a, short2 b, int c, bool saturate) {
    return VROCM_DOT(__builtin_amdgcn_sdot2, a.data, b.data, c, saturate);
}
VROCM_DEVICE unsigned int amd_mixed_dot(ushort2 a, ushort2 b, unsigned int c, bool saturate) {
    return VROCM_DOT(__builtin_amdgcn_udot2, a.data, b.data, c, saturate);
}
VROCM_DEVICE int amd_mixed_dot(char4 a, char4 b, int c, bool saturate) {
    return VROCM_DOT(__builtin_amdgcn_sdot4, __builtin_bit_cast(int, a), __builtin_bit_cast(int, b), c, saturate);
}
VROCM_DEVICE unsigned int amd_mixed_dot(uchar4 a, uchar4 b, unsigned int c, bool saturate) {
    return VROCM_DOT(__builtin_amdgcn_udot4, __builtin_bit_cast(unsigned, a), __builtin_bit_cast(unsigned, b), c,
                     saturate);
}
/* Eight numbers of four bits in each argument. */
VROCM_DEVICE int amd_mixed_dot(int a, int b, int c, bool saturate) {
    return VROCM_DOT(__builtin_amdgcn_sdot8, a, b, c, saturate);
}
VROCM_DEVICE unsigned int amd_mixed_dot(unsigned int a, unsigned int b, unsigned int c, bool saturate) {
    return VROCM_DOT(__builtin_amdgcn_udot8, a, b, c, saturate);
}
#undef VROCM_DOT

#endif
