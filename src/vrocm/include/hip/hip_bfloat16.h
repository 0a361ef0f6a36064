/* The older bfloat16 type, hip_bfloat16. New code uses hip_bf16.h. */
#ifndef HIP_INCLUDE_HIP_HIP_BFLOAT16_H
#define HIP_INCLUDE_HIP_HIP_BFLOAT16_H

#include <hip/hip_common.h>
#include <hip/amd_detail/host_defines.h>
#include <stdint.h>

#if !defined(__cplusplus) || __cplusplus < 201103L

typedef struct {
    uint16_t data;
} hip_bfloat16;

#else

#include <hip/amd_detail/bfloat16/bits.h>

#include <cmath>
#include <cstddef>
#include <ostream>
#include <type_traits>

struct hip_bfloat16 {
    uint16_t data;

    enum truncate_t { truncate };

    hip_bfloat16() = default;
    explicit __host__ __device__ hip_bfloat16(float value) : data(hip_detail::bfloat16_bits_from(value)) {}
    explicit __host__ __device__ hip_bfloat16(float value, truncate_t)
        : data(hip_detail::bfloat16_bits_rounded_to_zero(value)) {}
    __host__ __device__ operator float() const { return hip_detail::float_from_bfloat16_bits(data); }
    __host__ __device__ hip_bfloat16& operator=(const float& value) {
        data = hip_detail::bfloat16_bits_from(value);
        return *this;
    }
    static __host__ __device__ hip_bfloat16 round_to_bfloat16(float value) { return hip_bfloat16(value); }
    static __host__ __device__ hip_bfloat16 round_to_bfloat16(float value, truncate_t) {
        return hip_bfloat16(value, truncate);
    }
};
static_assert(std::is_trivial<hip_bfloat16>::value && sizeof(hip_bfloat16) == 2, "hip_bfloat16 is two plain bytes");

#define VROCM_BFLOAT16_OPERATOR(op)                                                               \
    inline __host__ __device__ hip_bfloat16 operator op(hip_bfloat16 a, hip_bfloat16 b) {         \
        return hip_bfloat16(static_cast<float>(a) op static_cast<float>(b));                      \
    }                                                                                             \
    inline __host__ __device__ hip_bfloat16& operator op## = (hip_bfloat16 & a, hip_bfloat16 b) { \
        return a = hip_bfloat16(static_cast<float>(a) op static_cast<float>(b));                  \
    }
VROCM_BFLOAT16_OPERATOR(+)
VROCM_BFLOAT16_OPERATOR(-)
VROCM_BFLOAT16_OPERATOR(*)
VROCM_BFLOAT16_OPERATOR(/)
#undef VROCM_BFLOAT16_OPERATOR
#define VROCM_BFLOAT16_COMPARISON(op)                                             \
    inline __host__ __device__ bool operator op(hip_bfloat16 a, hip_bfloat16 b) { \
        return static_cast<float>(a) op static_cast<float>(b);                    \
    }
VROCM_BFLOAT16_COMPARISON(==)
VROCM_BFLOAT16_COMPARISON(!=)
VROCM_BFLOAT16_COMPARISON(<)
VROCM_BFLOAT16_COMPARISON(<=)
VROCM_BFLOAT16_COMPARISON(>)
VROCM_BFLOAT16_COMPARISON(>=)
#undef VROCM_BFLOAT16_COMPARISON
inline __host__ __device__ hip_bfloat16 operator+(hip_bfloat16 a) { return a; }
inline __host__ __device__ hip_bfloat16 operator-(hip_bfloat16 a) {
    a.data ^= 0x8000u;
    return a;
}
inline __host__ __device__ hip_bfloat16& operator++(hip_bfloat16& a) { return a += hip_bfloat16(1.0f); }
inline __host__ __device__ hip_bfloat16& operator--(hip_bfloat16& a) { return a -= hip_bfloat16(1.0f); }
inline __host__ __device__ hip_bfloat16 operator++(hip_bfloat16& a, int) {
    const hip_bfloat16 before = a;
    ++a;
    return before;
}
inline __host__ __device__ hip_bfloat16 operator--(hip_bfloat16& a, int) {
    const hip_bfloat16 before = a;
    --a;
    return before;
}
inline std::ostream& operator<<(std::ostream& stream, const hip_bfloat16& value) {
    return stream << static_cast<float>(value);
}

namespace std {
inline __host__ __device__ bool isinf(hip_bfloat16 x) { return (x.data & 0x7fffu) == 0x7f80u; }
inline __host__ __device__ bool isnan(hip_bfloat16 x) { return (x.data & 0x7fffu) > 0x7f80u; }
inline __host__ __device__ bool iszero(hip_bfloat16 x) { return (x.data & 0x7fffu) == 0; }
}  // namespace std

#endif
#endif
