/* Complex numbers of the HIP API: pairs of floats or doubles, with functions for their arithmetic. */
#ifndef HIP_INCLUDE_HIP_HIP_COMPLEX_H
#define HIP_INCLUDE_HIP_HIP_COMPLEX_H

#include <hip/amd_detail/amd_hip_complex.h>

#endif
