/* Declarations of the device library. */
#ifndef HIP_AMD_DETAIL_DEVICE_LIBRARY_DECLS_H
#define HIP_AMD_DETAIL_DEVICE_LIBRARY_DECLS_H

#include <vrocm/device/library_functions.h>

#endif
