// Reserved addresses, physical memory by handle, and mappings between them.
#include "capture/bookkeeping/ranges.h"
#include "capture/calls/gate.h"
#include "capture/calls/original.h"
#include "capture/calls/wrappers.h"

namespace rpl::capture {

namespace {

hsa_status_t address_reserve(void** base, size_t size, uint64_t address, uint64_t flags) {
    const Gate::Pass pass(gate());
    const hsa_status_t status = original().amd.hsa_amd_vmem_address_reserve_fn(base, size, address, flags);
    if (status == HSA_STATUS_SUCCESS) bookkeeping().reserved(*base, size);
    return status;
}

hsa_status_t address_reserve_align(void** base, size_t size, uint64_t address, uint64_t alignment, uint64_t flags) {
    const Gate::Pass pass(gate());
    const hsa_status_t status =
        original().amd.hsa_amd_vmem_address_reserve_align_fn(base, size, address, alignment, flags);
    if (status == HSA_STATUS_SUCCESS) bookkeeping().reserved(*base, size);
    return status;
}

hsa_status_t address_free(void* base, size_t size) {
    const Gate::Pass pass(gate());
    const hsa_status_t status = original().amd.hsa_amd_vmem_address_free_fn(base, size);
    if (status == HSA_STATUS_SUCCESS) bookkeeping().unreserved(base);
    return status;
}

hsa_status_t handle_create(hsa_amd_memory_pool_t pool, size_t size, hsa_amd_memory_type_t type, uint64_t flags,
                           hsa_amd_vmem_alloc_handle_t* handle) {
    const Gate::Pass pass(gate());
    const hsa_status_t status = original().amd.hsa_amd_vmem_handle_create_fn(pool, size, type, flags, handle);
    if (status == HSA_STATUS_SUCCESS) bookkeeping().handle_made(*handle, size, pool, type == MEMORY_TYPE_PINNED);
    return status;
}

hsa_status_t handle_release(hsa_amd_vmem_alloc_handle_t handle) {
    const Gate::Pass pass(gate());
    bookkeeping().handle_released(handle);
    return original().amd.hsa_amd_vmem_handle_release_fn(handle);
}

hsa_status_t import_shareable_handle(int descriptor, hsa_amd_vmem_alloc_handle_t* handle) {
    const Gate::Pass pass(gate());
    const hsa_status_t status = original().amd.hsa_amd_vmem_import_shareable_handle_fn(descriptor, handle);
    if (status == HSA_STATUS_SUCCESS) bookkeeping().handle_imported(*handle);
    return status;
}

hsa_status_t retain_alloc_handle(hsa_amd_vmem_alloc_handle_t* handle, void* address) {
    const Gate::Pass pass(gate());
    const hsa_status_t status = original().amd.hsa_amd_vmem_retain_alloc_handle_fn(handle, address);
    if (status == HSA_STATUS_SUCCESS) bookkeeping().handle_retained(*handle, address);
    return status;
}

hsa_status_t map(void* base, size_t size, size_t offset, hsa_amd_vmem_alloc_handle_t handle, uint64_t flags) {
    const Gate::Pass pass(gate());
    const hsa_status_t status = original().amd.hsa_amd_vmem_map_fn(base, size, offset, handle, flags);
    if (status == HSA_STATUS_SUCCESS) bookkeeping().mapped(base, size, offset, handle);
    return status;
}

hsa_status_t unmap(void* base, size_t size) {
    const Gate::Pass pass(gate());
    const hsa_status_t status = original().amd.hsa_amd_vmem_unmap_fn(base, size);
    if (status == HSA_STATUS_SUCCESS) bookkeeping().unmapped(base);
    return status;
}

hsa_status_t set_access(void* base, size_t size, const hsa_amd_memory_access_desc_t* list, size_t count) {
    const Gate::Pass pass(gate());
    const hsa_status_t status = original().amd.hsa_amd_vmem_set_access_fn(base, size, list, count);
    if (status == HSA_STATUS_SUCCESS) bookkeeping().access_set(base, size, list, count);
    return status;
}

}  // namespace

void install_virtual_memory(HsaApiTable& table) {
    RPL_REPLACE(table.amd_ext_, hsa_amd_vmem_address_reserve, address_reserve);
    RPL_REPLACE(table.amd_ext_, hsa_amd_vmem_address_reserve_align, address_reserve_align);
    RPL_REPLACE(table.amd_ext_, hsa_amd_vmem_address_free, address_free);
    RPL_REPLACE(table.amd_ext_, hsa_amd_vmem_handle_create, handle_create);
    RPL_REPLACE(table.amd_ext_, hsa_amd_vmem_handle_release, handle_release);
    RPL_REPLACE(table.amd_ext_, hsa_amd_vmem_import_shareable_handle, import_shareable_handle);
    RPL_REPLACE(table.amd_ext_, hsa_amd_vmem_retain_alloc_handle, retain_alloc_handle);
    RPL_REPLACE(table.amd_ext_, hsa_amd_vmem_map, map);
    RPL_REPLACE(table.amd_ext_, hsa_amd_vmem_unmap, unmap);
    RPL_REPLACE(table.amd_ext_, hsa_amd_vmem_set_access, set_access);
}

}  // namespace rpl::capture
