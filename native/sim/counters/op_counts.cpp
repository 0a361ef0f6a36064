#include "sim/counters/op_counts.h"

namespace vrocm::sim::counters {

bool OpCounts::meant_lds(const MemoryAccess& access) {
    for (std::uint64_t left = access.lanes; left; left &= left - 1)
        if (access.address[std::countr_zero(left)] - kSharedAperture >= kApertureSize) return false;
    return true;
}

void OpCounts::add(const OpCounts& other) {
    if (entries_.size() < other.entries_.size()) entries_.resize(other.entries_.size());
    for (std::size_t i = 0; i < other.entries_.size(); ++i) {
        const Entry& from = other.entries_[i];
        if (!from.op) continue;
        Entry& to = entries_[i];
        to.op = from.op;
        to.executions += from.executions;
        to.lanes += from.lanes;
        to.lds_only += from.lds_only;
        to.lds_lanes += from.lds_lanes;
    }
}

}  // namespace vrocm::sim::counters
