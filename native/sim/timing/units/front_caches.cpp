#include "sim/timing/units/front_caches.h"

#include <algorithm>

namespace vrocm::sim::timing {

namespace {
constexpr std::uint32_t kRequest = 64;  // bytes that these caches ask the L2 for at a time
// Code that is fetched beyond what is used: 16 parts (LLVM pads code for gfx90a by as many; an MI300X asks for 18 on a
// kernel of two).
constexpr std::uint64_t kAhead = 16 * kRequest;
// Scalar loads that look for a line while it is on its way; later ones look when it is there. An MI300X counts as many
// for each line that misses.
constexpr unsigned kWaiting = 30;
}  // namespace

FrontCaches::FrontCaches(const Parameters& parameters, L2& l2)
    : p_(parameters), l2_(l2), instructions_(parameters.instruction_cache), scalars_(parameters.scalar_cache) {}

void FrontCaches::begin_dispatch(bool invalidate) {
    // Code does not change between kernels; data may.
    if (invalidate)
        instructions_.clear();
    else
        instructions_.settle();
    scalars_.clear();
}

Cycle FrontCaches::fetch_from_l2(Cycle at, std::uint64_t line, Counts& counts) {
    const std::uint64_t address = line * p_.instruction_cache.line;
    const unsigned parts = std::max(p_.instruction_cache.line / kRequest, 1u);
    counts.fetch_requests += parts;
    const Cycle ready = l2_.read({at, 0}, address / p_.l2.line, counts, parts) + p_.fetch_miss;
    Tags::Evicted evicted;
    instructions_.insert(line, ready, evicted);
    return ready;
}

Cycle FrontCaches::fetch(Cycle at, std::uint64_t pc, Counts& counts) {
    const std::uint64_t line = fetch_line(pc);
    ++counts.fetches;
    Cycle ready = at;
    if (const Tags::Line* hit = instructions_.find(line)) {
        ++counts.fetch_hits;
        if (hit->ready > at) ++counts.fetch_duplicates;
        ready = std::max<Cycle>(at, hit->ready);
    } else {
        ++counts.fetch_misses;
        ready = fetch_from_l2(at, line, counts);
    }
    // The lines that follow are asked for while this one is used.
    const std::uint64_t ahead = kAhead / p_.instruction_cache.line;
    for (std::uint64_t next = line + 1; next <= line + ahead; ++next)
        if (!instructions_.find(next)) fetch_from_l2(at, next, counts);
    return ready;
}

Cycle FrontCaches::load(Cycle issue, std::uint64_t address, unsigned bytes, Counts& counts) {
    Cycle done = issue + p_.scalar_hit;
    const std::uint64_t last = (address + std::max(bytes, 1u) - 1) / p_.scalar_cache.line;
    for (std::uint64_t line = address / p_.scalar_cache.line; line <= last; ++line) {
        ++counts.scalar_requests;
        if (const Tags::Line* hit = scalars_.find(line)) {
            ++counts.scalar_hits;
            if (hit->ready > issue && waiting_ < kWaiting) {
                ++waiting_;
                ++counts.scalar_duplicates;
            }
            done = std::max<Cycle>(done, hit->ready);
            continue;
        }
        ++counts.scalar_misses;
        waiting_ = 0;
        const std::uint64_t l2_line = line * p_.scalar_cache.line / p_.l2.line;
        const Cycle ready = l2_.read({issue, 0}, l2_line, counts, 1) + p_.scalar_miss;
        Tags::Evicted evicted;
        scalars_.insert(line, ready, evicted);
        done = std::max(done, ready);
    }
    return done;
}

}  // namespace vrocm::sim::timing
