// The time of the host, which passes whatever is simulated.
#pragma once

#include <cstdint>
#include <ctime>

namespace vrocm::sim {

inline std::uint64_t host_nanoseconds() {
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(t.tv_nsec);
}

}  // namespace vrocm::sim
