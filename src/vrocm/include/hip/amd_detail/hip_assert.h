/* assert works in kernels; this is the standard header. */
#ifndef HIP_AMD_DETAIL_HIP_ASSERT_H
#define HIP_AMD_DETAIL_HIP_ASSERT_H

#include <assert.h>

#endif
