/* Included before every HIP source by the compiler driver: what the language promises without an include.
 *
 * Standard math in kernels, <algorithm>, <complex> and placement new on both sides, device malloc, free, printf and
 * assert. The order matters: device overloads of math functions come before the standard library's.
 */
#ifndef VROCM_RUNTIME_WRAPPER_H
#define VROCM_RUNTIME_WRAPPER_H
#pragma GCC system_header

#if defined(__HIP__) && defined(__cplusplus)

#include <hip/amd_detail/host_defines.h>
#include <hip/hip_version.h>
#include <vrocm/device/library_functions.h>
#include <vrocm/device/math_overload_declarations.h>
#include <vrocm/device/standard_library_support.h>

#include <cmath>
#include <cstdlib>
#include <stdlib.h>

#include <vrocm/device/complex_arithmetic.h>
#include <vrocm/device/math_functions.h>
#include <vrocm/device/math_promotion.h>
#include <vrocm/device/minimum_maximum.h>

#include <algorithm>
#include <complex>
#include <new>

/* Programs ask for this to learn that the above is in place. */
#define __CLANG_HIP_RUNTIME_WRAPPER_INCLUDED__ 1

#endif
#endif
