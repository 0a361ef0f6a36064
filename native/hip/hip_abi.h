// The public headers as the implementation sees them: nothing is deprecated, no C++ overloads.
#pragma once

#define HIP_ABI_IMPL 1
#define __HIP_DISABLE_CPP_FUNCTIONS__ 1
#include <hip/hip_runtime_api.h>
