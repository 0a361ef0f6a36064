// Pieces of lower_flat, one per file; each gives null for instructions that are not its own.
#pragma once

#include "sim/code/op.h"

namespace vrocm::sim::memory {

Handler lower_global(const Op& op);       // GLOBAL loads and stores
Handler lower_generic(const Op& op);      // FLAT loads and stores
Handler lower_scratch(const Op& op);      // SCRATCH loads and stores
Handler lower_flat_atomic(const Op& op);  // FLAT and GLOBAL
Handler lower_load_to_lds(const Op& op);  // GLOBAL and SCRATCH

}  // namespace vrocm::sim::memory
