#include "sim/dispatch/limits.h"

#include <cstdlib>

namespace vrocm::sim {

Limits Limits::from_environment() {
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
