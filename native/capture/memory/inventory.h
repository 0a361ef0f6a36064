// What memory the GPU of a dispatch can reach: the regions to capture, and ranges that cannot be captured.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "capture/bookkeeping/code_objects.h"
#include "capture/bookkeeping/ranges.h"
#include "capture/memory/region.h"

namespace rpl::capture {

// Memory that cannot be restored in another process. It matters when something points into it.
struct Unreachable {
    std::uint64_t base = 0, size = 0;
    std::string what, name, reason;  // for the verdict
    bool within_reach = false;       // a kernel that has a pointer into it can use it
    bool pointed_at = false;         // by something this kernel can find
    bool pointed_at_by_other_arguments = false;
    bool contains(std::uint64_t address) const { return address >= base && address - base < size; }
};

struct Inventory {
    std::vector<Region> regions;  // in the order of addresses, disjoint
    std::vector<Unreachable> unreachable;
    std::vector<Reservation> reservations;
    std::vector<std::shared_ptr<const PhysicalMemory>> handles;

    static Inventory of(hsa_agent_t agent, const ObservedCode& code);
    const Region* find(std::uint64_t address) const;
    // Looks at every word of the kernel's arguments: what memory they lead to.
    void follow(std::span<const std::uint8_t> kernarg);
};

}  // namespace rpl::capture
