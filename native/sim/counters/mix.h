// The instruction mix of a dispatch, from how often each of its instructions ran.
#pragma once

#include <cstdint>

#include "sim/counters/op_counts.h"
#include "sim/timing/parameters.h"

namespace vrocm::sim::counters {

struct Mix {
#define MIX(name) std::uint64_t name = 0;
#include "sim/counters/mix_fields.def"
#undef MIX
};

Mix mix_of(const OpCounts& counts, const timing::Parameters& parameters);

}  // namespace vrocm::sim::counters
