// How many workgroups of a kernel fit on a compute unit (LLVM AMDGPUBaseInfo and AMDGPUUsage rules).
#pragma once

#include <cstddef>

#include "hip/module/module.h"

namespace vrocm::hip {

struct Occupancy {
    unsigned waves_per_group = 0;
    unsigned groups_per_cu = 0;  // 0: cannot run at all
};
Occupancy occupancy_of(const Function& function, unsigned threads_per_group, std::size_t dynamic_shared);

}  // namespace vrocm::hip
