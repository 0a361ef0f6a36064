// The L2 cache of one XCD: channels, tags, and the way to the memory side.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/timing/counts.h"
#include "sim/timing/engine/progress.h"
#include "sim/timing/parameters.h"
#include "sim/timing/units/memory_side.h"
#include "sim/timing/units/pipe.h"
#include "sim/timing/units/tags.h"
#include "sim/timing/units/translation.h"

namespace vrocm::sim::timing {

class L2 {
  public:
    L2(const Parameters& parameters, MemorySide& memory);

    // When the data of a line reaches the compute unit; when a write or an atomic is acknowledged there.
    // `parts`: of 64 bytes, asked for singly; 0: the line as a whole.
    Cycle read(Request request, std::uint64_t line, Counts& counts, unsigned parts = 0);
    Cycle write(Request request, std::uint64_t line, std::uint8_t halves, Counts& counts);
    // `serial`: lanes that one after another change the same dword.
    Cycle atomic(Request request, std::uint64_t line, std::uint8_t halves, unsigned serial, Counts& counts);

    // Lines stay from kernel to kernel, clean, unless a profiler asks for cold caches.
    void begin_dispatch(bool invalidate);
    // Writes back what is dirty. The lines stay.
    void write_back(Cycle now, Counts& counts);
    // Lines that this dispatch brought in, against those there is room for; and what of them it wrote.
    std::uint64_t inserted() const;
    std::uint64_t capacity() const { return p_.l2.bytes / p_.l2.line; }
    std::uint64_t written() const { return written_; }
    void fill_up(unsigned dirty_share);
    // A line is read or, `written` of its halves, written at a time that does not matter.
    void touch(std::uint64_t line, std::uint8_t written);
    // What a part of a dispatch that is not simulated does: more lines than fit drive out all that are there.
    void pass_unseen(std::uint64_t parts, std::uint64_t of);
    void count(std::vector<L2Counts>& channels) const;  // adds what each channel counted
    void report(DieProgress& progress) const;
    std::uint64_t busy() const;         // clocks, averaged over the channels
    std::uint64_t fabric_busy() const;  // the same of the ports to the fabric

  private:
    struct Channel {
        Tags tags;
        SharedPipe pipe, fabric;
        std::uint64_t inserted = 0;  // lines, by this dispatch
        std::int64_t owed = 0;       // halves of lines, made dirty by touch() and not yet written by it
        L2Counts counts;
    };
    Channel& channel_of(std::uint64_t line);
    void evict(const Tags::Evicted& line, Channel& channel, Request& request, Counts& counts);
    void soil(Channel& channel, Tags::Line* line, std::uint8_t halves);
    Cycle fill(Channel& channel, Request request, std::uint64_t line, Counts& counts, unsigned parts);

    const Parameters& p_;
    MemorySide& memory_;
    Translation translation_;
    std::vector<Channel> channels_;
    std::uint64_t written_ = 0;
    std::uint64_t soiled_halves_ = 0, evicted_halves_ = 0;
    bool filled_ = false;  // by fill_up
};

}  // namespace vrocm::sim::timing
