// Instruction and scalar cache, shared by a pair of compute units.
#pragma once

#include "sim/timing/counts.h"
#include "sim/timing/parameters.h"
#include "sim/timing/units/l2.h"
#include "sim/timing/units/tags.h"

namespace vrocm::sim::timing {

class FrontCaches {
  public:
    FrontCaches(const Parameters& parameters, L2& l2);
    // When the instruction at an address can be issued by a wave that wants it at `at`.
    Cycle fetch(Cycle at, std::uint64_t pc, Counts& counts);
    std::uint64_t fetch_line(std::uint64_t pc) const { return pc / p_.instruction_cache.line; }
    // When the result of a scalar load is there.
    Cycle load(Cycle issue, std::uint64_t address, unsigned bytes, Counts& counts);
    // `invalidate`: code is to be fetched anew, too.
    void begin_dispatch(bool invalidate);

  private:
    Cycle fetch_from_l2(Cycle at, std::uint64_t line, Counts& counts);
    const Parameters& p_;
    L2& l2_;
    Tags instructions_, scalars_;
    unsigned waiting_ = 0;  // scalar loads for the line that missed last
};

}  // namespace vrocm::sim::timing
