#include "replay/addresses/placement.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>

#include "replay/addresses/steering.h"
#include "replay/failure.h"

namespace rpl::replay {

namespace {

void* pointer(std::uint64_t address) {
    return reinterpret_cast<void*>(address);
}

AddressRange pages_of(const CapturedRegion& region) {
    const std::uint64_t base = page_down(region.base);
    return {base, page_up(region.end()) - base};
}

bool on_gpu_pages(const CapturedRegion& region) {
    return region.kind == RegionKind::ReplayDevice || region.kind == RegionKind::Vmem;
}

std::string bytes_at(AddressRange range) {
    return std::to_string(range.size) + " bytes at " + hexadecimal(range.base);
}

}  // namespace

// ---- reserving ----

std::uint64_t AddressPlacement::reserve_at(AddressRange range, hsa_status_t& status) {
    void* got = nullptr;
    status = hsa_.hsa_amd_vmem_address_reserve(&got, range.size, range.base, 0);
    return status == HSA_STATUS_SUCCESS ? reinterpret_cast<std::uint64_t>(got) : 0;
}

std::vector<PlacementProblem> AddressPlacement::reserve(const AddressPlan& plan) {
    std::vector<PlacementProblem> problems;
    for (const AddressRange& range : plan.reserved) {
        hsa_status_t status;
        const std::uint64_t got = reserve_at(range, status);
        if (got == range.base) continue;
        if (!got) {
            problems.push_back({range, 0, "the runtime could not reserve it: " + hsa_.describe(status)});
            continue;
        }
        hsa_.hsa_amd_vmem_address_free(pointer(got), range.size);
        const std::string by = who_has(range);
        problems.push_back({range, got, by.empty() ? "the runtime put it elsewhere" : "the address has " + by});
    }
    return problems;
}

PlacementProblem AddressPlacement::seen_elsewhere(AddressRange range, std::uint64_t got) const {
    if (hsa_.has_shared_virtual_memory()) return {range, got, "the GPU sees this host memory at another address"};
    const char* use = std::getenv("HSA_USE_SVM");
    const bool unset = use && std::strcmp(use, "0") == 0;
    return {.range = range,
            .got = got,
            .reason =
                "this runtime has no shared virtual memory (HSA_AMD_SYSTEM_INFO_SVM_SUPPORTED is false), so that "
                "the GPU sees host memory at addresses of its own",
            .remedy = unset ? "unset HSA_USE_SVM"
                            : "replay on a Linux kernel that is built with CONFIG_HSA_AMD_SVM; rocm-perf doctor tells"};
}

std::vector<PlacementProblem> AddressPlacement::expose_host(const AddressPlan& plan) {
    std::vector<PlacementProblem> problems;
    for (const HostSpan& span : plan.host) {
        if (span.managed) {
            hsa_amd_svm_attribute_pair_t access{HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE, device_.agent.handle};
            if (hsa_.hsa_amd_svm_attributes_set(pointer(span.range.base), span.range.size, &access, 1) ==
                HSA_STATUS_SUCCESS)
                continue;  // without shared virtual memory locking does it as well
        }
        void* seen = nullptr;
        hsa_agent_t agent = device_.agent;
        const hsa_status_t status =
            hsa_.hsa_amd_memory_lock(pointer(span.range.base), span.range.size, &agent, 1, &seen);
        const auto got = reinterpret_cast<std::uint64_t>(seen);
        if (status != HSA_STATUS_SUCCESS)
            problems.push_back({span.range, 0, "host memory could not be locked: " + hsa_.describe(status)});
        else if (got != span.range.base)
            problems.push_back(seen_elsewhere(span.range, got));
    }
    return problems;
}

Failure failure_of(const std::vector<PlacementProblem>& problems) {
    // A range that is elsewhere is the more telling one: nothing is broken, the place is taken.
    const auto relocated =
        std::find_if(problems.begin(), problems.end(), [](const PlacementProblem& p) { return p.relocated(); });
    const bool moved = relocated != problems.end();
    const PlacementProblem& first = moved ? *relocated : problems.front();
    const std::string more =
        problems.size() > 1 ? " (and " + std::to_string(problems.size() - 1) + " more ranges)" : "";
    if (moved)
        return {ExitCode::Relocated, "relocated",
                bytes_at(first.range) + (first.got ? " would come to " + hexadecimal(first.got) : " cannot be there") +
                    ": " + first.reason + more,
                "pointers in the captured memory would be wrong, so nothing was run; " +
                    (first.remedy.empty() ? "end what holds that address in this process (tools libraries, preloaded "
                                            "libraries), or try again: addresses of libraries change from run to run"
                                          : first.remedy)};
    return {ExitCode::HsaFailure, "reservation", bytes_at(first.range) + ": " + first.reason + more,
            "see whether the GPU and the limits of this process (ulimit -v, ulimit -l) leave enough memory"};
}

// ---- mapping ----

hsa_amd_vmem_alloc_handle_t AddressPlacement::make_memory(hsa_amd_memory_pool_t pool, std::uint64_t size, bool pinned) {
    hsa_amd_vmem_alloc_handle_t handle{};
    const hsa_status_t status =
        hsa_.hsa_amd_vmem_handle_create(pool, size, pinned ? MEMORY_TYPE_PINNED : MEMORY_TYPE_NONE, 0, &handle);
    if (status != HSA_STATUS_SUCCESS)
        throw Failure{ExitCode::HsaFailure, "memory",
                      std::to_string(size) + " bytes of memory on " + device_.name +
                          " could not be had: " + hsa_.describe(status),
                      "free memory of the GPU (rocm-smi --showpids), or shrink the capture with rocm-perf replay "
                      "minimise"};
    return handle;
}

void AddressPlacement::set_access(AddressRange range, hsa_access_permission_t permission) {
    const hsa_amd_memory_access_desc_t access{permission, device_.agent};
    hsa_.check(hsa_.hsa_amd_vmem_set_access(pointer(range.base), range.size, &access, 1),
               "giving the GPU access to " + bytes_at(range));
}

// A handle each for regions of the GPU, and one for all mappings of a captured handle: a mapping always begins with its
// handle. ROCr takes an offset and does not look at it.
void AddressPlacement::map(const Capture& capture) {
    std::map<std::string, std::uint64_t> sizes;
    for (const CapturedRegion& region : capture.regions)
        if (region.kind == RegionKind::Vmem)
            sizes[region.handle] = std::max(sizes[region.handle], pages_of(region).size);
    std::map<std::string, hsa_amd_vmem_alloc_handle_t> handles;
    for (const CapturedHandle& handle : capture.handles)
        if (sizes.contains(handle.id))
            handles[handle.id] = make_memory(device_.pool(handle.pool, handle.on_gpu), sizes[handle.id], handle.pinned);
    for (const CapturedRegion& region : capture.regions) {
        if (!on_gpu_pages(region)) continue;
        const AddressRange pages = pages_of(region);
        const hsa_amd_vmem_alloc_handle_t memory =
            region.kind == RegionKind::Vmem ? handles.at(region.handle)
                                            : make_memory(device_.pool(region.pool, true), pages.size, false);
        hsa_.check(hsa_.hsa_amd_vmem_map(pointer(pages.base), pages.size, 0, memory, 0), "mapping " + bytes_at(pages));
        set_access(pages, HSA_ACCESS_PERMISSION_RW);
    }
}

void AddressPlacement::protect(const Capture& capture) {
    for (const CapturedRegion& region : capture.regions)
        if (region.kind == RegionKind::Vmem && region.read_only) set_access(pages_of(region), HSA_ACCESS_PERMISSION_RO);
}

// ---- guards and blocks ----

std::size_t AddressPlacement::guard(const Capture& capture, const AddressPlan& plan) {
    std::size_t guards = 0;
    const auto try_page = [&](std::uint64_t base) {
        const AddressRange page{base, snapshot::kPage};
        if (plan.touches(page)) return;
        hsa_status_t status;
        const std::uint64_t got = reserve_at(page, status);
        if (got == base)
            ++guards;
        else if (got)
            hsa_.hsa_amd_vmem_address_free(pointer(got), page.size);
    };
    for (const CapturedRegion& region : capture.regions) {
        if (region.kind != RegionKind::ReplayDevice) continue;
        const AddressRange pages = pages_of(region);
        try_page(pages.base - snapshot::kPage);
        try_page(pages.end());
    }
    return guards;
}

bool AddressPlacement::block(AddressRange range) {
    hsa_status_t status;
    const std::uint64_t got = reserve_at(range, status);
    if (got == range.base) {
        blocks_.push_back(range);
        return true;
    }
    if (got) hsa_.hsa_amd_vmem_address_free(pointer(got), range.size);
    return false;
}

void AddressPlacement::unblock() {
    for (const AddressRange& range : blocks_) hsa_.hsa_amd_vmem_address_free(pointer(range.base), range.size);
    blocks_.clear();
}

}  // namespace rpl::replay
