// Lines of memory that waves touch while they run functionally.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/op.h"
#include "sim/wave.h"

namespace vrocm::sim {

class TouchedLines {
  public:
    explicit TouchedLines(unsigned line_bytes) : line_bytes_(line_bytes) {}

    struct Touch {
        std::uint64_t line : 62;
        std::uint64_t written : 2;  // halves of it
    };
    // What an instruction did, if it is one for memory outside the workgroup.
    void add(const Op* op, const MemoryAccess& access);
    const std::vector<Touch>& touches() const { return touches_; }

  private:
    unsigned line_bytes_;
    std::vector<Touch> touches_;
};

}  // namespace vrocm::sim
