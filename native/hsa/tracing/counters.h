// Hands what a dispatch counted to the trace log.
#pragma once

#include <cstdint>

#include "sim/machine.h"

namespace vrocm::hsa {

// Whether dispatches are counted (VROCM_TRACE_COUNTERS names something).
bool counters_wanted();
// Logs the wanted counts of a dispatch that is done.
void trace_counters(const sim::DispatchRun& run, std::uint64_t dispatch);

}  // namespace vrocm::hsa
