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

}  // namespace vrocm::sim::timing
