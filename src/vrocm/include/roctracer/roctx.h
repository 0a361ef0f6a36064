/* roctx under the name it had in roctracer. */
#ifndef ROCTRACER_ROCTX_H_
#define ROCTRACER_ROCTX_H_

#include <rocprofiler-sdk-roctx/roctx.h>

#endif
