#include "sim/timing/front_caches.h"

#include <algorithm>

namespace vrocm::sim::timing {

FrontCaches::FrontCaches(const Parameters& parameters, L2& l2)
    : p_(parameters), l2_(l2), instructions_(parameters.instruction_cache), scalars_(parameters.scalar_cache) {}

void FrontCaches::begin_dispatch() {
    // Code does not change between kernels; data may.
    instructions_.settle();
    scalars_.clear();
}

Cycle FrontCaches::fetch_from_l2(Cycle at, std::uint64_t line, Counts& counts) {
    const std::uint64_t address = line * p_.instruction_cache.line;
    const Cycle ready = l2_.read({at, 0}, address / p_.l2.line, counts) + p_.fetch_miss;
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
        ready = std::max<Cycle>(at, hit->ready);
    } else {
        ++counts.fetch_misses;
        ready = fetch_from_l2(at, line, counts);
    }
    // The next line is asked for while this one is used.
    if (!instructions_.find(line + 1)) fetch_from_l2(at, line + 1, counts);
    return ready;
}

Cycle FrontCaches::load(Cycle issue, std::uint64_t address, unsigned bytes, Counts& counts) {
    Cycle done = issue + p_.scalar_hit;
    const std::uint64_t last = (address + std::max(bytes, 1u) - 1) / p_.scalar_cache.line;
    for (std::uint64_t line = address / p_.scalar_cache.line; line <= last; ++line) {
        ++counts.scalar_requests;
        if (const Tags::Line* hit = scalars_.find(line)) {
            ++counts.scalar_hits;
            done = std::max<Cycle>(done, hit->ready);
            continue;
        }
        ++counts.scalar_misses;
        const std::uint64_t l2_line = line * p_.scalar_cache.line / p_.l2.line;
        const Cycle ready = l2_.read({issue, 0}, l2_line, counts) + p_.scalar_miss;
        Tags::Evicted evicted;
        scalars_.insert(line, ready, evicted);
        done = std::max(done, ready);
    }
    return done;
}

}  // namespace vrocm::sim::timing
