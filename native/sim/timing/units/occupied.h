// For how long a part of the GPU had work.
#pragma once

#include "sim/timing/parameters.h"

namespace vrocm::sim::timing {

class Occupied {
  public:
    void enter(Cycle at) {
        if (inside_++ == 0) since_ = at;
    }
    void leave(Cycle at) {
        if (--inside_ == 0 && at > since_) busy_ += at - since_;
    }
    // Clocks so far, at a time when some may be inside.
    std::uint64_t busy(Cycle now) const { return busy_ + (inside_ && now > since_ ? now - since_ : 0); }

  private:
    unsigned inside_ = 0;
    Cycle since_ = 0;
    std::uint64_t busy_ = 0;
};

}  // namespace vrocm::sim::timing
