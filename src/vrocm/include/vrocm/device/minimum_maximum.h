/* min and max in the global namespace. */
#ifndef VROCM_DEVICE_MINIMUM_MAXIMUM_H
#define VROCM_DEVICE_MINIMUM_MAXIMUM_H

#include <type_traits>
#include <vrocm/device/library_functions.h>

/* Device. Functions for the types that most programs use; templates for the rest, so that a program may define the
 * overloads it misses. */
VROCM_DEVICE int min(int a, int b) { return a < b ? a : b; }
VROCM_DEVICE int max(int a, int b) { return a > b ? a : b; }
/* A NaN loses against a number. */
VROCM_DEVICE float min(float a, float b) { return __builtin_fminf(a, b); }
VROCM_DEVICE float max(float a, float b) { return __builtin_fmaxf(a, b); }
VROCM_DEVICE double min(double a, double b) { return __builtin_fmin(a, b); }
VROCM_DEVICE double max(double a, double b) { return __builtin_fmax(a, b); }
template <class T>
VROCM_DEVICE T min(T a, T b) {
    return a < b ? a : b;
}
template <class T>
VROCM_DEVICE T max(T a, T b) {
    return a > b ? a : b;
}

namespace vrocm {
template <class T, class U>
struct both_arithmetic {
    static constexpr bool value = std::is_arithmetic<T>::value && std::is_arithmetic<U>::value;
};
/* Of two integers the type that C++ computes in; with a floating-point number among them, double. */
template <class T, class U, bool = both_arithmetic<T, U>::value>
struct mixed {};
template <class T, class U>
struct mixed<T, U, true> {
    using type = typename std::conditional<std::is_integral<T>::value && std::is_integral<U>::value,
                                           typename std::common_type<T, U>::type, double>::type;
};
}  // namespace vrocm
template <class T, class U>
VROCM_DEVICE typename vrocm::mixed<T, U>::type min(T a, U b) {
    using R = typename vrocm::mixed<T, U>::type;
    return min((R)a, (R)b);
}
template <class T, class U>
VROCM_DEVICE typename vrocm::mixed<T, U>::type max(T a, U b) {
    using R = typename vrocm::mixed<T, U>::type;
    return max((R)a, (R)b);
}

/* Host. Mixed signedness, which compares as unsigned, only on request. */
#define VROCM_MIN_MAX(R, T, U)                                   \
    inline R min(T a, U b) { return (R)a < (R)b ? (R)a : (R)b; } \
    inline R max(T a, U b) { return (R)a > (R)b ? (R)a : (R)b; }
VROCM_MIN_MAX(int, int, int)
VROCM_MIN_MAX(unsigned, unsigned, unsigned)
VROCM_MIN_MAX(long, long, long)
VROCM_MIN_MAX(unsigned long, unsigned long, unsigned long)
VROCM_MIN_MAX(long long, long long, long long)
VROCM_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
#if defined(__HIP_DEFINE_MIXED_HOST_MIN_MAX__)
VROCM_MIN_MAX(unsigned, unsigned, int)
VROCM_MIN_MAX(unsigned, int, unsigned)
VROCM_MIN_MAX(unsigned long, unsigned long, long)
VROCM_MIN_MAX(unsigned long, long, unsigned long)
VROCM_MIN_MAX(unsigned long long, unsigned long long, long long)
VROCM_MIN_MAX(unsigned long long, long long, unsigned long long)
#endif
#undef VROCM_MIN_MAX
inline float min(float a, float b) { return __builtin_fminf(a, b); }
inline float max(float a, float b) { return __builtin_fmaxf(a, b); }
inline double min(double a, double b) { return __builtin_fmin(a, b); }
inline double max(double a, double b) { return __builtin_fmax(a, b); }
inline double min(float a, double b) { return __builtin_fmin(a, b); }
inline double max(float a, double b) { return __builtin_fmax(a, b); }
inline double min(double a, float b) { return __builtin_fmin(a, b); }
inline double max(double a, float b) { return __builtin_fmax(a, b); }

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
