// The API tables: what exported functions call through and tools patch.
#pragma once

#include "abi/hsa/hsa_api_trace.h"

namespace vrocm::hsa {

HsaApiTableContainer& api_tables();
// Puts the runtime's own functions back.
void reset_api_tables();

}  // namespace vrocm::hsa
