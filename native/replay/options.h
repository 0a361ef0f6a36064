// The command line of rocm-perf-replay (docs/reference/capture-format.md).
#pragma once

#include <cstdint>
#include <string>

namespace rpl::replay {

enum class Command : std::uint8_t { ReserveCheck, FullVm };

struct ReplayOptions {
    Command command = Command::FullVm;
    std::string capture;
    std::uint64_t iterations = 1, warmup = 0;
    bool recopy = true, cold = false;
    double timeout_seconds = 600;  // of one execution of the kernel
    std::string hsaco, poison, observe, hsa;
    unsigned layout = 0;  // how often the program was started anew for another layout of its addresses
};

// Throws Failure.
ReplayOptions parse_options(int argc, char** argv);

}  // namespace rpl::replay
