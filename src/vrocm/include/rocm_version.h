/* Old place of the header. */
#ifndef ROCM_VERSION_H
#define ROCM_VERSION_H

#include <rocm-core/rocm_version.h>

#endif
