#include "hsa/memory/host_ranges.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "sim/memory/address_space.h"

namespace vrocm::hsa {

HostRanges::~HostRanges() {
    for (const auto& [begin, end] : published_) sim::AddressSpace::process().remove(begin);
}

std::uint64_t HostRanges::add(std::uint64_t begin, std::uint64_t end, bool writable) {
    std::lock_guard lock(mutex_);
    const std::uint64_t identity = next_++;
    ranges_[identity] = {begin, end, writable};
    publish(begin, end);
    return identity;
}

void HostRanges::remove(std::uint64_t identity) {
    std::lock_guard lock(mutex_);
    const auto it = ranges_.find(identity);
    if (it == ranges_.end()) return;
    const Range gone = it->second;
    ranges_.erase(it);
    publish(gone.begin, gone.end);
}

// Cuts the part of the map that touches [begin, end) at every edge of a range and publishes the pieces anew.
void HostRanges::publish(std::uint64_t begin, std::uint64_t end) {
    auto& space = sim::AddressSpace::process();
    auto it = published_.upper_bound(begin);
    if (it != published_.begin() && std::prev(it)->second > begin) --it;
    while (it != published_.end() && it->first < end) {
        begin = std::min(begin, it->first);
        end = std::max(end, it->second);
        space.remove(it->first);
        it = published_.erase(it);
    }
    std::set<std::uint64_t> edges{begin, end};
    std::vector<Range> touching;
    for (const auto& [identity, range] : ranges_) {
        if (range.end <= begin || range.begin >= end) continue;
        touching.push_back(range);
        edges.insert(std::max(range.begin, begin));
        edges.insert(std::min(range.end, end));
    }
    for (auto from = edges.begin(), to = std::next(from); to != edges.end(); from = to++) {
        bool covered = false, writable = false;
        for (const Range& range : touching)
            if (range.begin <= *from && *to <= range.end) {
                covered = true;
                writable |= range.writable;
            }
        if (!covered) continue;
        space.add({.base = *from,
                   .size = *to - *from,
                   .accessible = *to - *from,
                   .device_readable = true,
                   .device_writable = writable,
                   .kind = "registered"});
        published_[*from] = *to;
    }
}

}  // namespace vrocm::hsa
