// The L2 cache of one XCD: channels, tags, and the way to the memory side.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/timing/counts.h"
#include "sim/timing/memory_side.h"
#include "sim/timing/parameters.h"
#include "sim/timing/pipe.h"
#include "sim/timing/tags.h"
#include "sim/timing/translation.h"

namespace vrocm::sim::timing {

class L2 {
  public:
    L2(const Parameters& parameters, MemorySide& memory);

    // When the data of a line reaches the compute unit; when a write or an atomic is acknowledged there.
    Cycle read(Request request, std::uint64_t line, Counts& counts);
    Cycle write(Request request, std::uint64_t line, std::uint8_t halves, Counts& counts);
    // `serial`: lanes that one after another change the same dword.
    Cycle atomic(Request request, std::uint64_t line, unsigned serial, Counts& counts);

    // Lines stay from kernel to kernel, clean, unless a profiler asks for cold caches.
    void begin_dispatch(bool invalidate);
    // Writes back what is dirty; the clock at which the last of it has left.
    Cycle write_back(Cycle now, Counts& counts);
    std::uint64_t busy() const;         // clocks, averaged over the channels
    std::uint64_t fabric_busy() const;  // the same of the ports to the fabric

  private:
    struct Channel {
        Tags tags;
        SharedPipe pipe, fabric;
    };
    Channel& channel_of(std::uint64_t line);
    void evict(const Tags::Evicted& line, Channel& channel, Request request, Counts& counts);
    Cycle fill(Channel& channel, Request request, std::uint64_t line, Counts& counts);

    const Parameters& p_;
    MemorySide& memory_;
    Translation translation_;
    std::vector<Channel> channels_;
};

}  // namespace vrocm::sim::timing
