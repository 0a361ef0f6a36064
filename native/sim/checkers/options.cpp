#include "sim/checkers/options.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace vrocm::sim::checkers {

namespace {

constexpr std::array<std::string_view, kClasses> kNames = {
    "out-of-bounds",
    "use-after-free",
    "lds-out-of-bounds",
    "misaligned",
    "uninitialised-memory",
    "uninitialised-lds",
    "uninitialised-register",
    "race-global",
    "race-lds",
    "divergent-barrier",
    "leak",
};

std::string variable(const char* name) {
    const char* text = std::getenv(name);
    return text ? text : "";
}

}  // namespace

std::string_view name(Class one) {
    return kNames[static_cast<unsigned>(one)];
}

const CheckOptions& CheckOptions::process() {
    static const CheckOptions options;
    return options;
}

CheckOptions::CheckOptions() : output_(variable("VROCM_CHECK_OUTPUT")) {
    const std::string list = variable("VROCM_CHECK");
    for (std::size_t begin = 0; begin < list.size();) {
        const std::size_t end = std::min(list.find(',', begin), list.size());
        const std::string_view word(list.data() + begin, end - begin);
        begin = end + 1;
        bool known = word.empty();
        for (unsigned i = 0; i < kClasses; ++i)
            if (word == "all" || word == kNames[i]) wanted_[i] = any_ = known = true;
        if (!known)
            std::fprintf(stderr, "vrocm: VROCM_CHECK: there is no class of defects named %.*s\n",
                         static_cast<int>(word.size()), word.data());
    }
}

}  // namespace vrocm::sim::checkers
