// What the workgroups of a kernel can notice of each other.
#pragma once

#include <cstdint>

#include "sim/code/code_map.h"

namespace vrocm::sim {

// The later ones include the earlier ones. Operations on LDS do not count: the waves of a workgroup always share a host
// thread and take turns in a fixed order.
enum class Dependence : std::uint8_t {
    None,     // they may run in any order, and side by side
    Order,    // results depend on the order: atomics that exchange, add floating-point numbers, or are of several kinds
    Seen,     // atomics that return a value, loads that look at other workgroups' writes
    Waiting,  // the same in a loop that writes nothing, which may wait for another workgroup; or calls of unknown code
};

// Of code that is reachable from `entry`. Kernels with any dependence run on one host thread, in one fixed order.
Dependence dependence_of_groups(CodeRegion& region, std::uint64_t entry);

}  // namespace vrocm::sim
