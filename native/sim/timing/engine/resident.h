// What workgroups and waves have while they are on a compute unit.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "sim/timing/engine/detail.h"

namespace vrocm::sim::timing {

// The times of a wave's memory operations that are not done yet; they are done in order.
template <unsigned size>
class InFlight {
  public:
    void add(Cycle done) {
        const Cycle previous = count_ ? times_[(count_ - 1) % size] : 0;
        times_[count_++ % size] = static_cast<std::uint32_t>(std::max(done, previous));
    }
    // When at most `allowed` are left.
    Cycle until(unsigned allowed) const {
        if (allowed >= size || count_ <= allowed) return 0;
        return times_[(count_ - 1 - allowed) % size];
    }

  private:
    std::uint32_t times_[size] = {};
    std::uint32_t count_ = 0;
};

// Instructions of the wave that has come furthest.
inline std::uint64_t furthest(const Workgroup& group) {
    std::uint64_t most = 0;
    for (unsigned i = 0; i < group.wave_count; ++i) most = std::max(most, group.waves[i].instructions);
    return most;
}

struct Detail::Group {
    std::unique_ptr<Workgroup> work;
    ComputeUnit* unit = nullptr;
    unsigned left = 0, arrived = 0;
    Cycle last_arrival = 0;
    std::uint32_t place = 0;  // in groups_running_
    // During a gap: instructions a clock of waves on its unit; clocks that are left of a part of the gap, or
    // instructions of each wave; clocks of its waves beyond what has passed of the gap.
    double pace = 0, clocks_left = 0;
    std::uint64_t to_go = 0;
    std::vector<double> ahead;
    std::uint64_t stood = 0;  // instructions of the wave that was furthest when the gap began
    bool replaced = false;    // `slots` are those of an earlier workgroup
    std::uint64_t index = 0;
    std::vector<std::uint32_t> slots;
};

struct Detail::Slot {
    Wave* wave = nullptr;
    Group* group = nullptr;
    Simd* simd = nullptr;
    std::uint8_t simd_slot = 0;
    bool waits_at_barrier = false;
    bool recorded = false;
    std::uint32_t record = 0;
    Cycle launched = 0;
    Cycle barrier_since = 0;
    std::uint64_t fetched = ~0ull;
    std::uint64_t window = ~0ull;  // of code that a fetch brings, for counters
    Cycle scalar_ready = 0;
    InFlight<64> vector_memory;
    InFlight<16> local;  // LDS and scalar memory
    // Results of matrix instructions on their way: registers [first, last].
    struct Result {
        std::uint16_t first = 1, last = 0;
        Cycle ready = 0;
    };
    Result results[4];
    unsigned next_result = 0;
    Cycle results_ready = 0;  // the latest of them
    // Instructions that were not simulated; those before the gap.
    std::uint64_t passed = 0, marked = 0;
    Cycle marked_at = 0;  // since when it counts in the pace of its unit
    // The operation it tried last, and when.
    static constexpr std::uint32_t kNothing = ~std::uint32_t{0};
    std::uint32_t tried = kNothing;
    Cycle tried_at = 0;

    unsigned number() const { return static_cast<unsigned>(wave - group->work->waves.get()); }  // in its workgroup
};

}  // namespace vrocm::sim::timing
