/* Math functions; the compiler driver's wrapper header has already brought them all. */
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_MATH_FUNCTIONS_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_MATH_FUNCTIONS_H

#if defined(__HIP__) && defined(__cplusplus)
#include <vrocm/runtime_wrapper.h>
#endif

#endif
