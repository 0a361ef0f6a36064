// When a kernel is taken to be hanging.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace vrocm::sim {

struct Limits {
    // Wave instructions of one dispatch; VROCM_INSTRUCTION_LIMIT. The default is about an hour of host time.
    std::uint64_t instructions = 200'000'000'000;
    // Seconds without any workgroup starting or ending; VROCM_TIMEOUT. 0: no limit.
    double seconds_without_progress = 0;

    static Limits from_environment();
};

inline Limits Limits::from_environment() {
    Limits limits;
    if (const char* text = std::getenv("VROCM_INSTRUCTION_LIMIT")) {
        const double n = std::strtod(text, nullptr);  // 1e9 is as good as 1000000000
        if (n >= 1 && n < 1e19) limits.instructions = static_cast<std::uint64_t>(n);
    }
    if (const char* text = std::getenv("VROCM_TIMEOUT")) {
        const double seconds = std::strtod(text, nullptr);
        if (seconds > 0) limits.seconds_without_progress = seconds;
    }
    return limits;
}

}  // namespace vrocm::sim
