// The allocations of the process byte by byte, as they were asked for, for one host thread.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/memory/address_space.h"

namespace vrocm::sim::checkers {

class ExactAllocations {
  public:
    // True when [begin, end) lies in one allocation (or in several that follow each other without a gap).
    bool contains(std::uint64_t begin, std::uint64_t end) {
        if (AddressSpace::process().version() != version_) refresh();
        for (const Range& one : recent_)
            if (begin >= one.begin && end <= one.end && begin < end) return true;
        return look_up(begin, end);
    }

  private:
    struct Range {
        std::uint64_t begin = 0, end = 0;
    };
    void refresh();
    bool look_up(std::uint64_t begin, std::uint64_t end);
    static constexpr unsigned kRecent = 4;
    Range recent_[kRecent];
    unsigned victim_ = 0;
    std::vector<Range> ranges_;  // sorted
    std::uint64_t version_ = ~0ull;
};

// True when the memory is the runtime's own: its bounds are nobody's business.
bool is_runtimes_own(const Allocation& allocation);

}  // namespace vrocm::sim::checkers
