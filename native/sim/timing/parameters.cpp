#include "sim/timing/parameters.h"

namespace vrocm::sim::timing {

namespace {

constexpr Parameters kParameters[] = {
#include "gpus/timing.inc"
};

}  // namespace

const Parameters& parameters(const GpuModel& gpu) {
    return kParameters[gpu.number];
}

}  // namespace vrocm::sim::timing
