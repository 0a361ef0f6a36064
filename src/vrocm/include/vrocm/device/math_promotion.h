/* Math functions of integers and of mixed types: computed in double, as C++ promotes them. */
#ifndef VROCM_DEVICE_MATH_PROMOTION_H
#define VROCM_DEVICE_MATH_PROMOTION_H

#include <type_traits>
#include <vrocm/device/math_functions.h>

namespace vrocm {
template <class T, class R>
using if_integer = typename std::enable_if<std::is_integral<T>::value, R>::type;
template <class T, class U, class R>
using if_arithmetic = typename std::enable_if<std::is_arithmetic<T>::value && std::is_arithmetic<U>::value, R>::type;
/* The exact overloads for float and double are better matches; this is for everything else. */
}  // namespace vrocm

#define VROCM_PROMOTE(name)                               \
    template <class T>                                    \
    VROCM_DEVICE vrocm::if_integer<T, double> name(T x) { \
        return ::name((double)x);                         \
    }
VROCM_FOR_EACH_UNARY(VROCM_PROMOTE)
#undef VROCM_PROMOTE
#define VROCM_PROMOTE(name)                                          \
    template <class T, class U>                                      \
    VROCM_DEVICE vrocm::if_arithmetic<T, U, double> name(T x, U y) { \
        return ::name((double)x, (double)y);                         \
    }
VROCM_FOR_EACH_BINARY(VROCM_PROMOTE)
#undef VROCM_PROMOTE
#define VROCM_PROMOTE(result, name)                       \
    template <class T>                                    \
    VROCM_DEVICE vrocm::if_integer<T, result> name(T x) { \
        return ::name((double)x);                         \
    }
VROCM_FOR_EACH_TO_INTEGER(VROCM_PROMOTE)
#undef VROCM_PROMOTE
#define VROCM_PROMOTE(name)                             \
    template <class T>                                  \
    VROCM_DEVICE vrocm::if_integer<T, bool> name(T x) { \
        return ::name((double)x);                       \
    }
VROCM_FOR_EACH_CLASSIFICATION(VROCM_PROMOTE)
#undef VROCM_PROMOTE
#define VROCM_PROMOTE(name)                                        \
    template <class T, class U>                                    \
    VROCM_DEVICE vrocm::if_arithmetic<T, U, bool> name(T x, U y) { \
        return ::name((double)x, (double)y);                       \
    }
VROCM_FOR_EACH_COMPARISON(VROCM_PROMOTE)
#undef VROCM_PROMOTE
template <class T, class U, class V>
VROCM_DEVICE vrocm::if_arithmetic<T, U, vrocm::if_arithmetic<V, V, double>> fma(T x, U y, V z) {
    return __builtin_fma((double)x, (double)y, (double)z);
}
template <class T>
VROCM_DEVICE vrocm::if_integer<T, double> ldexp(T x, int n) {
    return ldexp((double)x, n);
}
template <class T>
VROCM_DEVICE vrocm::if_integer<T, double> frexp(T x, int* exponent) {
    return frexp((double)x, exponent);
}
namespace std {
#define VROCM_USING(name) using ::name;
#define VROCM_USING_RESULT(result, name) using ::name;
VROCM_FOR_EACH_UNARY(VROCM_USING)
VROCM_FOR_EACH_BINARY(VROCM_USING)
VROCM_FOR_EACH_TO_INTEGER(VROCM_USING_RESULT)
VROCM_FOR_EACH_CLASSIFICATION(VROCM_USING)
VROCM_FOR_EACH_COMPARISON(VROCM_USING)
#undef VROCM_USING
#undef VROCM_USING_RESULT
using ::fma;
using ::frexp;
using ::ldexp;
#define VROCM_USING(name) using ::name##f;
VROCM_FOR_EACH_UNARY(VROCM_USING)
VROCM_FOR_EACH_BINARY(VROCM_USING)
#undef VROCM_USING
using ::fmaf;
using ::frexpf;
using ::ldexpf;
using ::modff;
using ::nan;
using ::nanf;
using ::remquof;
using ::scalbnf;
}  // namespace std

#endif
