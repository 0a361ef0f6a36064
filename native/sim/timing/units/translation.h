// Address translation: the last-level TLB of an XCD, and the first-level TLB of a compute unit.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/timing/counts.h"
#include "sim/timing/parameters.h"
#include "sim/timing/units/memory_side.h"
#include "sim/timing/units/tags.h"

namespace vrocm::sim::timing {

// The last-level TLB of an XCD.
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

// The first-level TLB of a compute unit. Fully associative, the page used longest ago makes room.
class UnitTranslation {
  public:
    explicit UnitTranslation(const Parameters& p) : p_(p), entries_(p.unit_tlb_entries) {}

    // Adds what it costs a request when the last-level TLB has to be asked.
    void pass(Request& request, std::uint64_t address) {
        if (entries_.empty()) return;
        const std::uint64_t page = address / p_.tlb_page;
        const Cycle at = request.issue + request.delay;
        Entry& entry = find(page);
        if (entry.page != page) entry = {page, at + p_.unit_tlb_miss, 0};
        entry.used = ++clock_;
        if (entry.ready > at) request.delay += entry.ready - at;
    }
    // Translations stay from kernel to kernel.
    void begin_dispatch() {
        for (Entry& entry : entries_) entry.ready = 0;
    }

  private:
    struct Entry {
        std::uint64_t page = ~0ull;
        Cycle ready = 0;
        std::uint64_t used = 0;
    };
    // The page's entry, or the one that makes room for it.
    Entry& find(std::uint64_t page) {
        std::uint8_t& hint = hints_[page % hints_.size()];
        if (hint < entries_.size() && entries_[hint].page == page) return entries_[hint];
        Entry* oldest = &entries_[0];
        for (Entry& entry : entries_) {
            if (entry.page == page) {
                oldest = &entry;
                break;
            }
            if (entry.used < oldest->used) oldest = &entry;
        }
        hint = static_cast<std::uint8_t>(oldest - entries_.data());
        return *oldest;
    }

    const Parameters& p_;
    std::vector<Entry> entries_;
    std::array<std::uint8_t, 64> hints_{};  // where a page was last
    std::uint64_t clock_ = 0;
};

}  // namespace vrocm::sim::timing
