/* Half-precision functions of the device library. */
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_HIP_FP16_MATH_FWD_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_HIP_FP16_MATH_FWD_H

#include <hip/amd_detail/host_defines.h>

extern "C" {
#define VROCM_DECLARE(name) __device__ __attribute__((const)) _Float16 __ocml_##name##_f16(_Float16);
VROCM_DECLARE(cos)
VROCM_DECLARE(exp)
VROCM_DECLARE(exp10)
VROCM_DECLARE(exp2)
VROCM_DECLARE(log)
VROCM_DECLARE(log10)
VROCM_DECLARE(log2)
VROCM_DECLARE(rsqrt)
VROCM_DECLARE(sin)
VROCM_DECLARE(tanh)
#undef VROCM_DECLARE
}

#endif
