// Turns a fault of a wave into a report for people.
#pragma once

#include "sim/code/code_map.h"
#include "sim/machine.h"
#include "sim/wave/workgroup.h"

namespace vrocm::sim {

// The name of the kernel whose descriptor lies at `kernel_object`; "kernel at 0x..." when it has none.
std::string kernel_name(const CodeRegion* region, std::uint64_t kernel_object);

FaultReport describe(const Fault& fault, const std::string& kernel, const Workgroup* group, const Wave* wave);

}  // namespace vrocm::sim
