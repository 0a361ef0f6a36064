/* Conversion between binary16 bits and wider formats, in integers: for compilers and hosts without _Float16. */
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_HALF_BITS_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_HALF_BITS_H

#include <hip/amd_detail/host_defines.h>
#include <string.h>

namespace hip_detail {

template <class To, class From>
__host__ __device__ inline To bits_of(From from) {
    static_assert(sizeof(To) == sizeof(From), "same size");
    To to;
#if defined(__clang__)
    __builtin_memcpy(&to, &from, sizeof(to));
#else
    memcpy(&to, &from, sizeof(to));
#endif
    return to;
}

/* Round to nearest, ties to even. `keep` has the bits above the cut, `rest` those below, `half` is half of a unit. */
__host__ __device__ inline unsigned long long round_to_even(unsigned long long keep, unsigned long long rest,
                                                            unsigned long long half) {
    return keep + (rest > half || (rest == half && (keep & 1)));
}

__host__ __device__ inline unsigned short half_bits_from_double_in_integers(double value) {
    const unsigned long long bits = bits_of<unsigned long long>(value);
    const unsigned short sign = static_cast<unsigned short>((bits >> 48) & 0x8000u);
    const int exponent = static_cast<int>((bits >> 52) & 0x7ff) - 1023;
    const unsigned long long mantissa = bits & 0xfffffffffffffull;
    if (exponent == 1024) {
        if (mantissa == 0) return sign | 0x7c00u;
        return static_cast<unsigned short>(sign | 0x7e00u | (mantissa >> 42)); /* a quiet NaN keeps its top bits */
    }
    if (exponent > 15) return sign | 0x7c00u;
    if (exponent < -25) return sign;
    /* 10 bits of fraction stay; below 2^-14 one fewer for each power of two. */
    const int cut = exponent >= -14 ? 42 : 42 + (-14 - exponent);
    const unsigned long long whole = mantissa | (1ull << 52);
    const unsigned long long magnitude = round_to_even(whole >> cut, whole & ((1ull << cut) - 1), 1ull << (cut - 1));
    /* The leading one adds 1 to the exponent field; a carry moves up to the next power of two, or to infinity. */
    const unsigned long long exponent_field =
        exponent >= -14 ? static_cast<unsigned long long>(exponent + 14) << 10 : 0;
    return static_cast<unsigned short>(sign | (exponent_field + magnitude));
}

__host__ __device__ inline float float_from_half_bits_in_integers(unsigned short bits) {
    const unsigned int sign = (bits & 0x8000u) << 16;
    const unsigned int exponent = (bits >> 10) & 0x1f;
    const unsigned int mantissa = bits & 0x3ffu;
    if (exponent == 31) return bits_of<float>(sign | 0x7f800000u | (mantissa << 13));
    if (exponent != 0) return bits_of<float>(sign | ((exponent + 112) << 23) | (mantissa << 13));
    const float magnitude = static_cast<float>(mantissa) * 5.9604644775390625e-8f; /* 2^-24: exact */
    return bits_of<float>(sign | bits_of<unsigned int>(magnitude));
}

#if defined(__HIP_DEVICE_COMPILE__)
__host__ __device__ inline float float_from_half_bits(unsigned short bits) {
    return static_cast<float>(__builtin_bit_cast(_Float16, bits));
}
__host__ __device__ inline unsigned short half_bits_from(float value) {
    return __builtin_bit_cast(unsigned short, static_cast<_Float16>(value));
}
__host__ __device__ inline unsigned short half_bits_from(double value) {
    return __builtin_bit_cast(unsigned short, static_cast<_Float16>(value));
}
#else
__host__ __device__ inline float float_from_half_bits(unsigned short bits) {
    return float_from_half_bits_in_integers(bits);
}
__host__ __device__ inline unsigned short half_bits_from(float value) {
    return half_bits_from_double_in_integers(value);
}
__host__ __device__ inline unsigned short half_bits_from(double value) {
    return half_bits_from_double_in_integers(value);
}
#endif

/* Next binary16 value towards minus or plus infinity. */
__host__ __device__ inline unsigned short half_bits_below(unsigned short bits) {
    if ((bits & 0x7fffu) > 0x7c00u || bits == 0xfc00u) return bits;
    if ((bits & 0x7fffu) == 0) return 0x8001u;
    return static_cast<unsigned short>(bits & 0x8000u ? bits + 1 : bits - 1);
}
__host__ __device__ inline unsigned short half_bits_above(unsigned short bits) {
    return static_cast<unsigned short>(half_bits_below(bits ^ 0x8000u) ^ 0x8000u);
}
/* Rounded down, up and towards zero: to nearest first, then one step back if that overshot. */
template <class T>
__host__ __device__ inline unsigned short half_bits_rounded_down(T value) {
    const unsigned short nearest = half_bits_from(value);
    return static_cast<T>(float_from_half_bits(nearest)) > value ? half_bits_below(nearest) : nearest;
}
template <class T>
__host__ __device__ inline unsigned short half_bits_rounded_up(T value) {
    const unsigned short nearest = half_bits_from(value);
    return static_cast<T>(float_from_half_bits(nearest)) < value ? half_bits_above(nearest) : nearest;
}
template <class T>
__host__ __device__ inline unsigned short half_bits_rounded_to_zero(T value) {
    return value < 0 ? half_bits_rounded_up(value) : half_bits_rounded_down(value);
}

}  // namespace hip_detail

#endif
