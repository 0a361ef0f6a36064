// What lies behind the L2s: Infinity Cache, memory channels, and the link to the memory of the host.
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include "sim/timing/counts.h"
#include "sim/timing/parameters.h"
#include "sim/timing/units/pipe.h"
#include "sim/timing/units/tags.h"

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
    // Waits for another that it pushes ahead, as far as a buffer of some clocks does not hide that one's wait.
    void follow(const Request& other, Cycle buffer) {
        delay = std::max(delay, other.delay - std::min(other.delay, buffer));
    }
};

class MemorySide {
  public:
    MemorySide(const GpuModel& gpu, const Parameters& parameters);

    // Both give when the request is done, as seen from the compute unit that issued it.
    Cycle read(Request request, std::uint64_t line, Counts& counts);
    // When the cache has taken what is written: the delay that the request has met.
    Request write(Request request, std::uint64_t line, Counts& counts);

    void begin_dispatch();
    std::uint64_t busy() const;  // clocks of the busiest kind of channel, averaged over its channels

    // Memory of the host: ranges of addresses, ordered.
    struct HostRange {
        std::uint64_t begin, end;
    };
    void set_host_ranges(std::vector<HostRange> ranges) { host_ = std::move(ranges); }
    bool on_host(std::uint64_t address) const;

    // As for the L2.
    std::uint64_t inserted() const { return inserted_; }
    std::uint64_t driven_out() const { return driven_out_; }
    std::uint64_t capacity() const { return cache_.present() ? p_.infinity_cache.bytes / p_.infinity_cache.line : 0; }
    void fill_up(unsigned dirty_share) { cache_.fill_up(dirty_share); }
    void forget() { cache_.clear(); }

    void touch(std::uint64_t line, bool write);

    // What a part of a dispatch that is not simulated does to the cache: `share` times as much as the part that was
    // goes through it, in the allocations that this one touched.
    void pass_unseen(std::uint64_t parts, std::uint64_t of);

  private:
    struct Channel {
        SharedPipe pipe;
        bool writes = false;
    };
    void evict(Request& request, const Tags::Evicted& line, Counts& counts);
    void note_insertion(std::uint64_t line);
    void stream(std::uint64_t begin, std::uint64_t bytes);
    void use_memory(Request& request, std::uint64_t line, bool write, Counts& counts);
    Channel& channel_of(std::uint64_t line);

    const Parameters& p_;
    Tags cache_;
    std::vector<Channel> channels_;
    SharedPipe host_link_;
    std::vector<HostRange> host_;
    std::uint64_t inserted_ = 0;    // lines, by this dispatch
    std::uint64_t driven_out_ = 0;  // dirty lines, to make room for them
    std::uint64_t last_page_ = ~0ull;
    std::set<std::uint64_t> pages_;  // of kPage bytes, that they lie in
};

}  // namespace vrocm::sim::timing
