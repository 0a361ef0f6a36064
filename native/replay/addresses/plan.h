// Which addresses a replay needs, in whole pages: ranges for the runtime to reserve, and host memory to map.
#pragma once

#include <cstdint>
#include <vector>

#include "replay/captured/folder.h"

namespace rpl::replay {

constexpr std::uint64_t page_down(std::uint64_t address) {
    return address & ~std::uint64_t{snapshot::kPage - 1};
}
constexpr std::uint64_t page_up(std::uint64_t address) {
    return page_down(address + snapshot::kPage - 1);
}

struct HostSpan {
    AddressRange range;
    bool managed = false;  // by attributes of shared virtual memory, as opposed to locked
};

struct AddressPlan {
    // In order of addresses, disjoint.
    std::vector<AddressRange> reserved;  // by the runtime: memory of the GPU and reservations of the application
    std::vector<HostSpan> host;
    std::vector<AddressRange> code;  // where code should come to, if it can
    std::size_t size() const { return reserved.size() + host.size(); }
    // Whether any part of the range is in the plan.
    bool touches(AddressRange range) const;
};

AddressPlan plan_addresses(const Capture& capture);

}  // namespace rpl::replay
