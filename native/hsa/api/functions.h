// The implementation of every function of the API tables, under its own name in a namespace of its own.
#pragma once

#include "abi/hsa/hsa_api_trace.h"
#include "abi/hsa/hsa_ven_amd_loader.h"
#include "hsa/runtime.h"

namespace vrocm::hsa::api {

#define DECLARE(name) decltype(::name) name;
HSA_CORE_TABLE(DECLARE)
HSA_AMD_EXT_TABLE(DECLARE)
HSA_FINALIZER_TABLE(DECLARE)
HSA_IMAGE_TABLE(DECLARE)
HSA_PC_SAMPLING_TABLE(DECLARE)
DECLARE(hsa_amd_image_get_info_max_dim)
#undef DECLARE
#define DECLARE(name, parameters) decltype(::name) name;
HSA_LOADER_FUNCTIONS_1_03(DECLARE)
#undef DECLARE

// For functions that the virtual GPU does not provide: says the name, once for each.
hsa_status_t refuse(const char* name, hsa_status_t status = HSA_STATUS_ERROR);

}  // namespace vrocm::hsa::api

// First line of an API function: the open runtime, or the status for a closed one.
#define VROCM_OPEN(runtime)                                              \
    ::vrocm::hsa::Runtime* const runtime = ::vrocm::hsa::Runtime::get(); \
    if (!runtime) return HSA_STATUS_ERROR_NOT_INITIALIZED
#define VROCM_CHECK(condition, status) \
    if (!(condition)) return static_cast<hsa_status_t>(status)
