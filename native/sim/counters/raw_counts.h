// What is counted for one dispatch, by name. Hardware counters are expressions over these (the counter table).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "sim/counters/access_counts.h"
#include "sim/counters/mix.h"
#include "sim/timing/counts.h"

namespace vrocm::sim::counters {

struct RawCount {
    std::string_view name;
    double value = 0;
    std::uint32_t instance = 0;  // of the unit that counted, where each counts for itself
};

// What counts of a part grow with when they are extrapolated to the whole dispatch. WrittenBack: with writes, which all
// leave the L2 sooner or later, at the latest when the dispatch ends.
enum class Scale : std::uint8_t {
    Once,
    Time,
    Instructions,
    Lds,
    ScalarMemory,
    Memory,
    Reads,
    Writes,
    Atomics,
    WrittenBack
};

struct Collected {
    Mix mix;
    AccessCounts accesses;
    std::uint64_t fetches = 0;  // of 32 bytes of code
    std::uint64_t waves = 0, waves_lt_64 = 0, workgroups = 0, items = 0;
    bool timed = false;    // what follows is known
    bool partial = false;  // only a part of the dispatch was simulated in time
    timing::Counts counts;
    std::vector<timing::L1Counts> l1;  // of each compute unit
    std::vector<timing::L2Counts> l2;  // of each channel
    std::uint64_t cycles = 0, simulated_cycles = 0;
    // Of the stretch of the simulated part that what was not simulated is like; nothing: no such stretch.
    timing::Counts steady;
    std::uint64_t steady_cycles = 0;
};

std::vector<RawCount> raw_counts(const Collected& from);

}  // namespace vrocm::sim::counters
