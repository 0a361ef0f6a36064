#include "hsa/clock.h"

#include <ctime>

namespace vrocm::hsa::clock {

std::uint64_t host_nanoseconds() {
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(t.tv_nsec);
}

std::uint64_t now() {
    return host_nanoseconds();
}

std::uint64_t agent_now() {
    return now() / (kFrequency / kAgentFrequency);
}

std::uint64_t agent_to_system(std::uint64_t agent_tick) {
    return agent_tick * (kFrequency / kAgentFrequency);
}

}  // namespace vrocm::hsa::clock
