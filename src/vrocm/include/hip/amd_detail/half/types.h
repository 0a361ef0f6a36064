/* The types __half and __half2. */
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_HALF_TYPES_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_HALF_TYPES_H

#include <hip/amd_detail/amd_hip_vector_types.h>
#include <hip/amd_detail/half/bits.h>

#include <type_traits>

#if defined(__clang__)
#define VROCM_HAS_FLOAT16 1
typedef _Float16 _Float16_2 __attribute__((ext_vector_type(2)));
#else
#define VROCM_HAS_FLOAT16 0
#endif

struct __half_raw {
#if VROCM_HAS_FLOAT16
    union {
        _Float16 data;
        unsigned short x;
    };
#else
    unsigned short x;
#endif
};

namespace hip_detail {
__host__ __device__ inline __half_raw half_raw(unsigned short bits) {
    __half_raw raw;
    raw.x = bits;
    return raw;
}
template <class T, class R = void>
using if_floating = typename std::enable_if<std::is_floating_point<T>::value, R>::type;
template <class T, class R = void>
using if_whole = typename std::enable_if<std::is_integral<T>::value, R>::type;
}  // namespace hip_detail

struct __half {
#if VROCM_HAS_FLOAT16
    union {
        _Float16 data;
        unsigned short __x;
    };
    __host__ __device__ constexpr __half(const __half_raw& raw) : data(raw.data) {}
#else
    unsigned short __x;
    __half(const __half_raw& raw) : __x(raw.x) {}
#endif
    __half() = default;
    __host__ __device__ operator __half_raw() const { return hip_detail::half_raw(__x); }
    __host__ __device__ operator __half_raw() const volatile { return hip_detail::half_raw(__x); }
    __host__ __device__ __half& operator=(const __half_raw& raw) {
        __x = raw.x;
        return *this;
    }
    __host__ __device__ volatile __half& operator=(const __half_raw& raw) volatile {
        __x = raw.x;
        return *this;
    }

#if !defined(__HIP_NO_HALF_CONVERSIONS__)
#if VROCM_HAS_FLOAT16
    __host__ __device__ __half(_Float16 value) : data(value) {}
    __host__ __device__ operator _Float16() const { return data; }
#endif
    template <class T, hip_detail::if_floating<T>* = nullptr>
    __host__ __device__ __half(T value) : __x(hip_detail::half_bits_from(value)) {}
    template <class T, hip_detail::if_whole<T>* = nullptr, class = void>
    __host__ __device__ __half(T value) : __x(hip_detail::half_bits_from(static_cast<double>(value))) {}
    template <class T, hip_detail::if_floating<T>* = nullptr>
    __host__ __device__ __half& operator=(T value) {
        return *this = __half(value);
    }
    template <class T, hip_detail::if_whole<T>* = nullptr, class = void>
    __host__ __device__ __half& operator=(T value) {
        return *this = __half(value);
    }
    template <class T, hip_detail::if_floating<T>* = nullptr>
    __host__ __device__ operator T() const {
        return hip_detail::float_from_half_bits(__x);
    }
    template <class T, hip_detail::if_whole<T>* = nullptr, class = void>
    __host__ __device__ operator T() const {
        return static_cast<T>(hip_detail::float_from_half_bits(__x));
    }
#endif

#if !defined(__HIP_NO_HALF_OPERATORS__)
    /* On the host by way of float: with 24 bits in between, the double rounding of + - * / does not show. */
#if defined(__HIP_DEVICE_COMPILE__)
#define VROCM_HALF_OPERATOR(op)                                         \
    __host__ __device__ __half& operator op## = (const __half& other) { \
        data = data op other.data;                                      \
        return *this;                                                   \
    }
#else
#define VROCM_HALF_OPERATOR(op)                                                               \
    __host__ __device__ __half& operator op## = (const __half& other) {                       \
        __x = hip_detail::half_bits_from(hip_detail::float_from_half_bits(__x)                \
                                             op hip_detail::float_from_half_bits(other.__x)); \
        return *this;                                                                         \
    }
#endif
    VROCM_HALF_OPERATOR(+)
    VROCM_HALF_OPERATOR(-)
    VROCM_HALF_OPERATOR(*)
    VROCM_HALF_OPERATOR(/)
#undef VROCM_HALF_OPERATOR
    __host__ __device__ __half& operator++() { return *this += __half(hip_detail::half_raw(0x3c00)); }
    __host__ __device__ __half& operator--() { return *this -= __half(hip_detail::half_raw(0x3c00)); }
    __host__ __device__ __half operator++(int) {
        __half before(*this);
        ++*this;
        return before;
    }
    __host__ __device__ __half operator--(int) {
        __half before(*this);
        --*this;
        return before;
    }
    __host__ __device__ __half operator+() const { return *this; }
    __host__ __device__ __half operator-() const { return hip_detail::half_raw(__x ^ 0x8000u); }
    friend inline __host__ __device__ __half operator+(const __half& a, const __half& b) { return __half(a) += b; }
    friend inline __host__ __device__ __half operator-(const __half& a, const __half& b) { return __half(a) -= b; }
    friend inline __host__ __device__ __half operator*(const __half& a, const __half& b) { return __half(a) *= b; }
    friend inline __host__ __device__ __half operator/(const __half& a, const __half& b) { return __half(a) /= b; }
#define VROCM_HALF_COMPARISON(op)                                                                  \
    friend inline __host__ __device__ bool operator op(const __half& a, const __half& b) {         \
        return hip_detail::float_from_half_bits(a.__x) op hip_detail::float_from_half_bits(b.__x); \
    }
    VROCM_HALF_COMPARISON(==)
    VROCM_HALF_COMPARISON(!=)
    VROCM_HALF_COMPARISON(<)
    VROCM_HALF_COMPARISON(<=)
    VROCM_HALF_COMPARISON(>)
    VROCM_HALF_COMPARISON(>=)
#undef VROCM_HALF_COMPARISON
#endif
};

struct __half2_raw {
#if VROCM_HAS_FLOAT16
    union {
        struct {
            __half_raw x, y;
        };
        _Float16_2 data;
    };
#else
    __half_raw x, y;
#endif
};

struct alignas(4) __half2 {
#if VROCM_HAS_FLOAT16
    union {
        struct {
            __half x, y;
        };
        _Float16_2 data;
    };
    __host__ __device__ __half2(_Float16_2 native) : data(native) {}
    __host__ __device__ operator _Float16_2() const { return data; }
#else
    __half x, y;
#endif
    __half2() = default;
    __host__ __device__ constexpr __half2(const __half& low, const __half& high) : x(low), y(high) {}
    __host__ __device__ __half2(const __half2_raw& raw) : x(raw.x), y(raw.y) {}
    __host__ __device__ __half2& operator=(const __half2_raw& raw) {
        x = raw.x;
        y = raw.y;
        return *this;
    }
    __host__ __device__ operator __half2_raw() const {
        __half2_raw raw;
        raw.x = x;
        raw.y = y;
        return raw;
    }

#if !defined(__HIP_NO_HALF_OPERATORS__)
#if defined(__HIP_DEVICE_COMPILE__)
#define VROCM_HALF2_BODY(op) data = data op other.data
#else
#define VROCM_HALF2_BODY(op) x = x op other.x, y = y op other.y
#endif
#define VROCM_HALF2_OPERATOR(op)                                                                \
    __host__ __device__ __half2& operator op## = (const __half2& other) {                       \
        VROCM_HALF2_BODY(op);                                                                   \
        return *this;                                                                           \
    }                                                                                           \
    friend inline __host__ __device__ __half2 operator op(const __half2& a, const __half2& b) { \
        __half2 result(a);                                                                      \
        result.operator op## = (b);                                                             \
        return result;                                                                          \
    }
    VROCM_HALF2_OPERATOR(+)
    VROCM_HALF2_OPERATOR(-)
    VROCM_HALF2_OPERATOR(*)
    VROCM_HALF2_OPERATOR(/)
#undef VROCM_HALF2_OPERATOR
#undef VROCM_HALF2_BODY
    __host__ __device__ __half2& operator++() {
        ++x;
        ++y;
        return *this;
    }
    __host__ __device__ __half2& operator--() {
        --x;
        --y;
        return *this;
    }
    __host__ __device__ __half2 operator++(int) {
        __half2 before(*this);
        ++*this;
        return before;
    }
    __host__ __device__ __half2 operator--(int) {
        __half2 before(*this);
        --*this;
        return before;
    }
    __host__ __device__ __half2 operator+() const { return *this; }
    __host__ __device__ __half2 operator-() const { return __half2(-x, -y); }
    /* True when it is true of both halves. */
#define VROCM_HALF_COMPARISON(op)                                                            \
    friend inline __host__ __device__ bool operator op(const __half2& a, const __half2& b) { \
        return a.x op b.x && a.y op b.y;                                                     \
    }
    VROCM_HALF_COMPARISON(==)
    VROCM_HALF_COMPARISON(<)
    VROCM_HALF_COMPARISON(<=)
    VROCM_HALF_COMPARISON(>)
    VROCM_HALF_COMPARISON(>=)
#undef VROCM_HALF_COMPARISON
    friend inline __host__ __device__ bool operator!=(const __half2& a, const __half2& b) { return !(a == b); }
#endif
};

typedef __half half;
typedef __half2 half2;

#endif
