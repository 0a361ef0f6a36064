// The exported functions. See exports.def.
#include "abi/hsa/hsa_ven_amd_loader.h"
#include "hsa/api/functions.h"
#include "hsa/api/table.h"

#define EXPORT extern "C" __attribute__((visibility("default")))
#define THROUGH(table, result, name, parameters, arguments)        \
    EXPORT result name parameters {                                \
        return vrocm::hsa::api_tables().table.name##_fn arguments; \
    }

#define CORE(result, name, parameters, arguments) THROUGH(core, result, name, parameters, arguments)
#define AMD(result, name, parameters, arguments) THROUGH(amd_ext, result, name, parameters, arguments)
#define FINALIZER(result, name, parameters, arguments) THROUGH(finalizer_ext, result, name, parameters, arguments)
#define IMAGE(result, name, parameters, arguments) THROUGH(image_ext, result, name, parameters, arguments)
#define PCS(result, name, parameters, arguments) THROUGH(pc_sampling_ext, result, name, parameters, arguments)
#define ALIAS(result, name, member, parameters, arguments)          \
    EXPORT result name parameters {                                 \
        return vrocm::hsa::api_tables().core.member##_fn arguments; \
    }
#include "hsa/api/exports.def"
#undef CORE
#undef AMD
#undef FINALIZER
#undef IMAGE
#undef PCS
#undef ALIAS
#undef THROUGH

// Exported, but in no table.
EXPORT hsa_status_t hsa_amd_image_get_info_max_dim(hsa_agent_t agent, hsa_agent_info_t attribute, void* value) {
    return vrocm::hsa::api::hsa_amd_image_get_info_max_dim(agent, attribute, value);
}
EXPORT hsa_status_t hsa_ven_amd_loader_query_host_address(const void* device_address, const void** host_address) {
    return vrocm::hsa::api::hsa_ven_amd_loader_query_host_address(device_address, host_address);
}
EXPORT hsa_status_t hsa_ven_amd_loader_query_segment_descriptors(hsa_ven_amd_loader_segment_descriptor_t* descriptors,
                                                                 size_t* count) {
    return vrocm::hsa::api::hsa_ven_amd_loader_query_segment_descriptors(descriptors, count);
}
EXPORT hsa_status_t hsa_ven_amd_loader_query_executable(const void* device_address, hsa_executable_t* executable) {
    return vrocm::hsa::api::hsa_ven_amd_loader_query_executable(device_address, executable);
}
EXPORT hsa_status_t hsa_ven_amd_loader_executable_iterate_loaded_code_objects(
    hsa_executable_t executable,
    hsa_status_t (*callback)(hsa_executable_t executable, hsa_loaded_code_object_t object, void* data), void* data) {
    return vrocm::hsa::api::hsa_ven_amd_loader_executable_iterate_loaded_code_objects(executable, callback, data);
}
EXPORT hsa_status_t hsa_ven_amd_loader_loaded_code_object_get_info(
    hsa_loaded_code_object_t object, hsa_ven_amd_loader_loaded_code_object_info_t attribute, void* value) {
    return vrocm::hsa::api::hsa_ven_amd_loader_loaded_code_object_get_info(object, attribute, value);
}
EXPORT hsa_status_t hsa_ven_amd_loader_code_object_reader_create_from_file_with_offset_size(
    hsa_file_t file, size_t offset, size_t size, hsa_code_object_reader_t* reader) {
    return vrocm::hsa::api::hsa_ven_amd_loader_code_object_reader_create_from_file_with_offset_size(file, offset, size,
                                                                                                    reader);
}
EXPORT hsa_status_t hsa_ven_amd_loader_iterate_executables(hsa_status_t (*callback)(hsa_executable_t executable,
                                                                                    void* data),
                                                           void* data) {
    return vrocm::hsa::api::hsa_ven_amd_loader_iterate_executables(callback, data);
}

#undef EXPORT
