// The captured addresses with memory behind them: ranges reserved exactly, physical memory by handle, maps and
// access, and host memory made accessible to the GPU.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "replay/addresses/plan.h"
#include "replay/device/device.h"
#include "replay/device/hsa_library.h"

namespace rpl::replay {

// A range that did not come to its address.
struct PlacementProblem {
    AddressRange range;
    std::uint64_t got = 0;  // 0: nowhere
    std::string reason;
    bool taken = false;       // it could only have come elsewhere
    std::string remedy = {};  // when it is known better than what can be said of any
    bool relocated() const { return taken || got; }
};

class AddressPlacement {
  public:
    AddressPlacement(const HsaLibrary& hsa, const ReplayDevice& device) : hsa_(hsa), device_(device) {}

    // Reserves every range of the plan; the answer lists those that are elsewhere or nowhere (and are given back).
    std::vector<PlacementProblem> reserve(const AddressPlan& plan);
    // Makes host memory, which is mapped already, accessible to the GPU at the same address.
    std::vector<PlacementProblem> expose_host(const AddressPlan& plan);
    // Physical memory for every region of the GPU and every mapping. Throws Failure.
    void map(const Capture& capture);
    // Regions that kernels could only read become so; until then they are writable, to be restored.
    void protect(const Capture& capture);
    // Reserves a page before and behind each region of the GPU where it is free: a kernel that runs over the edge
    // faults. Returns how many pages.
    std::size_t guard(const Capture& capture, const AddressPlan& plan);

    // Reserves exactly this range, or nothing. For code that has to come to an address.
    bool block(AddressRange range);
    void unblock();

  private:
    // Where the range was reserved: 0 when nowhere, with the status.
    std::uint64_t reserve_at(AddressRange range, hsa_status_t& status);
    PlacementProblem seen_elsewhere(AddressRange range, std::uint64_t got) const;
    hsa_amd_vmem_alloc_handle_t make_memory(hsa_amd_memory_pool_t pool, std::uint64_t size, bool pinned);
    void set_access(AddressRange range, hsa_access_permission_t permission);

    const HsaLibrary& hsa_;
    const ReplayDevice& device_;
    std::vector<AddressRange> blocks_;
};

// The failure for ranges that are not at their addresses; relocation if any was relocated.
struct Failure;
Failure failure_of(const std::vector<PlacementProblem>& problems);

}  // namespace rpl::replay
