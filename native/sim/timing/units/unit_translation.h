// Address translation: the first-level TLB of a compute unit.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/timing/parameters.h"
#include "sim/timing/units/memory_side.h"

namespace vrocm::sim::timing {

// Fully associative, the page used longest ago makes room.
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
