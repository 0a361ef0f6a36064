// The LDS of one compute unit: 32 banks of a dword each; lanes that meet in a bank wait for each other.
#pragma once

#include "sim/timing/counts.h"
#include "sim/timing/parameters.h"
#include "sim/timing/units/pipe.h"
#include "sim/wave/wave.h"

namespace vrocm::sim::timing {

class Lds {
  public:
    struct Timing {
        Cycle accepted, done;
    };
    explicit Lds(const Parameters& parameters) : p_(parameters) {}
    // `places`: an instruction with two offsets touches two places per lane, `second` apart.
    Timing access(Cycle issue, const MemoryAccess& access, unsigned places, std::uint64_t second, bool atomic,
                  Counts& counts);
    void begin_dispatch() { pipe_.reset(); }
    std::uint64_t busy() const { return pipe_.busy(); }

  private:
    struct Clocks {
        unsigned all, conflicts;
    };
    Clocks clocks(const MemoryAccess& access, unsigned bytes, std::uint64_t offset) const;
    const Parameters& p_;
    Pipe pipe_;
};

}  // namespace vrocm::sim::timing
