// Allocations, locked host memory, shared virtual memory, memory of other processes.
#include "capture/bookkeeping/ranges.h"
#include "capture/calls/gate.h"
#include "capture/calls/original.h"
#include "capture/calls/wrappers.h"

namespace rpl::capture {

namespace {

hsa_status_t pool_allocate(hsa_amd_memory_pool_t pool, size_t size, uint32_t flags, void** pointer) {
    const Gate::Pass pass(gate());
    const hsa_status_t status = original().amd.hsa_amd_memory_pool_allocate_fn(pool, size, flags, pointer);
    if (status == HSA_STATUS_SUCCESS) bookkeeping().allocated(*pointer, size);
    return status;
}

// Booked first: once it is free another thread may be given the same address.
hsa_status_t free_with(hsa_status_t (*free)(void*), void* pointer) {
    const Gate::Pass pass(gate());
    const std::uint64_t size = bookkeeping().freed(pointer);
    const hsa_status_t status = free(pointer);
    if (status != HSA_STATUS_SUCCESS && size) bookkeeping().allocated(pointer, size);
    return status;
}

hsa_status_t pool_free(void* pointer) {
    return free_with(original().amd.hsa_amd_memory_pool_free_fn, pointer);
}

hsa_status_t memory_allocate(hsa_region_t region, size_t size, void** pointer) {
    const Gate::Pass pass(gate());
    const hsa_status_t status = original().core.hsa_memory_allocate_fn(region, size, pointer);
    if (status == HSA_STATUS_SUCCESS) bookkeeping().allocated(*pointer, size);
    return status;
}

hsa_status_t memory_free(void* pointer) {
    return free_with(original().core.hsa_memory_free_fn, pointer);
}

hsa_status_t memory_register(void* pointer, size_t size) {
    const Gate::Pass pass(gate());
    const hsa_status_t status = original().core.hsa_memory_register_fn(pointer, size);
    const auto address = reinterpret_cast<std::uint64_t>(pointer);
    if (status == HSA_STATUS_SUCCESS && size) bookkeeping().locked({address, address, size, {}});
    return status;
}

hsa_status_t memory_deregister(void* pointer, size_t size) {
    const Gate::Pass pass(gate());
    if (size) bookkeeping().unlocked(pointer);
    return original().core.hsa_memory_deregister_fn(pointer, size);
}

void book_lock(void* host, size_t size, const hsa_agent_t* agents, int count, const void* agent_pointer) {
    LockedRange range{reinterpret_cast<std::uint64_t>(host), reinterpret_cast<std::uint64_t>(agent_pointer), size, {}};
    for (int i = 0; i < count; ++i) range.agents.push_back(agents[i].handle);
    bookkeeping().locked(std::move(range));
}

hsa_status_t memory_lock(void* host, size_t size, hsa_agent_t* agents, int count, void** agent_pointer) {
    const Gate::Pass pass(gate());
    const hsa_status_t status = original().amd.hsa_amd_memory_lock_fn(host, size, agents, count, agent_pointer);
    if (status == HSA_STATUS_SUCCESS) book_lock(host, size, agents, count, *agent_pointer);
    return status;
}

hsa_status_t memory_lock_to_pool(void* host, size_t size, hsa_agent_t* agents, int count, hsa_amd_memory_pool_t pool,
                                 uint32_t flags, void** agent_pointer) {
    const Gate::Pass pass(gate());
    const hsa_status_t status =
        original().amd.hsa_amd_memory_lock_to_pool_fn(host, size, agents, count, pool, flags, agent_pointer);
    if (status == HSA_STATUS_SUCCESS) book_lock(host, size, agents, count, *agent_pointer);
    return status;
}

hsa_status_t memory_unlock(void* host) {
    const Gate::Pass pass(gate());
    bookkeeping().unlocked(host);
    return original().amd.hsa_amd_memory_unlock_fn(host);
}

hsa_status_t agents_allow_access(uint32_t count, const hsa_agent_t* agents, const uint32_t* flags,
                                 const void* pointer) {
    const Gate::Pass pass(gate());  // who has access is asked of the runtime when it matters
    return original().amd.hsa_amd_agents_allow_access_fn(count, agents, flags, pointer);
}

hsa_status_t svm_attributes_set(void* pointer, size_t size, hsa_amd_svm_attribute_pair_t* list, size_t count) {
    const Gate::Pass pass(gate());
    const hsa_status_t status = original().amd.hsa_amd_svm_attributes_set_fn(pointer, size, list, count);
    if (status == HSA_STATUS_SUCCESS) bookkeeping().svm_set(pointer, size, list, count);
    return status;
}

hsa_status_t ipc_memory_attach(const hsa_amd_ipc_memory_t* handle, size_t size, uint32_t count,
                               const hsa_agent_t* agents, void** pointer) {
    const Gate::Pass pass(gate());
    const hsa_status_t status = original().amd.hsa_amd_ipc_memory_attach_fn(handle, size, count, agents, pointer);
    if (status == HSA_STATUS_SUCCESS) bookkeeping().attached(*pointer, size);
    return status;
}

hsa_status_t ipc_memory_detach(void* pointer) {
    const Gate::Pass pass(gate());
    bookkeeping().detached(pointer);
    return original().amd.hsa_amd_ipc_memory_detach_fn(pointer);
}

hsa_status_t interop_map_buffer(uint32_t count, hsa_agent_t* agents, int handle, uint32_t flags, size_t* size,
                                void** pointer, size_t* metadata_size, const void** metadata) {
    const Gate::Pass pass(gate());
    const hsa_status_t status = original().amd.hsa_amd_interop_map_buffer_fn(count, agents, handle, flags, size,
                                                                             pointer, metadata_size, metadata);
    if (status == HSA_STATUS_SUCCESS) bookkeeping().attached(*pointer, *size);
    return status;
}

hsa_status_t interop_unmap_buffer(void* pointer) {
    const Gate::Pass pass(gate());
    bookkeeping().detached(pointer);
    return original().amd.hsa_amd_interop_unmap_buffer_fn(pointer);
}

}  // namespace

void install_memory(HsaApiTable& table) {
    RPL_REPLACE(table.core_, hsa_memory_allocate, memory_allocate);
    RPL_REPLACE(table.core_, hsa_memory_free, memory_free);
    RPL_REPLACE(table.core_, hsa_memory_register, memory_register);
    RPL_REPLACE(table.core_, hsa_memory_deregister, memory_deregister);
    RPL_REPLACE(table.amd_ext_, hsa_amd_memory_pool_allocate, pool_allocate);
    RPL_REPLACE(table.amd_ext_, hsa_amd_memory_pool_free, pool_free);
    RPL_REPLACE(table.amd_ext_, hsa_amd_memory_lock, memory_lock);
    RPL_REPLACE(table.amd_ext_, hsa_amd_memory_lock_to_pool, memory_lock_to_pool);
    RPL_REPLACE(table.amd_ext_, hsa_amd_memory_unlock, memory_unlock);
    RPL_REPLACE(table.amd_ext_, hsa_amd_agents_allow_access, agents_allow_access);
    RPL_REPLACE(table.amd_ext_, hsa_amd_svm_attributes_set, svm_attributes_set);
    RPL_REPLACE(table.amd_ext_, hsa_amd_ipc_memory_attach, ipc_memory_attach);
    RPL_REPLACE(table.amd_ext_, hsa_amd_ipc_memory_detach, ipc_memory_detach);
    RPL_REPLACE(table.amd_ext_, hsa_amd_interop_map_buffer, interop_map_buffer);
    RPL_REPLACE(table.amd_ext_, hsa_amd_interop_unmap_buffer, interop_unmap_buffer);
}

}  // namespace rpl::capture
