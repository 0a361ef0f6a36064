// What lies behind the L2s: Infinity Cache, memory channels, and the link to the memory of the host.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/timing/counts.h"
#include "sim/timing/parameters.h"
#include "sim/timing/pipe.h"
#include "sim/timing/tags.h"

namespace vrocm::sim::timing {

// A request on its way. Each stage is reached at a fixed time after issue plus what queues have cost so far.
struct Request {
    Cycle issue = 0;
    Cycle delay = 0;
    // Passes a stage that is `offset` after issue when nothing waits.
    template <typename P>
    void pass(P& pipe, Cycle offset, std::uint32_t cost) {
        const Cycle at = issue + offset + delay;
        delay += pipe.take(at, cost) - at;
    }
    Cycle done(Cycle latency) const { return issue + latency + delay; }
};

class MemorySide {
  public:
    MemorySide(const GpuModel& gpu, const Parameters& parameters);

    // Both give when the request is done, as seen from the compute unit that issued it.
    Cycle read(Request request, std::uint64_t line, Counts& counts);
    void write(Request request, std::uint64_t line, Counts& counts);

    void begin_dispatch();
    std::uint64_t busy() const;  // clocks of the busiest kind of channel, averaged over its channels

    // Memory of the host: ranges of addresses, ordered.
    struct HostRange {
        std::uint64_t begin, end;
    };
    void set_host_ranges(std::vector<HostRange> ranges) { host_ = std::move(ranges); }
    bool on_host(std::uint64_t address) const;

    // A range that a part of a kernel that is not simulated goes through: it is in the cache afterwards.
    void stream(std::uint64_t begin, std::uint64_t bytes);

  private:
    struct Channel {
        SharedPipe pipe;
        bool writes = false;
    };
    void use_memory(Request& request, std::uint64_t line, bool write, Counts& counts);
    Channel& channel_of(std::uint64_t line);

    const Parameters& p_;
    Tags cache_;
    std::vector<Channel> channels_;
    SharedPipe host_link_;
    std::vector<HostRange> host_;
};

}  // namespace vrocm::sim::timing
