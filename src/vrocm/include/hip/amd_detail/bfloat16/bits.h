/* bfloat16 is the upper half of a float. Conversion between the two, in integers. */
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_BFLOAT16_BITS_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_BFLOAT16_BITS_H

#include <hip/amd_detail/half/bits.h>

namespace hip_detail {

__host__ __device__ inline float float_from_bfloat16_bits(unsigned short bits) {
    return bits_of<float>(static_cast<unsigned int>(bits) << 16);
}
/* To nearest even. A NaN stays one even when only its low bits say so. */
__host__ __device__ inline unsigned short bfloat16_bits_from(float value) {
    const unsigned int bits = bits_of<unsigned int>(value);
    if ((bits & 0x7fffffffu) > 0x7f800000u) return static_cast<unsigned short>((bits >> 16) | 0x40u);
    return static_cast<unsigned short>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}
__host__ __device__ inline unsigned short bfloat16_bits_rounded_to_zero(float value) {
    const unsigned int bits = bits_of<unsigned int>(value);
    if ((bits & 0x7fffffffu) > 0x7f800000u) return static_cast<unsigned short>((bits >> 16) | 0x40u);
    return static_cast<unsigned short>(bits >> 16);
}
/* Away from zero when anything was cut off; `negative` says on which side of zero that is wanted. */
__host__ __device__ inline unsigned short bfloat16_bits_rounded_away(float value, bool negative) {
    const unsigned int bits = bits_of<unsigned int>(value);
    const unsigned short cut = bfloat16_bits_rounded_to_zero(value);
    const bool inexact = (bits & 0xffffu) != 0 && (bits & 0x7f800000u) != 0x7f800000u;
    return static_cast<unsigned short>(cut + (inexact && ((bits >> 31) != 0) == negative));
}
/* From double by way of a float that is rounded to odd: the second rounding then sees what the first one cut off. */
__host__ __device__ inline unsigned short bfloat16_bits_from(double value) {
    float nearest = static_cast<float>(value);
    const double difference = value - static_cast<double>(nearest);
    unsigned int bits = bits_of<unsigned int>(nearest);
    if (difference == difference && difference != 0 && (bits & 0x7f800000u) != 0x7f800000u && (bits & 1u) == 0) {
        const bool away = (difference > 0) == ((bits >> 31) == 0);
        bits = away ? bits + 1 : bits - 1;
        nearest = bits_of<float>(bits);
    }
    return bfloat16_bits_from(nearest);
}

}  // namespace hip_detail

#endif
