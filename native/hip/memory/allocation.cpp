#include "hip/memory/allocation.h"

#include <map>
#include <mutex>
#include <shared_mutex>
#include <vector>

#include "abi/hsa/hsa_ext_amd.h"
#include "abi/vrocm/check.h"
#include "hip/device/device.h"
#include "hip/error.h"
#include "hip/memory/mem_pool.h"
#include "hip/runtime.h"

namespace vrocm::hip {

namespace {

struct AllocationMap {
    std::shared_mutex mutex;
    std::map<std::uintptr_t, std::shared_ptr<HipAllocation>> by_base;
    std::uint64_t next_id = 1;

    // The last allocation that begins at or before the address.
    std::shared_ptr<HipAllocation> at_or_before(std::uintptr_t address) const {
        auto after = by_base.upper_bound(address);
        return after == by_base.begin() ? nullptr : std::prev(after)->second;
    }
};
AllocationMap& allocations() {
    static AllocationMap* instance = new AllocationMap;
    return *instance;
}

void* allocate_from(hsa_amd_memory_pool_t pool, std::size_t size) {
    void* memory = nullptr;
    require(hsa_amd_memory_pool_allocate(pool, size, 0, &memory) == HSA_STATUS_SUCCESS, hipErrorOutOfMemory);
    return memory;
}

void allow_access(const std::vector<hsa_agent_t>& agents, const void* memory) {
    require_hsa(hsa_amd_agents_allow_access(static_cast<std::uint32_t>(agents.size()), agents.data(), nullptr, memory));
}

}  // namespace

std::shared_ptr<HipAllocation> find_allocation(const void* address) {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    AllocationMap& map = allocations();
    std::shared_lock lock(map.mutex);
    auto found = map.at_or_before(at);
    return found && at - reinterpret_cast<std::uintptr_t>(found->base) < found->size ? found : nullptr;
}

bool overlaps_allocation(const void* address, std::size_t size) {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    AllocationMap& map = allocations();
    std::shared_lock lock(map.mutex);
    auto found = map.at_or_before(at + size - 1);
    return found && reinterpret_cast<std::uintptr_t>(found->base) + found->size > at;
}

void add_allocation(const HipAllocation& allocation) {
    AllocationMap& map = allocations();
    std::unique_lock lock(map.mutex);
    auto entry = std::make_shared<HipAllocation>(allocation);
    entry->id = map.next_id++;
    map.by_base[reinterpret_cast<std::uintptr_t>(allocation.base)] = std::move(entry);
}

std::shared_ptr<HipAllocation> remove_allocation(const void* base) {
    AllocationMap& map = allocations();
    std::unique_lock lock(map.mutex);
    auto found = map.by_base.find(reinterpret_cast<std::uintptr_t>(base));
    if (found == map.by_base.end()) return nullptr;
    auto removed = found->second;
    map.by_base.erase(found);
    return removed;
}

void* allocate_device(Device& device, std::size_t size, HipAllocation::Kind kind, unsigned flags) {
    void* memory = allocate_from(device.device_pool(), size);
    std::vector<hsa_agent_t> agents{device.agent()};
    // Devices that enabled access to this one's memory see what is allocated later as well.
    for (const auto& other : HipRuntime::get().devices()) {
        std::lock_guard lock(other->submission());
        if (other->id() != device.id() && other->peers.count(device.id())) agents.push_back(other->agent());
    }
    if (kind == HipAllocation::Kind::Managed) agents = HipRuntime::get().gpu_agents();
    allow_access(agents, memory);
    HipAllocation made;
    made.kind = kind;
    made.base = static_cast<std::uint8_t*>(memory);
    made.size = size;
    made.device = device.id();
    made.flags = flags;
    add_allocation(made);
    if (kind == HipAllocation::Kind::Device) vrocm_check_allocated(memory, size);
    return memory;
}

void* allocate_host(Device& device, std::size_t size, unsigned flags) {
    void* memory = allocate_from(device.host_pool(), size);
    allow_access(HipRuntime::get().gpu_agents(), memory);
    HipAllocation made;
    made.kind = HipAllocation::Kind::Host;
    made.base = static_cast<std::uint8_t*>(memory);
    made.size = size;
    made.device = device.id();
    made.flags = flags;
    add_allocation(made);
    return memory;
}

void free_memory(void* pointer) {
    if (!pointer) return;
    auto allocation = find_allocation(pointer);
    require(allocation && allocation->base == pointer &&
            (allocation->kind == HipAllocation::Kind::Device || allocation->kind == HipAllocation::Kind::Host ||
             allocation->kind == HipAllocation::Kind::Managed));
    // Freeing synchronises: kernels may still use the memory.
    for (const auto& device : HipRuntime::get().devices()) device->synchronize();
    if (allocation->pool) {
        allocation->pool->free_now(pointer);
        return;
    }
    require(remove_allocation(pointer) != nullptr);
    require_hsa(hsa_amd_memory_pool_free(pointer));
}

void grant_access(int device, hsa_agent_t agent) {
    AllocationMap& map = allocations();
    std::shared_lock lock(map.mutex);
    const std::vector<hsa_agent_t> agents{HipRuntime::get().device(device).agent(), agent};
    for (const auto& [base, allocation] : map.by_base)
        if (allocation->device == device &&
            (allocation->kind == HipAllocation::Kind::Device || allocation->kind == HipAllocation::Kind::Array))
            allow_access(agents, allocation->base);
}

void free_allocations_of(int device) {
    std::vector<void*> left;
    {
        AllocationMap& map = allocations();
        std::shared_lock lock(map.mutex);
        for (const auto& [base, allocation] : map.by_base)
            if (allocation->device == device &&
                (allocation->kind == HipAllocation::Kind::Device || allocation->kind == HipAllocation::Kind::Host))
                left.push_back(allocation->base);
    }
    for (void* pointer : left) free_memory(pointer);
}

// At the end of the process, after the last of its own functions.
__attribute__((destructor)) static void report_leaks() {
    if (!vrocm_check_wanted()) return;
    AllocationMap& map = allocations();
    std::shared_lock lock(map.mutex);
    for (const auto& [base, allocation] : map.by_base)
        if (allocation->kind == HipAllocation::Kind::Device ||
            (allocation->kind == HipAllocation::Kind::Managed && !allocation->of_variable))
            vrocm_check_leaked(allocation->base);
}

void check_range(const void* address, std::size_t size) {
    auto allocation = find_allocation(address);
    if (!allocation) return;  // plain host memory: any size may be right
    const auto offset = static_cast<std::size_t>(static_cast<const std::uint8_t*>(address) - allocation->base);
    require(size <= allocation->size - offset);
}

}  // namespace vrocm::hip
