// A tools library that makes the runtime one without shared virtual memory: it says so, and the GPU sees locked host
// memory elsewhere.
#include <hsa/hsa_api_trace.h>

#include <cstdint>

namespace {

decltype(hsa_system_get_info)* get_info;
decltype(hsa_amd_memory_lock)* lock;

hsa_status_t has_none(hsa_system_info_t attribute, void* value) {
    if (attribute != HSA_AMD_SYSTEM_INFO_SVM_SUPPORTED) return get_info(attribute, value);
    *static_cast<bool*>(value) = false;
    return HSA_STATUS_SUCCESS;
}

hsa_status_t lock_elsewhere(void* memory, size_t size, hsa_agent_t* agents, int count, void** seen) {
    const hsa_status_t status = lock(memory, size, agents, count, seen);
    *seen = static_cast<char*>(*seen) + (std::uint64_t{1} << 40);
    return status;
}

hsa_status_t no_attributes(void*, size_t, hsa_amd_svm_attribute_pair_t*, size_t) {
    return HSA_STATUS_ERROR;
}

}  // namespace

extern "C" bool OnLoad(HsaApiTable* table, std::uint64_t, std::uint64_t, const char* const*) {
    get_info = table->core_->hsa_system_get_info_fn;
    lock = table->amd_ext_->hsa_amd_memory_lock_fn;
    table->core_->hsa_system_get_info_fn = has_none;
    table->amd_ext_->hsa_amd_memory_lock_fn = lock_elsewhere;
    table->amd_ext_->hsa_amd_svm_attributes_set_fn = no_attributes;
    return true;
}
