// Lines of memory that waves touch while they run functionally.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/code/op.h"
#include "sim/wave/wave.h"

namespace vrocm::sim {

class TouchedLines {
  public:
    explicit TouchedLines(unsigned line_bytes) : line_bytes_(line_bytes) {}
    // Whether an instruction may touch memory outside the workgroup.
    static bool concerns(const isa::Inst& inst);

    struct Touch {
        std::uint64_t line : 62;
        std::uint64_t written : 2;  // halves of it
    };
    // What an instruction did that concerns them.
    void add(const Op* op, const MemoryAccess& access);
    // Without those that a small cache would have kept.
    const std::vector<Touch>& touches() const { return touches_; }
    std::uint64_t instructions() const { return instructions_; }

  private:
    void touch(std::uint64_t line, unsigned written);

    unsigned line_bytes_;
    std::uint64_t instructions_ = 0;
    std::vector<Touch> touches_;
    static constexpr std::size_t kRecent = 128;
    std::array<std::uint64_t, kRecent> recent_{};  // line number << 2 | halves written; 0: none
};

}  // namespace vrocm::sim
