#include "sim/checkers/finding.h"

#include <algorithm>
#include <bit>

namespace vrocm::sim::checkers {

Place place_of(const Wave& wave, std::uint64_t pc, std::uint64_t lanes) {
    const Workgroup& group = *wave.group;
    Place place;
    place.pc = pc;
    place.group = group.index;
    place.wave = wave.index_in_group;
    place.lanes = lanes;
    std::copy_n(group.id, 3, place.workgroup.begin());
    const auto lane = lanes ? static_cast<std::uint32_t>(std::countr_zero(lanes)) : 0;
    const std::uint32_t flat = wave.index_in_group * kLanes + lane;
    const std::uint32_t x = std::max(group.size[0], 1u), y = std::max(group.size[1], 1u);
    place.thread = {flat % x, flat / x % y, flat / x / y};
    return place;
}

void FindingTable::add(const FindingTable& other) {
    notes_.insert(other.notes_.begin(), other.notes_.end());
    for (const auto& [key, theirs] : other.entries_) {
        const auto [it, fresh] = entries_.try_emplace(key, theirs);
        if (fresh) continue;
        it->second.count += theirs.count;
        if (theirs.finding.place.group < it->second.finding.place.group) it->second.finding = theirs.finding;
    }
}

}  // namespace vrocm::sim::checkers
