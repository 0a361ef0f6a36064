// Instruction and scalar cache, shared by a pair of compute units.
#pragma once

#include "sim/timing/counts.h"
#include "sim/timing/l2.h"
#include "sim/timing/parameters.h"
#include "sim/timing/tags.h"

namespace vrocm::sim::timing {

class FrontCaches {
  public:
    FrontCaches(const Parameters& parameters, L2& l2);
    // When the instruction at an address can be issued by a wave that wants it at `at`.
    Cycle fetch(Cycle at, std::uint64_t pc, Counts& counts);
    std::uint64_t fetch_line(std::uint64_t pc) const { return pc / p_.instruction_cache.line; }
    // When the result of a scalar load is there.
    Cycle load(Cycle issue, std::uint64_t address, unsigned bytes, Counts& counts);
    void begin_dispatch();

  private:
    Cycle fetch_from_l2(Cycle at, std::uint64_t line, Counts& counts);
    const Parameters& p_;
    L2& l2_;
    Tags instructions_, scalars_;
};

}  // namespace vrocm::sim::timing
