/* Forward declarations of the device overloads of C++ math functions, to be seen before <cmath>.
 *
 * The standard library's constexpr overloads, such as std::sin(float), would otherwise count as device functions and
 * end in compiler builtins that the GPU has no function for. A constexpr function that follows a device function of
 * the same signature is a host function.
 */
#ifndef VROCM_DEVICE_MATH_OVERLOAD_DECLARATIONS_H
#define VROCM_DEVICE_MATH_OVERLOAD_DECLARATIONS_H

#include <vrocm/device/library_functions.h>

#define VROCM_FOR_EACH_UNARY(apply)                                                                                   \
    apply(acos) apply(acosh) apply(asin) apply(asinh) apply(atan) apply(atanh) apply(cbrt) apply(ceil) apply(cos)     \
        apply(cosh) apply(erf) apply(erfc) apply(exp) apply(exp2) apply(expm1) apply(fabs) apply(floor) apply(lgamma) \
            apply(log) apply(log10) apply(log1p) apply(log2) apply(logb) apply(nearbyint) apply(rint) apply(round)    \
                apply(sin) apply(sinh) apply(sqrt) apply(tan) apply(tanh) apply(tgamma) apply(trunc)
#define VROCM_FOR_EACH_BINARY(apply)                                                                           \
    apply(atan2) apply(copysign) apply(fdim) apply(fmax) apply(fmin) apply(fmod) apply(hypot) apply(nextafter) \
        apply(pow) apply(remainder)
/* Results that are not floating point. */
#define VROCM_FOR_EACH_TO_INTEGER(apply) \
    apply(int, ilogb) apply(long, lrint) apply(long, lround) apply(long long, llrint) apply(long long, llround)
#define VROCM_FOR_EACH_CLASSIFICATION(apply) apply(isfinite) apply(isinf) apply(isnan) apply(isnormal) apply(signbit)
#define VROCM_FOR_EACH_COMPARISON(apply) \
    apply(isgreater) apply(isgreaterequal) apply(isless) apply(islessequal) apply(islessgreater) apply(isunordered)

#define VROCM_DECLARE(name)         \
    VROCM_DEVICE float name(float); \
    VROCM_DEVICE double name(double);
VROCM_FOR_EACH_UNARY(VROCM_DECLARE)
#undef VROCM_DECLARE
#define VROCM_DECLARE(name)                \
    VROCM_DEVICE float name(float, float); \
    VROCM_DEVICE double name(double, double);
VROCM_FOR_EACH_BINARY(VROCM_DECLARE)
#undef VROCM_DECLARE
#define VROCM_DECLARE(result, name)  \
    VROCM_DEVICE result name(float); \
    VROCM_DEVICE result name(double);
VROCM_FOR_EACH_TO_INTEGER(VROCM_DECLARE)
#undef VROCM_DECLARE
#define VROCM_DECLARE(name)        \
    VROCM_DEVICE bool name(float); \
    VROCM_DEVICE bool name(double);
VROCM_FOR_EACH_CLASSIFICATION(VROCM_DECLARE)
#undef VROCM_DECLARE
#define VROCM_DECLARE(name)               \
    VROCM_DEVICE bool name(float, float); \
    VROCM_DEVICE bool name(double, double);
VROCM_FOR_EACH_COMPARISON(VROCM_DECLARE)
#undef VROCM_DECLARE

VROCM_DEVICE int abs(int);
VROCM_DEVICE long abs(long);
VROCM_DEVICE long long abs(long long);
VROCM_DEVICE float abs(float);
VROCM_DEVICE double abs(double);
VROCM_DEVICE long labs(long);
VROCM_DEVICE long long llabs(long long);
VROCM_DEVICE float fma(float, float, float);
VROCM_DEVICE double fma(double, double, double);
VROCM_DEVICE int fpclassify(float);
VROCM_DEVICE int fpclassify(double);
VROCM_DEVICE float frexp(float, int*);
VROCM_DEVICE double frexp(double, int*);
VROCM_DEVICE float ldexp(float, int);
VROCM_DEVICE double ldexp(double, int);
VROCM_DEVICE float modf(float, float*);
VROCM_DEVICE double modf(double, double*);
VROCM_DEVICE float pow(float, int);
VROCM_DEVICE double pow(double, int);
VROCM_DEVICE float remquo(float, float, int*);
VROCM_DEVICE double remquo(double, double, int*);
VROCM_DEVICE float scalbln(float, long);
VROCM_DEVICE double scalbln(double, long);
VROCM_DEVICE float scalbn(float, int);
VROCM_DEVICE double scalbn(double, int);

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
using ::abs;
using ::fma;
using ::fpclassify;
using ::frexp;
using ::labs;
using ::ldexp;
using ::llabs;
using ::modf;
using ::remquo;
using ::scalbln;
using ::scalbn;
}  // namespace std

#endif
