// What the environment asks the library to do (docs/reference/capture-format.md, "Environment variables").
#pragma once

#include <cstdint>
#include <optional>
#include <regex>
#include <string>

namespace rpl::capture {

struct Settings {
    std::optional<std::regex> kernel;  // none: every kernel
    std::uint64_t dispatch_index = 0;
    std::string folder;  // absolute
    std::string report;  // absolute; empty: none
    bool stop = false;
    double timeout_seconds = 30;
    std::string problem;  // why nothing can be captured; empty: all is well

    static Settings from_environment();
    bool matches(const std::string& mangled, const std::string& demangled) const;
};

}  // namespace rpl::capture
