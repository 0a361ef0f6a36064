/* char1 … double4: members x y z w, element-wise operators, make_* functions. */
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_VECTOR_TYPES_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_VECTOR_TYPES_H
#pragma GCC system_header

#include <hip/amd_detail/host_defines.h>

/* Programs use this one, too. */
#ifndef __HOST_DEVICE__
#define __HOST_DEVICE__ __host__ __device__
#endif

/* apply(element type, prefix of the vector type's name) */
#define VROCM_FOR_EACH_VECTOR_ELEMENT(apply)                                                                        \
    apply(char, char) apply(unsigned char, uchar) apply(short, short) apply(unsigned short, ushort) apply(int, int) \
        apply(unsigned int, uint) apply(long, long) apply(unsigned long, ulong) apply(long long, longlong)          \
            apply(unsigned long long, ulonglong) apply(float, float) apply(double, double)

#if defined(__cplusplus)

#include <hip/amd_detail/vector/operators.h>
#include <hip/amd_detail/vector/storage.h>

#define VROCM_DEFINE_VECTORS(T, name)                                                                              \
    using name##1 = HIP_vector_type<T, 1>;                                                                         \
    using name##2 = HIP_vector_type<T, 2>;                                                                         \
    using name##3 = HIP_vector_type<T, 3>;                                                                         \
    using name##4 = HIP_vector_type<T, 4>;                                                                         \
    static inline __host__ __device__ constexpr name##1 make_##name##1(T x) { return name##1(x); }                 \
    static inline __host__ __device__ constexpr name##2 make_##name##2(T x, T y) { return name##2(x, y); }         \
    static inline __host__ __device__ constexpr name##3 make_##name##3(T x, T y, T z) { return name##3(x, y, z); } \
    static inline __host__ __device__ constexpr name##4 make_##name##4(T x, T y, T z, T w) {                       \
        return name##4(x, y, z, w);                                                                                \
    }
VROCM_FOR_EACH_VECTOR_ELEMENT(VROCM_DEFINE_VECTORS)
#undef VROCM_DEFINE_VECTORS

#else /* C: the same layouts, no operators */

#define VROCM_DEFINE_VECTORS(T, name)                          \
    typedef struct __attribute__((aligned(sizeof(T)))) {       \
        T x;                                                   \
    } name##1;                                                 \
    typedef struct __attribute__((aligned(2 * sizeof(T)))) {   \
        T x, y;                                                \
    } name##2;                                                 \
    typedef struct {                                           \
        T x, y, z;                                             \
    } name##3;                                                 \
    typedef struct __attribute__((aligned(4 * sizeof(T)))) {   \
        T x, y, z, w;                                          \
    } name##4;                                                 \
    static inline name##1 make_##name##1(T x) {                \
        name##1 v = {x};                                       \
        return v;                                              \
    }                                                          \
    static inline name##2 make_##name##2(T x, T y) {           \
        name##2 v = {x, y};                                    \
        return v;                                              \
    }                                                          \
    static inline name##3 make_##name##3(T x, T y, T z) {      \
        name##3 v = {x, y, z};                                 \
        return v;                                              \
    }                                                          \
    static inline name##4 make_##name##4(T x, T y, T z, T w) { \
        name##4 v = {x, y, z, w};                              \
        return v;                                              \
    }
VROCM_FOR_EACH_VECTOR_ELEMENT(VROCM_DEFINE_VECTORS)
#undef VROCM_DEFINE_VECTORS

#endif

#undef VROCM_FOR_EACH_VECTOR_ELEMENT
#endif
