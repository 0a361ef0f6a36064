// Virtual memory management.
#include "hsa/api/functions.h"

namespace vrocm::hsa::api {

hsa_status_t hsa_amd_vmem_address_reserve_align(void** va, size_t size, uint64_t address, uint64_t alignment,
                                                uint64_t flags) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(va && size, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    return runtime->virtual_memory.reserve(va, size, address, alignment, !(flags & HSA_AMD_VMEM_ADDRESS_NO_REGISTER));
}

hsa_status_t hsa_amd_vmem_address_reserve(void** va, size_t size, uint64_t address, uint64_t flags) {
    return hsa_amd_vmem_address_reserve_align(va, size, address, 0, flags);
}

hsa_status_t hsa_amd_vmem_address_free(void* va, size_t size) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(va && size, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    return runtime->virtual_memory.free(va, size);
}

hsa_status_t hsa_amd_vmem_handle_create(hsa_amd_memory_pool_t pool, size_t size, hsa_amd_memory_type_t type, uint64_t,
                                        hsa_amd_vmem_alloc_handle_t* memory_handle) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(size && memory_handle, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    VROCM_CHECK(type == MEMORY_TYPE_NONE || type == MEMORY_TYPE_PINNED, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    const MemoryPool* found = runtime->pool(pool.handle);
    VROCM_CHECK(found, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    return runtime->virtual_memory.create(*found, size, type, memory_handle);
}

hsa_status_t hsa_amd_vmem_handle_release(hsa_amd_vmem_alloc_handle_t memory_handle) {
    VROCM_OPEN(runtime);
    return runtime->virtual_memory.release(memory_handle);
}

// ROCr takes the offset into the handle and does not look at it: what is mapped begins with the handle.
hsa_status_t hsa_amd_vmem_map(void* va, size_t size, size_t, hsa_amd_vmem_alloc_handle_t memory_handle, uint64_t) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(va && size, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    return runtime->virtual_memory.map(va, size, memory_handle);
}

hsa_status_t hsa_amd_vmem_unmap(void* va, size_t size) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(va && size, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    return runtime->virtual_memory.unmap(va, size);
}

hsa_status_t hsa_amd_vmem_set_access(void* va, size_t size, const hsa_amd_memory_access_desc_t* desc, size_t desc_cnt) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(va && size && desc && desc_cnt, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    return runtime->virtual_memory.set_access(va, size, desc, desc_cnt);
}

hsa_status_t hsa_amd_vmem_get_access(void* va, hsa_access_permission_t* perms, hsa_agent_t agent_handle) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(va && perms, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    Agent* agent = runtime->agent(agent_handle);
    VROCM_CHECK(agent, HSA_STATUS_ERROR_INVALID_AGENT);
    return runtime->virtual_memory.get_access(va, *agent, perms);
}

hsa_status_t hsa_amd_vmem_export_shareable_handle(int* dmabuf_fd, hsa_amd_vmem_alloc_handle_t handle, uint64_t) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(dmabuf_fd, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    return runtime->virtual_memory.export_handle(handle, dmabuf_fd);
}

hsa_status_t hsa_amd_vmem_import_shareable_handle(int dmabuf_fd, hsa_amd_vmem_alloc_handle_t* handle) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(handle && dmabuf_fd >= 0, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    return runtime->virtual_memory.import_handle(dmabuf_fd, handle);
}

hsa_status_t hsa_amd_vmem_retain_alloc_handle(hsa_amd_vmem_alloc_handle_t* memory_handle, void* addr) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(memory_handle && addr, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    return runtime->virtual_memory.retain(addr, memory_handle);
}

hsa_status_t hsa_amd_vmem_get_alloc_properties_from_handle(hsa_amd_vmem_alloc_handle_t memory_handle,
                                                           hsa_amd_memory_pool_t* pool, hsa_amd_memory_type_t* type) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(pool && type, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    return runtime->virtual_memory.properties(memory_handle, pool, type);
}

}  // namespace vrocm::hsa::api
