// The addresses of this process at which something is mapped that can be read.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace rpl::capture {

class MappedRanges {
  public:
    using Range = std::pair<std::uint64_t, std::uint64_t>;  // begin, end

    static MappedRanges now();
    // The parts of [begin, end) that are mapped, in order.
    std::vector<Range> within(std::uint64_t begin, std::uint64_t end) const;

  private:
    std::vector<Range> ranges_;  // in order, neighbours joined
};

}  // namespace rpl::capture
