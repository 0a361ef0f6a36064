// How often each instruction of a dispatch ran, and with how many lanes: what instruction counters follow from exactly,
// also where only a part of the dispatch is simulated in time.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "sim/code/op.h"

namespace vrocm::sim::counters {

class OpCounts {
  public:
    struct Entry {
        const Op* op = nullptr;
        std::uint64_t executions = 0;
        std::uint64_t lanes = 0;     // active, summed over executions
        std::uint64_t lds_only = 0;  // executions of a flat instruction in which every lane meant the LDS
        std::uint64_t lds_lanes = 0;
    };

    void add(const Op* op, std::uint64_t exec) {
        if (op->index >= entries_.size()) entries_.resize(op->index + op->index / 2 + 256);
        Entry& entry = entries_[op->index];
        entry.op = op;
        ++entry.executions;
        entry.lanes += static_cast<unsigned>(std::popcount(exec));
    }
    // For a flat instruction after it ran: what its lanes touched.
    void add_flat(const Op* op, const MemoryAccess& access) {
        if (!meant_lds(access)) return;
        ++entries_[op->index].lds_only;
        entries_[op->index].lds_lanes += static_cast<unsigned>(std::popcount(access.lanes));
    }
    void add(const OpCounts& other);

    const std::vector<Entry>& entries() const { return entries_; }  // by Op::index; those without op did not run

  private:
    static bool meant_lds(const MemoryAccess& access);
    std::vector<Entry> entries_;
};

inline bool OpCounts::meant_lds(const MemoryAccess& access) {
    for (std::uint64_t left = access.lanes; left; left &= left - 1)
        if (access.address[std::countr_zero(left)] - kSharedAperture >= kApertureSize) return false;
    return true;
}

inline void OpCounts::add(const OpCounts& other) {
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
