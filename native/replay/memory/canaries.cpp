#include "replay/memory/canaries.h"

#include <algorithm>
#include <cstring>
#include <mutex>

#include "replay/addresses/plan.h"
#include "replay/memory/pattern.h"

namespace rpl::replay {

namespace {

constexpr std::uint64_t kSeed = 0xCA9A91E5;

}  // namespace

Canaries::Canaries(const Capture& capture, CopyLanes& lanes) : lanes_(lanes) {
    for (const CapturedRegion& region : capture.regions) {
        if (region.kind == RegionKind::Globals || region.kind == RegionKind::Vmem) continue;
        add(capture, {page_down(region.base), region.base - page_down(region.base)}, region, "before");
        add(capture, {region.end(), page_up(region.end()) - region.end()}, region, "behind the end of");
    }
}

// Other regions may begin or end in the same page; only what is nobody's is a canary. The kernarg segment may lie
// there too.
void Canaries::add(const Capture& capture, AddressRange range, const CapturedRegion& region, const char* side) {
    std::vector<AddressRange> taken;
    const bool may_share = is_host(region.kind);  // the runtime gives memory in whole pages
    for (const CapturedRegion& other : capture.regions)
        if (may_share && &other != &region && other.base < range.end() && range.base < other.end())
            taken.push_back({other.base, other.size});
    const AddressRange kernarg{capture.kernarg_address, capture.kernarg.size()};
    if (kernarg.base < range.end() && range.base < kernarg.end()) taken.push_back(kernarg);
    // What another region's canary has covered already.
    for (const Canary& canary : canaries_)
        if (may_share && canary.range.base < range.end() && range.base < canary.range.end())
            taken.push_back(canary.range);
    std::sort(taken.begin(), taken.end(), [](AddressRange a, AddressRange b) { return a.base < b.base; });
    const auto keep = [&](std::uint64_t begin, std::uint64_t end) {
        if (begin >= end) return;
        canaries_.push_back(
            {{begin, end - begin},
             is_host(region.kind),
             std::string(side) + " the " + name_of(region.kind) + " region at " + hexadecimal(region.base)});
    };
    std::uint64_t at = range.base;
    for (const AddressRange& t : taken) {
        keep(at, std::min(t.base, range.end()));
        at = std::max(at, t.end());
    }
    keep(at, range.end());
}

std::uint64_t Canaries::bytes() const {
    std::uint64_t sum = 0;
    for (const Canary& canary : canaries_) sum += canary.range.size;
    return sum;
}

void Canaries::put(CopyLane& lane, const Canary& canary) {
    fill_pattern(canary.range.base, kSeed, {lane.staging(), canary.range.size});
    if (canary.host)
        std::memcpy(reinterpret_cast<void*>(canary.range.base), lane.staging(), canary.range.size);
    else
        lane.to_device(canary.range.base, lane.staging(), canary.range.size, true);
}

void Canaries::write() {
    lanes_.for_each(canaries_.size(), [&](CopyLane& lane, std::size_t i) { put(lane, canaries_[i]); });
}

std::vector<std::string> Canaries::check(std::uint64_t iteration) {
    std::vector<std::string> damaged;
    std::mutex mutex;
    lanes_.for_each(canaries_.size(), [&](CopyLane& lane, std::size_t i) {
        const Canary& canary = canaries_[i];
        const std::size_t size = canary.range.size;
        std::vector<std::uint8_t> expected(size);
        fill_pattern(canary.range.base, kSeed, expected);
        const std::uint8_t* found = lane.staging();
        if (canary.host)
            found = reinterpret_cast<const std::uint8_t*>(canary.range.base);
        else
            lane.from_device(lane.staging(), canary.range.base, size, true);
        if (std::memcmp(found, expected.data(), size) == 0) return;
        std::size_t first = size, count = 0;
        for (std::size_t at = 0; at < size; ++at) {
            if (found[at] == expected[at]) continue;
            first = std::min(first, at);
            ++count;
        }
        {
            std::lock_guard lock(mutex);
            damaged.push_back(std::to_string(count) + " bytes " + canary.where + " were written, the first at " +
                              hexadecimal(canary.range.base + first) + ", in iteration " + std::to_string(iteration));
        }
        put(lane, canary);
    });
    std::sort(damaged.begin(), damaged.end());
    return damaged;
}

}  // namespace rpl::replay
