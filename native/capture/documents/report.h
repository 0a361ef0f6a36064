// One line of JSON on what became of the capture, for the program that started the application.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace rpl::capture {

struct Report {
    std::string folder;  // empty: nothing was captured
    std::string reason;  // empty, and no folder: nothing matched
    std::uint64_t matching_dispatches = 0, dispatches = 0;
    std::vector<std::string> kernels;

    void write(const std::string& path) const;
};

}  // namespace rpl::capture
