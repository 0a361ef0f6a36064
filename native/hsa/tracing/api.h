// The API tables with a tracer in between.
#pragma once

#include "abi/hsa/hsa_api_trace.h"

namespace vrocm::hsa {

// Puts functions in front of those in the tables that record calls and allocations, as far as they are asked for.
// Nothing changes when they are not: untraced programs call as directly as before.
void put_tracer_before(HsaApiTableContainer& tables);

}  // namespace vrocm::hsa
