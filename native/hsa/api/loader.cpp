// The loader extension.
#include <cstring>

#include "hsa/api/functions.h"
#include "hsa/api/info_answer.h"

namespace vrocm::hsa::api {

namespace {

constexpr auto kFile = HSA_VEN_AMD_LOADER_CODE_OBJECT_STORAGE_TYPE_FILE;
constexpr auto kMemory = HSA_VEN_AMD_LOADER_CODE_OBJECT_STORAGE_TYPE_MEMORY;

}  // namespace

// Host and device see the same memory at the same address.
hsa_status_t hsa_ven_amd_loader_query_host_address(const void* device_address, const void** host_address) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(device_address && host_address, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    VROCM_CHECK(runtime->executables.object_at(reinterpret_cast<std::uint64_t>(device_address)),
                HSA_STATUS_ERROR_INVALID_ARGUMENT);
    *host_address = device_address;
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_ven_amd_loader_query_segment_descriptors(hsa_ven_amd_loader_segment_descriptor_t* segment_descriptors,
                                                          size_t* num_segment_descriptors) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(num_segment_descriptors, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    VROCM_CHECK((segment_descriptors == nullptr) == (*num_segment_descriptors == 0), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    const auto objects = runtime->executables.loaded_objects();
    if (!segment_descriptors) {
        *num_segment_descriptors = objects.size();
        return HSA_STATUS_SUCCESS;
    }
    VROCM_CHECK(*num_segment_descriptors == objects.size(), HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS);
    for (const LoadedCodeObject* object : objects)
        *segment_descriptors++ = {.agent = object->agent->handle(),
                                  .executable = object->executable->handle(),
                                  .code_object_storage_type = object->source.storage,
                                  .code_object_storage_base = object->source.data,
                                  .code_object_storage_size = object->source.size,
                                  .code_object_storage_offset = 0,
                                  .segment_base = reinterpret_cast<const void*>(object->base),
                                  .segment_size = object->size};
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_ven_amd_loader_query_executable(const void* device_address, hsa_executable_t* executable) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(device_address && executable, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    const auto* object = runtime->executables.object_at(reinterpret_cast<std::uint64_t>(device_address));
    VROCM_CHECK(object, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    *executable = object->executable->handle();
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_ven_amd_loader_executable_iterate_loaded_code_objects(
    hsa_executable_t executable,
    hsa_status_t (*callback)(hsa_executable_t executable, hsa_loaded_code_object_t loaded_code_object, void* data),
    void* data) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(callback, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    std::vector<hsa_loaded_code_object_t> objects;
    auto status = runtime->executables.with(executable, [&objects](Executable& e) {
        for (const LoadedCodeObject& object : e.objects) objects.push_back(object.handle());
        return HSA_STATUS_SUCCESS;
    });
    for (std::size_t i = 0; status == HSA_STATUS_SUCCESS && i < objects.size(); ++i)
        status = callback(executable, objects[i], data);
    return status;
}

hsa_status_t hsa_ven_amd_loader_loaded_code_object_get_info(hsa_loaded_code_object_t loaded_code_object,
                                                            hsa_ven_amd_loader_loaded_code_object_info_t attribute,
                                                            void* value) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(value, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    return runtime->executables.with(loaded_code_object, [=](LoadedCodeObject& o) {
        switch (attribute) {
            case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_EXECUTABLE:
                return give(value, o.executable->handle());
            case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_KIND:
                return give(value, std::uint32_t{HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_KIND_AGENT});
            case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_AGENT:
                return give(value, o.agent->handle());
            case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_TYPE:
                return give(value, std::uint32_t{o.source.storage});
            case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_MEMORY_BASE:
                if (o.source.storage != kMemory) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
                return give(value, reinterpret_cast<std::uint64_t>(o.source.data));
            case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_MEMORY_SIZE:
                if (o.source.storage != kMemory) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
                return give(value, std::uint64_t{o.source.size});
            case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_FILE:
                if (o.source.storage != kFile) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
                return give(value, o.source.file);
            case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_DELTA:
                return give(value, o.delta);
            case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_BASE:
                return give(value, o.base);
            case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_SIZE:
                return give(value, o.size);
            case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_URI_LENGTH:
                return give(value, static_cast<std::uint32_t>(o.source.uri.size()));
            case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_URI:
                std::memcpy(value, o.source.uri.data(), o.source.uri.size());
                return HSA_STATUS_SUCCESS;
        }
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    });
}

hsa_status_t hsa_ven_amd_loader_code_object_reader_create_from_file_with_offset_size(
    hsa_file_t file, size_t offset, size_t size, hsa_code_object_reader_t* code_object_reader) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(code_object_reader, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    return runtime->executables.make_reader(file, offset, size, false, code_object_reader);
}

hsa_status_t hsa_ven_amd_loader_iterate_executables(hsa_status_t (*callback)(hsa_executable_t executable, void* data),
                                                    void* data) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(callback, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    for (hsa_executable_t executable : runtime->executables.all())
        if (const auto status = callback(executable, data); status != HSA_STATUS_SUCCESS) return status;
    return HSA_STATUS_SUCCESS;
}

}  // namespace vrocm::hsa::api
