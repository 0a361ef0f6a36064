/* Declarations of the device library's math functions. */
#ifndef HIP_AMD_DETAIL_MATH_FWD_H
#define HIP_AMD_DETAIL_MATH_FWD_H

#include <vrocm/device/library_functions.h>

#endif
