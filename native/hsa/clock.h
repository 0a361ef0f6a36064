// All time that clients of the runtime can see.
#pragma once

#include <cstdint>

namespace vrocm::hsa::clock {

// Ticks of the system clock (HSA_SYSTEM_INFO_TIMESTAMP) and their rate in Hz.
std::uint64_t now();
constexpr std::uint64_t kFrequency = 1'000'000'000;

// GPUs count at 100 MHz, as the shader clock counter of MI200 and MI300 does (s_memrealtime).
constexpr std::uint64_t kAgentFrequency = 100'000'000;
std::uint64_t agent_now();
std::uint64_t agent_to_system(std::uint64_t agent_tick);

// How long a wait may sleep: the host's time, never the virtual one.
std::uint64_t host_nanoseconds();

}  // namespace vrocm::hsa::clock
