/* The vector class template: named members over the compiler's native vector, constructors, element access. */
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_VECTOR_STORAGE_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_VECTOR_STORAGE_H

#include <hip/amd_detail/host_defines.h>

#include <type_traits>

template <class T, unsigned int n>
struct HIP_vector_base;
template <class T, unsigned int rank>
struct HIP_vector_type;

/* `data` is the native vector, for builtins that take one. Two and four elements are aligned to their size. */
#if defined(__clang__)
#define VROCM_NATIVE_VECTOR(T, n) T data __attribute__((ext_vector_type(n)))
#else
#define VROCM_NATIVE_VECTOR(T, n) T data[n]
#endif
#define VROCM_VECTOR_CONSTRUCTOR(...) __host__ __device__ constexpr HIP_vector_base(__VA_ARGS__) noexcept

template <class T>
struct HIP_vector_base<T, 1> {
    union {
        VROCM_NATIVE_VECTOR(T, 1);
        struct {
            T x;
        };
    };
    using value_type = T;
    HIP_vector_base() = default;
    VROCM_VECTOR_CONSTRUCTOR(T a) : x(a) {}
};
template <class T>
struct alignas(2 * sizeof(T)) HIP_vector_base<T, 2> {
    union {
        VROCM_NATIVE_VECTOR(T, 2);
        struct {
            T x, y;
        };
    };
    using value_type = T;
    HIP_vector_base() = default;
    VROCM_VECTOR_CONSTRUCTOR(T a) : x(a), y(a) {}
    VROCM_VECTOR_CONSTRUCTOR(T a, T b) : x(a), y(b) {}
};
/* A native vector of three would be padded to four. */
template <class T>
struct HIP_vector_base<T, 3> {
    union {
        T data[3];
        struct {
            T x, y, z;
        };
    };
    using value_type = T;
    HIP_vector_base() = default;
    VROCM_VECTOR_CONSTRUCTOR(T a) : x(a), y(a), z(a) {}
    VROCM_VECTOR_CONSTRUCTOR(T a, T b, T c) : x(a), y(b), z(c) {}
};
template <class T>
struct alignas(4 * sizeof(T)) HIP_vector_base<T, 4> {
    union {
        VROCM_NATIVE_VECTOR(T, 4);
        struct {
            T x, y, z, w;
        };
    };
    using value_type = T;
    HIP_vector_base() = default;
    VROCM_VECTOR_CONSTRUCTOR(T a) : x(a), y(a), z(a), w(a) {}
    VROCM_VECTOR_CONSTRUCTOR(T a, T b, T c, T d) : x(a), y(b), z(c), w(d) {}
};
#undef VROCM_NATIVE_VECTOR
#undef VROCM_VECTOR_CONSTRUCTOR

template <class T, unsigned int rank>
struct HIP_vector_type : HIP_vector_base<T, rank> {
    using HIP_vector_base<T, rank>::data;

    HIP_vector_type() = default;
    /* One value for all elements. */
    template <class U, typename std::enable_if<std::is_convertible<U, T>::value>::type* = nullptr>
    __host__ __device__ explicit constexpr HIP_vector_type(U value) noexcept
        : HIP_vector_base<T, rank>(static_cast<T>(value)) {}
    template <class... Us, typename std::enable_if<(rank > 1) && sizeof...(Us) == rank>::type* = nullptr>
    __host__ __device__ constexpr HIP_vector_type(Us... values) noexcept
        : HIP_vector_base<T, rank>(static_cast<T>(values)...) {}

    __host__ __device__ T& operator[](unsigned int index) noexcept { return (&this->x)[index]; }
    __host__ __device__ const T& operator[](unsigned int index) const noexcept { return (&this->x)[index]; }
};

#endif
