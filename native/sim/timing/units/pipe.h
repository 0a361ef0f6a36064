// How contention is counted: requests take time on a resource that serves one after another.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "sim/timing/parameters.h"

namespace vrocm::sim::timing {

// Requests come in the order of time: one after another.
class Pipe {
  public:
    // When a request that comes at `at` begins to be served; it keeps the resource for `cost` 1/256 clocks.
    Cycle take(Cycle at, std::uint32_t cost) {
        const std::uint64_t start = std::max(at * kOne, free_);
        free_ = start + cost;
        busy_ += cost;
        return start / kOne;
    }
    // Takes nothing before `until`.
    void hold(Cycle until) { free_ = std::max(free_, until * kOne); }
    Cycle free_at() const { return free_ / kOne; }
    std::uint64_t busy() const { return busy_ / kOne; }
    void reset() { free_ = busy_ = 0; }

  private:
    std::uint64_t free_ = 0, busy_ = 0;
};

// Requests come from many places and not quite in the order of time, because their whole way is worked out when
// they are issued. Time is cut into slices with a capacity each; a request takes what is free from its time on.
class SharedPipe {
  public:
    Cycle take(Cycle at, std::uint32_t cost) {
        busy_ += cost;
        std::uint64_t slice = at / kSlice;
        if (slice <= full_up_to_ && full_since_ <= slice) slice = full_up_to_ + 1;
        std::uint32_t left = room(slice);
        while (left == 0) left = room(++slice);
        const Cycle start = std::max(at, slice * kSlice + (kCapacity - left) / kOne);
        const std::uint64_t first = slice;
        for (;;) {
            const std::uint32_t part = std::min(cost, left);
            used_[slice % kSlices].used += part;
            cost -= part;
            if (cost == 0) break;
            left = room(++slice);
        }
        if (slice > first) note_full(first, slice - 1);
        return start;
    }
    std::uint64_t busy() const { return busy_ / kOne; }
    // Time starts again at 0. Slices are told apart from those before by their numbers.
    void reset() {
        first_number_ += latest_ + 1;
        latest_ = 0;
        busy_ = 0;
        full_since_ = 1;
        full_up_to_ = 0;
    }

  private:
    static constexpr std::uint64_t kSlice = 16, kSlices = 1024;
    static constexpr std::uint32_t kCapacity = kSlice * kOne;
    struct Slice {
        std::uint32_t number = ~0u, used = 0;
    };
    std::uint32_t room(std::uint64_t slice) {
        Slice& s = used_[slice % kSlices];
        const auto number = first_number_ + static_cast<std::uint32_t>(slice);
        latest_ = std::max(latest_, static_cast<std::uint32_t>(slice));
        if (s.number != number) s = {number, 0};
        return kCapacity - s.used;
    }
    // Remembers one stretch without room, so that a long queue is passed in one step.
    void note_full(std::uint64_t first, std::uint64_t last) {
        if (first > full_up_to_ + 1 || full_since_ > full_up_to_) full_since_ = first;
        full_up_to_ = last;
    }
    std::vector<Slice> used_ = std::vector<Slice>(kSlices);
    std::uint64_t busy_ = 0;
    std::uint64_t full_since_ = 1, full_up_to_ = 0;
    std::uint32_t first_number_ = 0, latest_ = 0;
};

}  // namespace vrocm::sim::timing
