#include "sim/timing/mode.h"

#include <cstdlib>
#include <string_view>

namespace vrocm::sim::timing {

namespace {
std::string_view environment(const char* name) {
    const char* text = std::getenv(name);
    return text ? text : "";
}
}  // namespace

Mode mode_from_environment() {
    const std::string_view text = environment("VROCM_TIMING");
    if (text == "off") return Mode::Off;
    return text == "full" ? Mode::Full : Mode::Sampled;
}

bool mode_is_valid() {
    const std::string_view text = environment("VROCM_TIMING");
    return text.empty() || text == "off" || text == "sampled" || text == "full";
}

bool results_wanted() {
    return environment("VROCM_RESULTS") != "sampled";
}

double budget() {
    const char* text = std::getenv("VROCM_TIMING_BUDGET");
    char* end = nullptr;
    const double times = text ? std::strtod(text, &end) : 1;
    return text && (end == text || *end || !(times >= 0)) ? 1 : times;
}

}  // namespace vrocm::sim::timing
