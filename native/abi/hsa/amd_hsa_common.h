/* Helpers for AMD's bit-field enumerations. */
#ifndef AMD_HSA_COMMON_H
#define AMD_HSA_COMMON_H

#include <stddef.h>
#include <stdint.h>

#define AMD_HSA_ABI_VERSION "AMD GPU Architecture v0.35 (June 25, 2015)"

#ifndef __ALIGNED__
#define __ALIGNED__(x) __attribute__((aligned(x)))
#endif

/* NAME is the mask in place; NAME_SHIFT and NAME_WIDTH describe it. */
#define AMD_HSA_BITS_CREATE_ENUM_ENTRIES(name, shift, width) \
    name##_SHIFT = (shift), name##_WIDTH = (width), name = (int)(((1u << (width)) - 1u) << (shift))
#define AMD_HSA_BITS_GET(src, mask) (((src) & (mask)) >> mask##_SHIFT)
#define AMD_HSA_BITS_SET(dst, mask, val) \
    (dst) &= ~(mask);                    \
    (dst) |= (((val) << mask##_SHIFT) & (mask))

#endif
