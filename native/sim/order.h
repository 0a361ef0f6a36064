// Whether what a kernel computes can depend on the order in which its workgroups run.
#pragma once

#include <cstdint>

#include "sim/code.h"

namespace vrocm::sim {

// True when code reachable from `entry` has an operation whose result depends on the order of workgroups:
// atomics that return a value, exchange or add floating-point numbers, atomics of different kinds that may meet
// in one place, loads that look at other workgroups' writes, or calls whose target is not known.
// Such kernels run on one host thread, in one fixed order. Operations on LDS do not count: the waves of a
// workgroup always share a host thread and take turns in a fixed order.
bool order_sensitive(CodeRegion& region, std::uint64_t entry);

}  // namespace vrocm::sim
