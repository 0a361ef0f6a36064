// What one host thread has executed of a dispatch that is counted.
#pragma once

#include "sim/counters/access_counts.h"
#include "sim/counters/op_counts.h"

namespace vrocm::sim::counters {

class Tally {
  public:
    explicit Tally(unsigned l1_line) : l1_line_(l1_line) {}

    // An instruction that has run: `exec` as it was before, `access` what it touched. `window`: the 32 bytes of code
    // that the wave fetched last, which is kept for it between instructions.
    void add(const Op* op, std::uint64_t exec, const MemoryAccess& access, std::uint64_t& window) {
        ops_.add(op, exec);
        if (op->pc / kFetchBytes != window) {
            window = op->pc / kFetchBytes;
            ++fetches_;
        }
        if (!access.lanes) return;
        if (op->inst->format == isa::Format::FLAT) ops_.add_flat(op, access);
        accesses_.add(op, access, l1_line_);
    }
    void add(const Tally& other) {
        ops_.add(other.ops_);
        accesses_.add(other.accesses_);
        fetches_ += other.fetches_;
    }
    // Where a wave goes on that was set aside: the window is fetched already unless the instruction begins it.
    static std::uint64_t resumed_window(const Wave& wave) {
        const std::uint64_t pc = wave.next->pc;
        return wave.instructions == 0 || pc % kFetchBytes == 0 ? ~0ull : pc / kFetchBytes;
    }

    const OpCounts& ops() const { return ops_; }
    const AccessCounts& accesses() const { return accesses_; }
    std::uint64_t fetches() const { return fetches_; }

  private:
    static constexpr std::uint64_t kFetchBytes = 32;
    OpCounts ops_;
    AccessCounts accesses_;
    std::uint64_t fetches_ = 0;
    unsigned l1_line_;
};

}  // namespace vrocm::sim::counters
