/* Element-wise operators of vector types.
 *
 * All are free templates: a program's own `float4 operator+(float4, float4)` is the better match and is taken.
 */
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_VECTOR_OPERATORS_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_VECTOR_OPERATORS_H

#include <hip/amd_detail/vector/storage.h>

namespace hip_detail {

/* Applies a function object to each element, or to each pair of elements. */
template <unsigned int n>
struct for_elements;
template <>
struct for_elements<1> {
    template <class T, class F>
    static __host__ __device__ constexpr HIP_vector_type<T, 1> apply(F f, HIP_vector_type<T, 1> a,
                                                                     HIP_vector_type<T, 1> b) {
        return HIP_vector_type<T, 1>(f(a.x, b.x));
    }
    template <class T>
    static __host__ __device__ constexpr bool equal(const HIP_vector_type<T, 1>& a, const HIP_vector_type<T, 1>& b) {
        return a.x == b.x;
    }
};
template <>
struct for_elements<2> {
    template <class T, class F>
    static __host__ __device__ constexpr HIP_vector_type<T, 2> apply(F f, HIP_vector_type<T, 2> a,
                                                                     HIP_vector_type<T, 2> b) {
        return HIP_vector_type<T, 2>(f(a.x, b.x), f(a.y, b.y));
    }
    template <class T>
    static __host__ __device__ constexpr bool equal(const HIP_vector_type<T, 2>& a, const HIP_vector_type<T, 2>& b) {
        return a.x == b.x && a.y == b.y;
    }
};
template <>
struct for_elements<3> {
    template <class T, class F>
    static __host__ __device__ constexpr HIP_vector_type<T, 3> apply(F f, HIP_vector_type<T, 3> a,
                                                                     HIP_vector_type<T, 3> b) {
        return HIP_vector_type<T, 3>(f(a.x, b.x), f(a.y, b.y), f(a.z, b.z));
    }
    template <class T>
    static __host__ __device__ constexpr bool equal(const HIP_vector_type<T, 3>& a, const HIP_vector_type<T, 3>& b) {
        return a.x == b.x && a.y == b.y && a.z == b.z;
    }
};
template <>
struct for_elements<4> {
    template <class T, class F>
    static __host__ __device__ constexpr HIP_vector_type<T, 4> apply(F f, HIP_vector_type<T, 4> a,
                                                                     HIP_vector_type<T, 4> b) {
        return HIP_vector_type<T, 4>(f(a.x, b.x), f(a.y, b.y), f(a.z, b.z), f(a.w, b.w));
    }
    template <class T>
    static __host__ __device__ constexpr bool equal(const HIP_vector_type<T, 4>& a, const HIP_vector_type<T, 4>& b) {
        return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;
    }
};

#define VROCM_ELEMENT_FUNCTION(name, expression)                     \
    struct name {                                                    \
        template <class T>                                           \
        __host__ __device__ constexpr T operator()(T a, T b) const { \
            return static_cast<T>(expression);                       \
        }                                                            \
    };
VROCM_ELEMENT_FUNCTION(plus, a + b)
VROCM_ELEMENT_FUNCTION(minus, a - b)
VROCM_ELEMENT_FUNCTION(times, a* b)
VROCM_ELEMENT_FUNCTION(divided, a / b)
VROCM_ELEMENT_FUNCTION(modulo, a % b)
VROCM_ELEMENT_FUNCTION(bit_and, a& b)
VROCM_ELEMENT_FUNCTION(bit_or, a | b)
VROCM_ELEMENT_FUNCTION(bit_xor, a ^ b)
VROCM_ELEMENT_FUNCTION(shifted_left, a << b)
VROCM_ELEMENT_FUNCTION(shifted_right, a >> b)
/* A float subtraction from zero would lose the sign of zero. */
VROCM_ELEMENT_FUNCTION(negated, ((void)b, -a))
VROCM_ELEMENT_FUNCTION(complemented, ((void)b, ~a))
#undef VROCM_ELEMENT_FUNCTION

template <class T, class U, class R>
using if_scalar = typename std::enable_if<std::is_convertible<U, T>::value && !std::is_class<U>::value, R>::type;
template <class T, class R>
using if_integral = typename std::enable_if<std::is_integral<T>::value, R>::type;

}  // namespace hip_detail

/* vector op vector, vector op scalar, scalar op vector, and the assignments; `constraint` limits the element type. */
#define VROCM_VECTOR_OPERATOR(op, function, constraint)                                                              \
    template <class T, unsigned int n>                                                                               \
    __host__ __device__ inline constexpr constraint(T, (HIP_vector_type<T, n>)) operator op(                         \
        const HIP_vector_type<T, n>& a, const HIP_vector_type<T, n>& b) noexcept {                                   \
        return hip_detail::for_elements<n>::apply(hip_detail::function{}, a, b);                                     \
    }                                                                                                                \
    template <class T, unsigned int n, class U>                                                                      \
    __host__ __device__ inline constexpr constraint(T, (hip_detail::if_scalar<T, U, HIP_vector_type<T, n>>))         \
    operator op(const HIP_vector_type<T, n>& a, U b) noexcept {                                                      \
        return hip_detail::for_elements<n>::apply(hip_detail::function{}, a, HIP_vector_type<T, n>(b));              \
    }                                                                                                                \
    template <class T, unsigned int n, class U>                                                                      \
    __host__ __device__ inline constexpr constraint(T, (hip_detail::if_scalar<T, U, HIP_vector_type<T, n>>))         \
    operator op(U a, const HIP_vector_type<T, n>& b) noexcept {                                                      \
        return hip_detail::for_elements<n>::apply(hip_detail::function{}, HIP_vector_type<T, n>(a), b);              \
    }                                                                                                                \
    template <class T, unsigned int n>                                                                               \
    __host__ __device__ inline constraint(T, (HIP_vector_type<T, n>)) & operator op## =                              \
        (HIP_vector_type<T, n> & a, const HIP_vector_type<T, n>& b) noexcept {                                       \
        return a = hip_detail::for_elements<n>::apply(hip_detail::function{}, a, b);                                 \
    }                                                                                                                \
    template <class T, unsigned int n, class U>                                                                      \
    __host__ __device__ inline constraint(T, (hip_detail::if_scalar<T, U, HIP_vector_type<T, n>>)) & operator op## = \
        (HIP_vector_type<T, n> & a, U b) noexcept {                                                                  \
        return a = hip_detail::for_elements<n>::apply(hip_detail::function{}, a, HIP_vector_type<T, n>(b));          \
    }
/* A type in parentheses, so that its commas survive the macro. */
#define VROCM_UNWRAP(...) __VA_ARGS__
#define VROCM_ANY_ELEMENT(T, result) VROCM_UNWRAP result
#define VROCM_INTEGER_ELEMENT(T, result) hip_detail::if_integral<T, VROCM_UNWRAP result>
VROCM_VECTOR_OPERATOR(+, plus, VROCM_ANY_ELEMENT)
VROCM_VECTOR_OPERATOR(-, minus, VROCM_ANY_ELEMENT)
VROCM_VECTOR_OPERATOR(*, times, VROCM_ANY_ELEMENT)
VROCM_VECTOR_OPERATOR(/, divided, VROCM_ANY_ELEMENT)
VROCM_VECTOR_OPERATOR(%, modulo, VROCM_INTEGER_ELEMENT)
VROCM_VECTOR_OPERATOR(&, bit_and, VROCM_INTEGER_ELEMENT)
VROCM_VECTOR_OPERATOR(|, bit_or, VROCM_INTEGER_ELEMENT)
VROCM_VECTOR_OPERATOR(^, bit_xor, VROCM_INTEGER_ELEMENT)
VROCM_VECTOR_OPERATOR(<<, shifted_left, VROCM_INTEGER_ELEMENT)
VROCM_VECTOR_OPERATOR(>>, shifted_right, VROCM_INTEGER_ELEMENT)
#undef VROCM_VECTOR_OPERATOR
#undef VROCM_UNWRAP
#undef VROCM_ANY_ELEMENT
#undef VROCM_INTEGER_ELEMENT

template <class T, unsigned int n>
__host__ __device__ inline constexpr HIP_vector_type<T, n> operator-(const HIP_vector_type<T, n>& a) noexcept {
    return hip_detail::for_elements<n>::apply(hip_detail::negated{}, a, a);
}
template <class T, unsigned int n>
__host__ __device__ inline constexpr HIP_vector_type<T, n> operator+(const HIP_vector_type<T, n>& a) noexcept {
    return a;
}
template <class T, unsigned int n>
__host__ __device__ inline constexpr hip_detail::if_integral<T, HIP_vector_type<T, n>> operator~(
    const HIP_vector_type<T, n>& a) noexcept {
    return hip_detail::for_elements<n>::apply(hip_detail::complemented{}, a, a);
}
template <class T, unsigned int n>
__host__ __device__ inline HIP_vector_type<T, n>& operator++(HIP_vector_type<T, n>& a) noexcept {
    return a += T(1);
}
template <class T, unsigned int n>
__host__ __device__ inline HIP_vector_type<T, n>& operator--(HIP_vector_type<T, n>& a) noexcept {
    return a -= T(1);
}
template <class T, unsigned int n>
__host__ __device__ inline HIP_vector_type<T, n> operator++(HIP_vector_type<T, n>& a, int) noexcept {
    HIP_vector_type<T, n> before = a;
    a += T(1);
    return before;
}
template <class T, unsigned int n>
__host__ __device__ inline HIP_vector_type<T, n> operator--(HIP_vector_type<T, n>& a, int) noexcept {
    HIP_vector_type<T, n> before = a;
    a -= T(1);
    return before;
}

/* Vectors are equal when all elements are; a scalar is compared with every element. */
template <class T, unsigned int n>
__host__ __device__ inline constexpr bool operator==(const HIP_vector_type<T, n>& a,
                                                     const HIP_vector_type<T, n>& b) noexcept {
    return hip_detail::for_elements<n>::equal(a, b);
}
template <class T, unsigned int n>
__host__ __device__ inline constexpr bool operator!=(const HIP_vector_type<T, n>& a,
                                                     const HIP_vector_type<T, n>& b) noexcept {
    return !(a == b);
}
template <class T, unsigned int n, class U>
__host__ __device__ inline constexpr hip_detail::if_scalar<T, U, bool> operator==(const HIP_vector_type<T, n>& a,
                                                                                  U b) noexcept {
    return a == HIP_vector_type<T, n>(b);
}
template <class T, unsigned int n, class U>
__host__ __device__ inline constexpr hip_detail::if_scalar<T, U, bool> operator!=(const HIP_vector_type<T, n>& a,
                                                                                  U b) noexcept {
    return !(a == b);
}
template <class T, unsigned int n, class U>
__host__ __device__ inline constexpr hip_detail::if_scalar<T, U, bool> operator==(
    U a, const HIP_vector_type<T, n>& b) noexcept {
    return HIP_vector_type<T, n>(a) == b;
}
template <class T, unsigned int n, class U>
__host__ __device__ inline constexpr hip_detail::if_scalar<T, U, bool> operator!=(
    U a, const HIP_vector_type<T, n>& b) noexcept {
    return !(a == b);
}

#endif
