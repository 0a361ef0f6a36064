/* min and max in the global namespace, for same and mixed types. */
#ifndef VROCM_DEVICE_MINIMUM_MAXIMUM_H
#define VROCM_DEVICE_MINIMUM_MAXIMUM_H

#include <vrocm/device/library_functions.h>

/* Mixed signedness compares as unsigned, as the usual arithmetic conversions do. */
#define VROCM_MIN_MAX(attributes, R, T, U)                                                    \
    attributes R min(T a, U b) { return (R)a < (R)b ? (R)a : (R)b; }                          \
    attributes R max(T a, U b) { return (R)a > (R)b ? (R)a : (R)b; }
#define VROCM_MIN_MAX_SAME(attributes)                                                        \
    VROCM_MIN_MAX(attributes, int, int, int)                                                  \
    VROCM_MIN_MAX(attributes, unsigned, unsigned, unsigned)                                   \
    VROCM_MIN_MAX(attributes, long, long, long)                                               \
    VROCM_MIN_MAX(attributes, unsigned long, unsigned long, unsigned long)                    \
    VROCM_MIN_MAX(attributes, long long, long long, long long)                                \
    VROCM_MIN_MAX(attributes, unsigned long long, unsigned long long, unsigned long long)
#define VROCM_MIN_MAX_MIXED(attributes)                                                       \
    VROCM_MIN_MAX(attributes, unsigned, unsigned, int)                                        \
    VROCM_MIN_MAX(attributes, unsigned, int, unsigned)                                        \
    VROCM_MIN_MAX(attributes, unsigned long, unsigned long, long)                             \
    VROCM_MIN_MAX(attributes, unsigned long, long, unsigned long)                             \
    VROCM_MIN_MAX(attributes, unsigned long long, unsigned long long, long long)              \
    VROCM_MIN_MAX(attributes, unsigned long long, long long, unsigned long long)
/* A NaN loses against a number. */
#define VROCM_MIN_MAX_FLOAT(attributes)                                                       \
    attributes float min(float a, float b) { return __builtin_fminf(a, b); }                  \
    attributes float max(float a, float b) { return __builtin_fmaxf(a, b); }                  \
    attributes double min(double a, double b) { return __builtin_fmin(a, b); }                \
    attributes double max(double a, double b) { return __builtin_fmax(a, b); }                \
    attributes double min(float a, double b) { return __builtin_fmin(a, b); }                 \
    attributes double max(float a, double b) { return __builtin_fmax(a, b); }                 \
    attributes double min(double a, float b) { return __builtin_fmin(a, b); }                 \
    attributes double max(double a, float b) { return __builtin_fmax(a, b); }

VROCM_MIN_MAX_SAME(VROCM_DEVICE)
VROCM_MIN_MAX_MIXED(VROCM_DEVICE)
VROCM_MIN_MAX_FLOAT(VROCM_DEVICE)
VROCM_MIN_MAX_SAME(inline)
VROCM_MIN_MAX_FLOAT(inline)
#if defined(__HIP_DEFINE_MIXED_HOST_MIN_MAX__)
VROCM_MIN_MAX_MIXED(inline)
#endif
#undef VROCM_MIN_MAX
#undef VROCM_MIN_MAX_SAME
#undef VROCM_MIN_MAX_MIXED
#undef VROCM_MIN_MAX_FLOAT

#if __cplusplus < 201402L
/* From C++14 on the standard library's own are constexpr and so work in kernels. */
namespace std {
template <class T>
__device__ inline const T& min(const T& a, const T& b) {
    return b < a ? b : a;
}
template <class T>
__device__ inline const T& max(const T& a, const T& b) {
    return a < b ? b : a;
}
}  // namespace std
#endif

#endif
