// When a kernel is taken to be hanging.
#pragma once

#include <cstdint>

namespace vrocm::sim {

struct Limits {
    // Wave instructions of one dispatch; VROCM_INSTRUCTION_LIMIT. The default is about an hour of host time.
    std::uint64_t instructions = 200'000'000'000;
    // Seconds without any workgroup starting or ending; VROCM_TIMEOUT. 0: no limit.
    double seconds_without_progress = 0;

    static Limits from_environment();
};

}  // namespace vrocm::sim
