// The vector memory unit of one compute unit: addresses of a wave are coalesced into lines, which the L1 has or
// fetches.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/timing/counts.h"
#include "sim/timing/parameters.h"
#include "sim/timing/units/l2.h"
#include "sim/timing/units/pipe.h"
#include "sim/timing/units/tags.h"
#include "sim/timing/units/translation.h"
#include "sim/wave/wave.h"

namespace vrocm::sim::timing {

class VectorMemory {
  public:
    enum class Kind : std::uint8_t { Read, Write, Atomic };
    struct Timing {
        Cycle accepted;  // when the unit has taken the instruction: the next may follow
        Cycle done;      // when the data is in the registers, or the write is acknowledged
    };

    VectorMemory(const Parameters& parameters, L2& l2);
    Timing access(Cycle issue, const MemoryAccess& access, Kind kind, bool around_l1, Counts& counts);
    void begin_dispatch();
    // What a compute unit does when it acquires: lines may be stale.
    void invalidate() { tags_.clear(); }
    Cycle free_at() const { return addresses_.free_at(); }
    L1Counts counts() const {
        L1Counts all = counts_;
        all.busy = addresses_.busy();
        return all;
    }

  private:
    struct Touched {
        std::uint64_t line;
        std::uint8_t halves;   // 64-byte halves touched
        std::uint8_t lanes;    // that touch it
        std::uint16_t serial;  // most lanes on one dword
    };
    // Lines of the L2 may be longer.
    std::uint64_t l2_line(std::uint64_t line) const { return line * p_.l1.line / p_.l2.line; }
    std::uint8_t l2_halves(const Touched& t) const {
        const std::uint64_t first = t.line * p_.l1.line % p_.l2.line / 64;
        return static_cast<std::uint8_t>(t.halves << first);
    }
    unsigned coalesce(const MemoryAccess& access, bool atomic);
    Touched& touch(std::uint64_t line);
    Cycle read_line(Request request, const Touched& touched, bool around_l1, bool next_to_last, Counts& counts);
    // Lines on their way: a new one takes the place of the oldest, once that has arrived.
    struct OnTheirWay {
        explicit OnTheirWay(std::size_t room) : done(room, 0) {}
        std::vector<Cycle> done;
        std::size_t oldest = 0;
    };
    void wait_for_room(Request& request, OnTheirWay& list);
    static void remember(OnTheirWay& list, Cycle done);

    static constexpr unsigned kMost = 2 * kLanes;
    const Parameters& p_;
    L2& l2_;
    UnitTranslation translation_;
    Tags tags_;
    L1Counts counts_;
    Cycle last_start_ = 0;  // of the instruction that the unit took last
    Pipe addresses_;        // address coalescing and data return: 64 bytes a clock
    Pipe to_l2_;
    SharedPipe from_l2_;
    OnTheirWay reads_, stores_;
    bool used_ = false;  // since the dispatch began

    std::array<Touched, kMost> touched_;
    unsigned count_ = 0;
    std::array<std::uint16_t, 256> index_;  // hash of a line → its place in touched_
    std::array<std::uint32_t, 256> stamp_{};
    std::uint32_t now_ = 0;
};

}  // namespace vrocm::sim::timing
