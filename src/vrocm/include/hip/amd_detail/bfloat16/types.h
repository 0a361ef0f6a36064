/* The types __hip_bfloat16 and __hip_bfloat162. Arithmetic is done in float. */
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_BFLOAT16_TYPES_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_BFLOAT16_TYPES_H

#include <hip/amd_detail/amd_hip_vector_types.h>
#include <hip/amd_detail/bfloat16/bits.h>

#include <type_traits>

struct __attribute__((aligned(2))) __hip_bfloat16_raw {
    unsigned short x;
};
struct __attribute__((aligned(4))) __hip_bfloat162_raw {
    unsigned short x;
    unsigned short y;
};

namespace hip_detail {
__host__ __device__ inline __hip_bfloat16_raw bfloat16_raw(unsigned short bits) {
    __hip_bfloat16_raw raw = {bits};
    return raw;
}
template <class T>
using if_number = typename std::enable_if<std::is_arithmetic<T>::value>::type;
/* float where it is exact enough, else double. */
template <class T>
using bfloat16_source =
    typename std::conditional<std::is_same<T, float>::value || (std::is_integral<T>::value && sizeof(T) <= 2), float,
                              double>::type;
}  // namespace hip_detail

struct __attribute__((aligned(2))) __hip_bfloat16 {
    unsigned short __x;

    __hip_bfloat16() = default;
    __host__ __device__ constexpr __hip_bfloat16(const __hip_bfloat16_raw& raw) : __x(raw.x) {}
    template <class T, hip_detail::if_number<T>* = nullptr>
    __host__ __device__ __hip_bfloat16(T value)
        : __x(hip_detail::bfloat16_bits_from(static_cast<hip_detail::bfloat16_source<T>>(value))) {}
#if defined(__clang__)
    __host__ __device__ __hip_bfloat16(__bf16 value) : __x(hip_detail::bits_of<unsigned short>(value)) {}
    __host__ __device__ operator __bf16() const { return hip_detail::bits_of<__bf16>(__x); }
#endif
    __host__ __device__ operator __hip_bfloat16_raw() const { return hip_detail::bfloat16_raw(__x); }
    template <class T, hip_detail::if_number<T>* = nullptr>
    __host__ __device__ operator T() const {
        return static_cast<T>(hip_detail::float_from_bfloat16_bits(__x));
    }
    __host__ __device__ __hip_bfloat16& operator=(const __hip_bfloat16_raw& raw) {
        __x = raw.x;
        return *this;
    }
    template <class T, hip_detail::if_number<T>* = nullptr>
    __host__ __device__ __hip_bfloat16& operator=(T value) {
        return *this = __hip_bfloat16(value);
    }

    __host__ __device__ float as_float() const { return hip_detail::float_from_bfloat16_bits(__x); }
#define VROCM_BFLOAT16_OPERATOR(op)                                                                                  \
    __host__ __device__ __hip_bfloat16& operator op## = (const __hip_bfloat16& other) {                              \
        __x = hip_detail::bfloat16_bits_from(as_float() op other.as_float());                                        \
        return *this;                                                                                                \
    }                                                                                                                \
    friend inline __host__ __device__ __hip_bfloat16 operator op(const __hip_bfloat16& a, const __hip_bfloat16& b) { \
        return hip_detail::bfloat16_raw(hip_detail::bfloat16_bits_from(a.as_float() op b.as_float()));               \
    }
    VROCM_BFLOAT16_OPERATOR(+)
    VROCM_BFLOAT16_OPERATOR(-)
    VROCM_BFLOAT16_OPERATOR(*)
    VROCM_BFLOAT16_OPERATOR(/)
#undef VROCM_BFLOAT16_OPERATOR
#define VROCM_BFLOAT16_COMPARISON(op)                                                                      \
    friend inline __host__ __device__ bool operator op(const __hip_bfloat16& a, const __hip_bfloat16& b) { \
        return a.as_float() op b.as_float();                                                               \
    }
    VROCM_BFLOAT16_COMPARISON(==)
    VROCM_BFLOAT16_COMPARISON(!=)
    VROCM_BFLOAT16_COMPARISON(<)
    VROCM_BFLOAT16_COMPARISON(<=)
    VROCM_BFLOAT16_COMPARISON(>)
    VROCM_BFLOAT16_COMPARISON(>=)
#undef VROCM_BFLOAT16_COMPARISON
    __host__ __device__ __hip_bfloat16 operator+() const { return *this; }
    __host__ __device__ __hip_bfloat16 operator-() const { return hip_detail::bfloat16_raw(__x ^ 0x8000u); }
    __host__ __device__ __hip_bfloat16& operator++() { return *this += __hip_bfloat16(1.0f); }
    __host__ __device__ __hip_bfloat16& operator--() { return *this -= __hip_bfloat16(1.0f); }
    __host__ __device__ __hip_bfloat16 operator++(int) {
        const __hip_bfloat16 before(*this);
        ++*this;
        return before;
    }
    __host__ __device__ __hip_bfloat16 operator--(int) {
        const __hip_bfloat16 before(*this);
        --*this;
        return before;
    }
};

struct __attribute__((aligned(4))) __hip_bfloat162 {
    __hip_bfloat16 x;
    __hip_bfloat16 y;

    __hip_bfloat162() = default;
    __host__ __device__ constexpr __hip_bfloat162(const __hip_bfloat16& low, const __hip_bfloat16& high)
        : x(low), y(high) {}
    __host__ __device__ __hip_bfloat162(const __hip_bfloat162_raw& raw)
        : x(hip_detail::bfloat16_raw(raw.x)), y(hip_detail::bfloat16_raw(raw.y)) {}
    __host__ __device__ __hip_bfloat162(const float2 value) : x(value.x), y(value.y) {}
    __host__ __device__ operator __hip_bfloat162_raw() const {
        const __hip_bfloat162_raw raw = {x.__x, y.__x};
        return raw;
    }
    __host__ __device__ operator float2() const { return float2(x.as_float(), y.as_float()); }

#define VROCM_BFLOAT162_OPERATOR(op)                                                          \
    __host__ __device__ __hip_bfloat162& operator op## = (const __hip_bfloat162& other) {     \
        x = x op other.x;                                                                     \
        y = y op other.y;                                                                     \
        return *this;                                                                         \
    }                                                                                         \
    friend inline __host__ __device__ __hip_bfloat162 operator op(const __hip_bfloat162& a,   \
                                                                  const __hip_bfloat162& b) { \
        return __hip_bfloat162(a.x op b.x, a.y op b.y);                                       \
    }
    VROCM_BFLOAT162_OPERATOR(+)
    VROCM_BFLOAT162_OPERATOR(-)
    VROCM_BFLOAT162_OPERATOR(*)
    VROCM_BFLOAT162_OPERATOR(/)
#undef VROCM_BFLOAT162_OPERATOR
#define VROCM_BFLOAT162_COMPARISON(op)                                                                       \
    friend inline __host__ __device__ bool operator op(const __hip_bfloat162& a, const __hip_bfloat162& b) { \
        return a.x op b.x && a.y op b.y;                                                                     \
    }
    VROCM_BFLOAT162_COMPARISON(==)
    VROCM_BFLOAT162_COMPARISON(<)
    VROCM_BFLOAT162_COMPARISON(<=)
    VROCM_BFLOAT162_COMPARISON(>)
    VROCM_BFLOAT162_COMPARISON(>=)
#undef VROCM_BFLOAT162_COMPARISON
    friend inline __host__ __device__ bool operator!=(const __hip_bfloat162& a, const __hip_bfloat162& b) {
        return !(a == b);
    }
    __host__ __device__ __hip_bfloat162 operator+() const { return *this; }
    __host__ __device__ __hip_bfloat162 operator-() const { return __hip_bfloat162(-x, -y); }
    __host__ __device__ __hip_bfloat162& operator++() {
        ++x;
        ++y;
        return *this;
    }
    __host__ __device__ __hip_bfloat162& operator--() {
        --x;
        --y;
        return *this;
    }
};

#endif
