#include "sim/checkers/allocations.h"

#include <algorithm>

#include "sim/checkers/variables.h"

namespace vrocm::sim::checkers {

bool is_runtimes_own(const Allocation& allocation) {
    return allocation.kind == "code" || allocation.kind == "queue" || allocation.kind == "signals" ||
           allocation.kind == "kernarg";
}

void ExactAllocations::refresh() {
    std::fill(std::begin(recent_), std::end(recent_), Range{});
    ranges_.clear();
    version_ = AddressSpace::process().version();
    // Code is looked at afterwards: that takes locks of its own.
    std::vector<Allocation> codes;
    AddressSpace::process().for_each([&](const Allocation& allocation) {
        if (allocation.kind == "code") {
            codes.push_back(allocation);
            return;
        }
        const std::uint64_t end = is_runtimes_own(allocation) ? allocation.end() : allocation.base + allocation.size;
        if (!ranges_.empty() && ranges_.back().end == allocation.base && allocation.kind == "registered")
            ranges_.back().end = end;  // one registration may be kept in pieces
        else
            ranges_.push_back({allocation.base, end});
    });
    for (const Allocation& code : codes)
        for (const Allocation& part : parts_of_code(code)) ranges_.push_back({part.base, part.base + part.size});
    std::sort(ranges_.begin(), ranges_.end(), [](const Range& a, const Range& b) { return a.begin < b.begin; });
}

bool ExactAllocations::look_up(std::uint64_t begin, std::uint64_t end) {
    auto it = std::upper_bound(ranges_.begin(), ranges_.end(), begin,
                               [](std::uint64_t address, const Range& one) { return address < one.begin; });
    if (it == ranges_.begin()) return false;
    --it;
    if (begin >= end || end > it->end) return false;
    recent_[victim_++ % kRecent] = *it;
    return true;
}

}  // namespace vrocm::sim::checkers
