/* Lanes of a wave: who am I, who is active, and the hardware's data movement between lanes. */
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_WAVE_BUILTINS_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_WAVE_BUILTINS_H

#include <vrocm/device/library_functions.h>

VROCM_DEVICE unsigned int __lane_id() { return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0)); }
VROCM_DEVICE unsigned int __mbcnt_lo(unsigned int mask, unsigned int add) {
    return __builtin_amdgcn_mbcnt_lo(mask, add);
}
VROCM_DEVICE unsigned int __mbcnt_hi(unsigned int mask, unsigned int add) {
    return __builtin_amdgcn_mbcnt_hi(mask, add);
}
VROCM_DEVICE unsigned long long __lanemask_eq() { return 1ull << __lane_id(); }
VROCM_DEVICE unsigned long long __lanemask_lt() { return (1ull << __lane_id()) - 1; }
VROCM_DEVICE_EXTRA unsigned long long __lanemask_le() { return (2ull << __lane_id()) - 1; }
VROCM_DEVICE unsigned long long __lanemask_gt() { return ~((2ull << __lane_id()) - 1); }
VROCM_DEVICE_EXTRA unsigned long long __lanemask_ge() { return ~__lanemask_lt(); }

VROCM_DEVICE int __hip_ds_bpermute(int index, int source) { return __builtin_amdgcn_ds_bpermute(index, source); }
VROCM_DEVICE float __hip_ds_bpermutef(int index, float source) {
    return __builtin_bit_cast(float, __builtin_amdgcn_ds_bpermute(index, __builtin_bit_cast(int, source)));
}
VROCM_DEVICE int __hip_ds_permute(int index, int source) { return __builtin_amdgcn_ds_permute(index, source); }
VROCM_DEVICE float __hip_ds_permutef(int index, float source) {
    return __builtin_bit_cast(float, __builtin_amdgcn_ds_permute(index, __builtin_bit_cast(int, source)));
}
#define __hip_ds_swizzle(source, pattern) __hip_ds_swizzle_N<(pattern)>((source))
#define __hip_ds_swizzlef(source, pattern) __hip_ds_swizzlef_N<(pattern)>((source))
template <int pattern>
VROCM_DEVICE int __hip_ds_swizzle_N(int source) {
    return __builtin_amdgcn_ds_swizzle(source, pattern);
}
template <int pattern>
VROCM_DEVICE float __hip_ds_swizzlef_N(float source) {
    return __builtin_bit_cast(float, __builtin_amdgcn_ds_swizzle(__builtin_bit_cast(int, source), pattern));
}
#define __hip_move_dpp(source, control, row_mask, bank_mask, bound_control) \
    __hip_move_dpp_N<(control), (row_mask), (bank_mask), (bound_control)>((source))
template <int control, int row_mask, int bank_mask, bool bound_control>
VROCM_DEVICE int __hip_move_dpp_N(int source) {
    return __builtin_amdgcn_mov_dpp(source, control, row_mask, bank_mask, bound_control);
}
VROCM_DEVICE_EXTRA int __hip_readlane(int source, int lane) { return __builtin_amdgcn_readlane(source, lane); }
VROCM_DEVICE int __hip_readfirstlane(int source) { return __builtin_amdgcn_readfirstlane(source); }

#endif
