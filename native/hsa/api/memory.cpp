// Regions, pools, allocations, pointers.
#include <algorithm>
#include <cstring>

#include "hsa/api/functions.h"
#include "hsa/api/info_answer.h"

namespace vrocm::hsa::api {

namespace {

constexpr std::size_t kGranule = kPage, kRecommendedGranule = 2u << 20;

std::size_t pool_limit(Runtime& runtime, const MemoryPool& pool) {
    return pool.segment == HSA_AMD_SEGMENT_GLOBAL ? std::min(pool.size, page_down(runtime.memory.budget().limit()))
                                                  : pool.size;
}

}  // namespace

// ---- regions -------------------------------------------------------------------------------------------------------

hsa_status_t hsa_agent_iterate_regions(hsa_agent_t agent, hsa_status_t (*callback)(hsa_region_t region, void* data),
                                       void* data) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(callback, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    const Agent* a = runtime->agent(agent);
    VROCM_CHECK(a, HSA_STATUS_ERROR_INVALID_AGENT);
    for (const auto& pool : a->pools())
        if (const auto status = callback(pool->region(), data); status != HSA_STATUS_SUCCESS) return status;
    if (!a->is_gpu()) return HSA_STATUS_SUCCESS;
    for (const auto& pool : runtime->cpu().pools())  // system memory is a region of every agent
        if (const auto status = callback(pool->region(), data); status != HSA_STATUS_SUCCESS) return status;
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_region_get_info(hsa_region_t region, hsa_region_info_t attribute, void* value) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(value, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    const MemoryPool* pool = runtime->pool(region.handle);
    VROCM_CHECK(pool, HSA_STATUS_ERROR_INVALID_REGION);
    switch (static_cast<unsigned>(attribute)) {
        case HSA_REGION_INFO_SEGMENT:
            return give(value, static_cast<hsa_region_segment_t>(pool->segment));
        case HSA_REGION_INFO_GLOBAL_FLAGS:
            return give(value, pool->flags);
        case HSA_REGION_INFO_SIZE:
            return give(value, std::size_t{pool->size});
        case HSA_REGION_INFO_ALLOC_MAX_SIZE:
            return give(value, pool->allocatable ? pool_limit(*runtime, *pool) : 0);
        case HSA_REGION_INFO_ALLOC_MAX_PRIVATE_WORKGROUP_SIZE:
            return give(value, std::uint32_t{0});
        case HSA_REGION_INFO_RUNTIME_ALLOC_ALLOWED:
            return give(value, pool->allocatable);
        case HSA_REGION_INFO_RUNTIME_ALLOC_GRANULE:
            return give(value, pool->allocatable ? kGranule : 0);
        case HSA_REGION_INFO_RUNTIME_ALLOC_ALIGNMENT:
            return give(value, pool->allocatable ? kGranule : 0);
        case HSA_AMD_REGION_INFO_HOST_ACCESSIBLE:
            return give(value, pool->segment == HSA_AMD_SEGMENT_GLOBAL);
        case HSA_AMD_REGION_INFO_BASE:
            return give(value, static_cast<void*>(nullptr));
        case HSA_AMD_REGION_INFO_BUS_WIDTH:
            return give(value, pool->on_gpu() ? pool->owner->model().memory_bus_bits : 64u);
        case HSA_AMD_REGION_INFO_MAX_CLOCK_FREQUENCY:
            return give(value, pool->on_gpu() ? pool->owner->model().memory_mhz : 0u);
        default:
            return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
}

// The older interface gives every agent access at once.
hsa_status_t hsa_memory_allocate(hsa_region_t region, size_t size, void** ptr) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(size && ptr, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    const MemoryPool* pool = runtime->pool(region.handle);
    VROCM_CHECK(pool, HSA_STATUS_ERROR_INVALID_REGION);
    VROCM_CHECK(pool->allocatable && size <= pool_limit(*runtime, *pool), HSA_STATUS_ERROR_INVALID_ALLOCATION);
    return runtime->memory.allocate(*pool, size, 0, runtime->all_agents(), ptr);
}

hsa_status_t hsa_memory_free(void* ptr) {
    VROCM_OPEN(runtime);
    if (!ptr) return HSA_STATUS_SUCCESS;
    const hsa_status_t status = runtime->memory.free(ptr);
    const auto block = status == HSA_STATUS_SUCCESS ? std::nullopt : runtime->memory.find(ptr);
    if (!block || !block->internal || runtime->agents.size() < 2) return status;
    // Part of a queue or of loaded code: it stays, and the system's handlers are told.
    hsa_amd_event_t event{};
    event.event_type = HSA_AMD_GPU_MEMORY_ERROR_EVENT;
    event.memory_error.agent = runtime->agents[1]->handle();
    event.memory_error.virtual_address = reinterpret_cast<std::uint64_t>(ptr);
    event.memory_error.error_reason_mask = HSA_AMD_MEMORY_ERROR_MEMORY_IN_USE;
    runtime->events.raise(event);
    return HSA_STATUS_ERROR_RESOURCE_FREE;
}

hsa_status_t hsa_memory_copy(void* dst, const void* src, size_t size) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(dst && src, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    const auto owner = [&](const void* address) {
        const auto block = runtime->memory.find(address);
        return block && block->pool ? block->pool->owner->handle() : runtime->cpu().handle();
    };
    charge_for({owner(dst), owner(src), dst, src, size});
    return copy_bytes(dst, src, size, Mover::Host) ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

hsa_status_t hsa_memory_assign_agent(void* ptr, hsa_agent_t agent, hsa_access_permission_t access) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(ptr && access >= HSA_ACCESS_PERMISSION_RO && access <= HSA_ACCESS_PERMISSION_RW,
                HSA_STATUS_ERROR_INVALID_ARGUMENT);
    VROCM_CHECK(runtime->agent(agent), HSA_STATUS_ERROR_INVALID_AGENT);
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_memory_register(void* ptr, size_t size) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(size == 0 || ptr, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    if (size == 0) return HSA_STATUS_SUCCESS;
    return runtime->memory.lock(ptr, size, runtime->all_agents(), runtime->system_pool());
}

hsa_status_t hsa_memory_deregister(void* ptr, size_t size) {
    VROCM_OPEN(runtime);
    if (size == 0) return HSA_STATUS_SUCCESS;
    return runtime->memory.unlock(ptr);
}

// ---- pools ---------------------------------------------------------------------------------------------------------

hsa_status_t hsa_amd_agent_iterate_memory_pools(hsa_agent_t agent,
                                                hsa_status_t (*callback)(hsa_amd_memory_pool_t memory_pool, void* data),
                                                void* data) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(callback, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    const Agent* a = runtime->agent(agent);
    VROCM_CHECK(a, HSA_STATUS_ERROR_INVALID_AGENT);
    for (const auto& pool : a->pools())
        if (const auto status = callback(pool->handle(), data); status != HSA_STATUS_SUCCESS) return status;
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_memory_pool_get_info(hsa_amd_memory_pool_t memory_pool, hsa_amd_memory_pool_info_t attribute,
                                          void* value) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(value, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    const MemoryPool* pool = runtime->pool(memory_pool.handle);
    VROCM_CHECK(pool, HSA_STATUS_ERROR_INVALID_MEMORY_POOL);
    switch (attribute) {
        case HSA_AMD_MEMORY_POOL_INFO_SEGMENT:
            return give(value, pool->segment);
        case HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS:
            return give(value, pool->flags);
        case HSA_AMD_MEMORY_POOL_INFO_SIZE:
            return give(value, std::size_t{pool->size});
        case HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALLOWED:
            return give(value, pool->allocatable);
        case HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_GRANULE:
        case HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALIGNMENT:
            return give(value, pool->allocatable ? kGranule : 0);
        case HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_REC_GRANULE:
            return give(value, !pool->allocatable ? 0 : pool->on_gpu() ? kRecommendedGranule : kGranule);
        case HSA_AMD_MEMORY_POOL_INFO_ACCESSIBLE_BY_ALL:
            return give(value, pool->segment == HSA_AMD_SEGMENT_GLOBAL && !pool->on_gpu());
        case HSA_AMD_MEMORY_POOL_INFO_ALLOC_MAX_SIZE:
            return give(value, pool_limit(*runtime, *pool));
        case HSA_AMD_MEMORY_POOL_INFO_LOCATION:
            return give(value, pool->on_gpu() ? HSA_AMD_MEMORY_POOL_LOCATION_GPU : HSA_AMD_MEMORY_POOL_LOCATION_CPU);
    }
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

hsa_status_t hsa_amd_memory_pool_allocate(hsa_amd_memory_pool_t memory_pool, size_t size, uint32_t flags, void** ptr) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(size && ptr, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    const MemoryPool* pool = runtime->pool(memory_pool.handle);
    VROCM_CHECK(pool, HSA_STATUS_ERROR_INVALID_MEMORY_POOL);
    VROCM_CHECK(pool->allocatable && size <= pool_limit(*runtime, *pool), HSA_STATUS_ERROR_INVALID_ALLOCATION);
    // Kernel arguments are written by the host for kernels of any agent.
    const std::uint64_t agents = pool->flags == kKernarg ? runtime->all_agents() : 0;
    return runtime->memory.allocate(*pool, size, flags, agents, ptr);
}

hsa_status_t hsa_amd_memory_pool_free(void* ptr) {
    return api::hsa_memory_free(ptr);
}

hsa_status_t hsa_amd_agent_memory_pool_get_info(hsa_agent_t agent, hsa_amd_memory_pool_t memory_pool,
                                                hsa_amd_agent_memory_pool_info_t attribute, void* value) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(value, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    const Agent* a = runtime->agent(agent);
    VROCM_CHECK(a, HSA_STATUS_ERROR_INVALID_AGENT);
    const MemoryPool* pool = runtime->pool(memory_pool.handle);
    VROCM_CHECK(pool, HSA_STATUS_ERROR_INVALID_MEMORY_POOL);
    const bool linked = pool->owner != a && pool_access(*a, *pool) != HSA_AMD_MEMORY_POOL_ACCESS_NEVER_ALLOWED;
    switch (attribute) {
        case HSA_AMD_AGENT_MEMORY_POOL_INFO_ACCESS:
            return give(value, pool_access(*a, *pool));
        case HSA_AMD_AGENT_MEMORY_POOL_INFO_NUM_LINK_HOPS:
            return give(value, linked ? 1u : 0u);
        case HSA_AMD_AGENT_MEMORY_POOL_INFO_LINK_INFO: {
            if (!linked) return HSA_STATUS_SUCCESS;
            const bool gpus = a->is_gpu() && pool->on_gpu();
            hsa_amd_memory_pool_link_info_t link{};
            link.link_type = gpus ? HSA_AMD_LINK_INFO_TYPE_XGMI : HSA_AMD_LINK_INFO_TYPE_PCIE;
            const GpuModel& gpu = (a->is_gpu() ? *a : *pool->owner).model();
            link.min_bandwidth = link.max_bandwidth = gpus ? gpu.peer_link_mbps : gpu.host_link_mbps;
            link.atomic_support_32bit = link.atomic_support_64bit = true;
            link.coherent_support = true;
            link.numa_distance = gpus ? 15 : 20;
            return give(value, link);
        }
    }
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

hsa_status_t hsa_amd_agents_allow_access(uint32_t num_agents, const hsa_agent_t* agents, const uint32_t* flags,
                                         const void* ptr) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(num_agents && agents && !flags && ptr, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    std::uint64_t bits;
    VROCM_CHECK(runtime->agent_bits(agents, num_agents, bits), HSA_STATUS_ERROR_INVALID_AGENT);
    return runtime->memory.allow(bits, ptr);
}

hsa_status_t hsa_amd_memory_pool_can_migrate(hsa_amd_memory_pool_t src_memory_pool,
                                             hsa_amd_memory_pool_t dst_memory_pool, bool* result) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(result, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    const MemoryPool *from = runtime->pool(src_memory_pool.handle), *to = runtime->pool(dst_memory_pool.handle);
    VROCM_CHECK(from && to, HSA_STATUS_ERROR_INVALID_MEMORY_POOL);
    *result = from->allocatable && to->allocatable;
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_memory_migrate(const void* ptr, hsa_amd_memory_pool_t memory_pool, uint32_t flags) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(ptr && flags == 0, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    const MemoryPool* pool = runtime->pool(memory_pool.handle);
    VROCM_CHECK(pool && pool->allocatable, HSA_STATUS_ERROR_INVALID_MEMORY_POOL);
    return runtime->memory.migrate(ptr, *pool);
}

// ---- host memory ---------------------------------------------------------------------------------------------------

hsa_status_t hsa_amd_memory_lock_to_pool(void* host_ptr, size_t size, hsa_agent_t* agents, int num_agent,
                                         hsa_amd_memory_pool_t pool, uint32_t flags, void** agent_ptr) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(size && host_ptr && agent_ptr && flags == 0, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    *agent_ptr = nullptr;
    VROCM_CHECK((agents == nullptr) == (num_agent == 0) && num_agent >= 0, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    const MemoryPool* to = runtime->pool(pool.handle);
    VROCM_CHECK(to && !to->on_gpu(), HSA_STATUS_ERROR_INVALID_MEMORY_POOL);
    std::uint64_t bits = runtime->all_agents();
    if (agents)
        VROCM_CHECK(runtime->agent_bits(agents, static_cast<std::size_t>(num_agent), bits),
                    HSA_STATUS_ERROR_INVALID_AGENT);
    const hsa_status_t status = runtime->memory.lock(host_ptr, size, bits, *to);
    if (status == HSA_STATUS_SUCCESS) *agent_ptr = host_ptr;
    return status;
}

hsa_status_t hsa_amd_memory_lock(void* host_ptr, size_t size, hsa_agent_t* agents, int num_agent, void** agent_ptr) {
    VROCM_OPEN(runtime);
    return api::hsa_amd_memory_lock_to_pool(host_ptr, size, agents, num_agent,
                                            runtime->cpu().pool(kCoarseGrained)->handle(), 0, agent_ptr);
}

hsa_status_t hsa_amd_memory_unlock(void* host_ptr) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(host_ptr, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    return runtime->memory.unlock(host_ptr);
}

// ---- pointers ------------------------------------------------------------------------------------------------------

namespace {

// The agents of a bit set, in memory from the caller's allocator.
hsa_status_t list_agents(Runtime& runtime, std::uint64_t bits, void* (*alloc)(size_t), std::uint32_t* count,
                         hsa_agent_t** list) {
    if (!alloc || !count || !list) return HSA_STATUS_SUCCESS;
    std::vector<hsa_agent_t> agents;
    for (const auto& agent : runtime.agents)
        if (bits & agent->bit()) agents.push_back(agent->handle());
    *count = static_cast<std::uint32_t>(agents.size());
    *list = static_cast<hsa_agent_t*>(alloc(sizeof(hsa_agent_t) * std::max<std::size_t>(agents.size(), 1)));
    if (!*list) return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    std::copy(agents.begin(), agents.end(), *list);
    return HSA_STATUS_SUCCESS;
}

}  // namespace

hsa_status_t hsa_amd_pointer_info(const void* ptr, hsa_amd_pointer_info_t* info, void* (*alloc)(size_t),
                                  uint32_t* num_agents_accessible, hsa_agent_t** accessible) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(ptr && info && info->size != 0, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    hsa_amd_pointer_info_t answer{};
    const std::size_t wanted = std::min<std::size_t>(info->size, sizeof answer);
    answer.size = static_cast<std::uint32_t>(wanted);
    std::uint64_t agents = 0;
    if (const auto block = runtime->memory.find(ptr)) {
        answer.type = block->type;
        answer.agentBaseAddress = answer.hostBaseAddress = reinterpret_cast<void*>(block->base);
        answer.sizeInBytes = block->size;
        answer.userData = block->user_data;
        answer.agentOwner = block->pool->owner->handle();
        answer.global_flags = block->pool->flags;
        answer.registered = true;
        agents = block->agents;
    } else if (const auto range = runtime->virtual_memory.reservation(reinterpret_cast<std::uint64_t>(ptr))) {
        answer.type = HSA_EXT_POINTER_TYPE_RESERVED_ADDR;
        answer.agentBaseAddress = answer.hostBaseAddress = reinterpret_cast<void*>(range->base);
        answer.sizeInBytes = range->size;
        answer.registered = range->registered;
    } else {
        answer.type = HSA_EXT_POINTER_TYPE_UNKNOWN;
    }
    std::memcpy(info, &answer, wanted);
    return list_agents(*runtime, agents, alloc, num_agents_accessible, accessible);
}

hsa_status_t hsa_amd_pointer_info_set_userdata(const void* ptr, void* userdata) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(ptr, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    return runtime->memory.set_user_data(ptr, userdata);
}

hsa_status_t hsa_amd_register_deallocation_callback(void* ptr, hsa_amd_deallocation_callback_t callback,
                                                    void* user_data) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(ptr && callback, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    return runtime->memory.notify_on_free(ptr, callback, user_data);
}

hsa_status_t hsa_amd_deregister_deallocation_callback(void* ptr, hsa_amd_deallocation_callback_t callback) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(ptr && callback, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    return runtime->memory.cancel_notify(ptr, callback);
}

hsa_status_t hsa_amd_ipc_memory_create(void* ptr, size_t len, hsa_amd_ipc_memory_t* handle) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(ptr && handle, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    return runtime->shared.export_memory(ptr, len, handle);
}

hsa_status_t hsa_amd_ipc_memory_attach(const hsa_amd_ipc_memory_t* handle, size_t len, uint32_t num_agents,
                                       const hsa_agent_t* mapping_agents, void** mapped_ptr) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(handle && mapped_ptr && (num_agents == 0 || mapping_agents), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    std::uint64_t bits = runtime->all_agents();
    if (num_agents) VROCM_CHECK(runtime->agent_bits(mapping_agents, num_agents, bits), HSA_STATUS_ERROR_INVALID_AGENT);
    return runtime->shared.attach(*handle, len, bits, mapped_ptr);
}

hsa_status_t hsa_amd_ipc_memory_detach(void* mapped_ptr) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(mapped_ptr, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    return runtime->shared.detach(mapped_ptr);
}

}  // namespace vrocm::hsa::api
