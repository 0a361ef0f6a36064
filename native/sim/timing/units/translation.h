// Address translation: the last-level TLB of an XCD.
#pragma once

#include "sim/timing/counts.h"
#include "sim/timing/parameters.h"
#include "sim/timing/units/memory_side.h"
#include "sim/timing/units/tags.h"

namespace vrocm::sim::timing {

class Translation {
  public:
    explicit Translation(const Parameters& p) : p_(p), tags_(p.tlb_entries, 16) {}

    // Adds what the translation of an address costs a request.
    void pass(Request& request, std::uint64_t address, Counts& counts) {
        const std::uint64_t page = address / p_.tlb_page;
        if (page == last_) return;
        ++counts.translations;
        last_ = page;
        if (Tags::Line* hit = tags_.find(page)) {
            const Cycle at = request.issue + request.delay;
            if (hit->ready > at) request.delay += hit->ready - at;
            return;
        }
        ++counts.translation_misses;
        request.pass(walker_, 0, p_.tlb_walk_rate);
        request.delay += p_.tlb_walk;
        Tags::Evicted evicted;
        tags_.insert(page, request.issue + request.delay, evicted);
    }
    void begin_dispatch() {
        walker_.reset();
        tags_.settle();
        last_ = ~0ull;
    }

  private:
    const Parameters& p_;
    Tags tags_;
    SharedPipe walker_;
    std::uint64_t last_ = ~0ull;
};

}  // namespace vrocm::sim::timing
