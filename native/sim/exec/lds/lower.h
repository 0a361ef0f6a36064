// Pieces of lower_lds, one per file; each gives null for instructions that are not its own.
#pragma once

#include "sim/code/op.h"

namespace vrocm::sim::memory {

Handler lower_lds_move(const Op& op);  // reads and writes
Handler lower_lds_atomic(const Op& op);
Handler lower_lds_lanes(const Op& op);  // exchanges between lanes, append and consume: no address per lane

}  // namespace vrocm::sim::memory
