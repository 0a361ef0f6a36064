#include "replay/addresses/plan.h"

#include <algorithm>
#include <iterator>

namespace rpl::replay {

namespace {

AddressRange pages_of(std::uint64_t base, std::uint64_t size) {
    return {page_down(base), page_up(base + size) - page_down(base)};
}

bool overlap(AddressRange a, AddressRange b) {
    return a.base < b.end() && b.base < a.end();
}

bool inside(AddressRange part, const std::vector<AddressRange>& ranges) {
    return std::any_of(ranges.begin(), ranges.end(),
                       [&](AddressRange r) { return part.base >= r.base && part.end() <= r.end(); });
}

// Host ranges of an application may share pages (two small allocations that it locked): what touches becomes one.
void merge(std::vector<HostSpan>& spans) {
    std::sort(spans.begin(), spans.end(),
              [](const HostSpan& a, const HostSpan& b) { return a.range.base < b.range.base; });
    std::vector<HostSpan> merged;
    for (const HostSpan& span : spans) {
        if (merged.empty() || span.range.base >= merged.back().range.end()) {
            merged.push_back(span);
            continue;
        }
        HostSpan& last = merged.back();
        last.range.size = std::max(last.range.end(), span.range.end()) - last.range.base;
        last.managed &= span.managed;
    }
    spans = std::move(merged);
}

bool has_memory(const Capture& capture, AddressRange range) {
    return std::any_of(capture.regions.begin(), capture.regions.end(),
                       [&](const CapturedRegion& r) { return range.base >= r.base && range.end() <= r.end(); });
}

}  // namespace

bool AddressPlan::touches(AddressRange range) const {
    // Both lists are in order and disjoint: only the last one that begins before the end can.
    const auto any = [range](const auto& list, const auto& range_of) {
        const auto after = std::partition_point(list.begin(), list.end(),
                                                [&](const auto& one) { return range_of(one).base < range.end(); });
        return after != list.begin() && overlap(range_of(*std::prev(after)), range);
    };
    return any(reserved, [](AddressRange one) { return one; }) ||
           any(host, [](const HostSpan& one) { return one.range; });
}

AddressPlan plan_addresses(const Capture& capture) {
    AddressPlan plan;
    for (const AddressRange& reservation : capture.reservations)
        plan.reserved.push_back(pages_of(reservation.base, reservation.size));
    const std::vector<AddressRange> reservations = plan.reserved;
    for (const CapturedRegion& region : capture.regions) {
        const AddressRange pages = pages_of(region.base, region.size);
        if (is_host(region.kind))
            plan.host.push_back({pages, region.kind == RegionKind::Managed});
        else if (region.kind != RegionKind::Globals && !inside(pages, reservations))
            plan.reserved.push_back(pages);
    }
    // Arguments that lie in no captured region get memory of their own at their address.
    const AddressRange kernarg{capture.kernarg_address, capture.kernarg.size()};
    if (kernarg.base && kernarg.size && !has_memory(capture, kernarg))
        plan.host.push_back({pages_of(kernarg.base, kernarg.size), false});
    merge(plan.host);
    if (capture.code && capture.code->size) plan.code.push_back(pages_of(capture.code->base, capture.code->size));
    std::sort(plan.reserved.begin(), plan.reserved.end(),
              [](AddressRange a, AddressRange b) { return a.base < b.base; });
    return plan;
}

}  // namespace rpl::replay
