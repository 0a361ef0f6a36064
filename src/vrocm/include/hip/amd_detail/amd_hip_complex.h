#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_HIP_COMPLEX_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_HIP_COMPLEX_H

#include <hip/amd_detail/amd_hip_vector_types.h>
#include <hip/amd_detail/host_defines.h>
#include <math.h>

/* The operators of these types are element-wise, as of every vector type; products and quotients are functions. */
typedef float2 hipFloatComplex;
typedef double2 hipDoubleComplex;
typedef hipFloatComplex hipComplex;

#define VROCM_COMPLEX(Complex, T, f, square_root)                                                         \
    static inline __host__ __device__ T hipCreal##f(Complex z) { return z.x; }                            \
    static inline __host__ __device__ T hipCimag##f(Complex z) { return z.y; }                            \
    static inline __host__ __device__ Complex make_##Complex(T real, T imaginary) {                       \
        Complex z;                                                                                        \
        z.x = real;                                                                                       \
        z.y = imaginary;                                                                                  \
        return z;                                                                                         \
    }                                                                                                     \
    static inline __host__ __device__ Complex hipConj##f(Complex z) { return make_##Complex(z.x, -z.y); } \
    static inline __host__ __device__ T hipCsqabs##f(Complex z) { return z.x * z.x + z.y * z.y; }         \
    static inline __host__ __device__ Complex hipCadd##f(Complex p, Complex q) {                          \
        return make_##Complex(p.x + q.x, p.y + q.y);                                                      \
    }                                                                                                     \
    static inline __host__ __device__ Complex hipCsub##f(Complex p, Complex q) {                          \
        return make_##Complex(p.x - q.x, p.y - q.y);                                                      \
    }                                                                                                     \
    static inline __host__ __device__ Complex hipCmul##f(Complex p, Complex q) {                          \
        return make_##Complex(p.x * q.x - p.y * q.y, p.y * q.x + p.x * q.y);                              \
    }                                                                                                     \
    static inline __host__ __device__ Complex hipCdiv##f(Complex p, Complex q) {                          \
        const T length = hipCsqabs##f(q);                                                                 \
        return make_##Complex((p.x * q.x + p.y * q.y) / length, (p.y * q.x - p.x * q.y) / length);        \
    }                                                                                                     \
    static inline __host__ __device__ T hipCabs##f(Complex z) { return square_root(hipCsqabs##f(z)); }    \
    static inline __host__ __device__ Complex hipCfma##f(Complex p, Complex q, Complex r) {               \
        return make_##Complex(p.x * q.x - p.y * q.y + r.x, p.y * q.x + p.x * q.y + r.y);                  \
    }
VROCM_COMPLEX(hipFloatComplex, float, f, sqrtf)
VROCM_COMPLEX(hipDoubleComplex, double, , sqrt)
#undef VROCM_COMPLEX

static inline __host__ __device__ hipComplex make_hipComplex(float x, float y) { return make_hipFloatComplex(x, y); }
static inline __host__ __device__ hipFloatComplex hipComplexDoubleToFloat(hipDoubleComplex z) {
    return make_hipFloatComplex((float)z.x, (float)z.y);
}
static inline __host__ __device__ hipDoubleComplex hipComplexFloatToDouble(hipFloatComplex z) {
    return make_hipDoubleComplex(z.x, z.y);
}

#endif
