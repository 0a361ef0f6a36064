// Life of the runtime, system attributes, extensions.
#include <algorithm>
#include <cstring>

#include "hsa/api/functions.h"
#include "hsa/time/clock.h"

namespace vrocm::hsa::api {

namespace {

// What ROCm 7 says of itself.
constexpr std::uint16_t kVersionMajor = 1, kVersionMinor = 18;
constexpr const char* kBuild = "vrocm-7.0";

template <typename T>
hsa_status_t give(void* value, T answer) {
    std::memcpy(value, &answer, sizeof answer);
    return HSA_STATUS_SUCCESS;
}

struct Extension {
    std::uint16_t number;
    const char* name;
    int minor;  // of major version 1; -1: not provided
};
constexpr Extension kExtensions[] = {
    {HSA_EXTENSION_FINALIZER, "HSA_EXTENSION_FINALIZER", -1},
    // ROCr provides it for every GPU, also for those without image instructions, on which no image can be made; HIP
    // takes the alignment of pitches from it.
    {HSA_EXTENSION_IMAGES, "HSA_EXTENSION_IMAGES", 0},
    {HSA_EXTENSION_PERFORMANCE_COUNTERS, "HSA_EXTENSION_PERFORMANCE_COUNTERS", -1},
    {HSA_EXTENSION_PROFILING_EVENTS, "HSA_EXTENSION_PROFILING_EVENTS", -1},
    {HSA_EXTENSION_AMD_PROFILER, "HSA_EXTENSION_AMD_PROFILER", -1},
    {HSA_EXTENSION_AMD_LOADER, "HSA_EXTENSION_AMD_LOADER", 3},
    {HSA_EXTENSION_AMD_AQLPROFILE, "HSA_EXTENSION_AMD_AQLPROFILE", -1},
    {HSA_EXTENSION_AMD_PC_SAMPLING, "HSA_EXTENSION_AMD_PC_SAMPLING", -1},
};

const Extension* find_extension(std::uint16_t number) {
    for (const Extension& e : kExtensions)
        if (e.number == number) return &e;
    return nullptr;
}

}  // namespace

hsa_status_t hsa_init() {
    return Runtime::open();
}

hsa_status_t hsa_shut_down() {
    return Runtime::close();
}

hsa_status_t hsa_system_get_info(hsa_system_info_t attribute, void* value) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(value, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    switch (attribute) {
        case HSA_SYSTEM_INFO_VERSION_MAJOR:
            return give(value, kVersionMajor);
        case HSA_SYSTEM_INFO_VERSION_MINOR:
            return give(value, kVersionMinor);
        case HSA_SYSTEM_INFO_TIMESTAMP:
            return give(value, clock::now());
        case HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY:
            return give(value, clock::kFrequency);
        case HSA_SYSTEM_INFO_SIGNAL_MAX_WAIT:
            return give(value, ~std::uint64_t{0});
        case HSA_SYSTEM_INFO_ENDIANNESS:
            return give(value, HSA_ENDIANNESS_LITTLE);
        case HSA_SYSTEM_INFO_MACHINE_MODEL:
            return give(value, HSA_MACHINE_MODEL_LARGE);
        case HSA_SYSTEM_INFO_EXTENSIONS:
            std::memset(value, 0, 128);
            for (const Extension& e : kExtensions)
                if (e.minor >= 0) hsa_flag_set64(static_cast<std::uint8_t*>(value), e.number);
            return HSA_STATUS_SUCCESS;
        case HSA_AMD_SYSTEM_INFO_BUILD_VERSION:
            return give(value, kBuild);
        case HSA_AMD_SYSTEM_INFO_SVM_SUPPORTED:
            return give(value, true);
        case HSA_AMD_SYSTEM_INFO_SVM_ACCESSIBLE_BY_DEFAULT:
            return give(value, false);
        case HSA_AMD_SYSTEM_INFO_MWAITX_ENABLED:
            return give(value, false);
        case HSA_AMD_SYSTEM_INFO_DMABUF_SUPPORTED:
            return give(value, false);
        case HSA_AMD_SYSTEM_INFO_VIRTUAL_MEM_API_SUPPORTED:
            return give(value, true);
        case HSA_AMD_SYSTEM_INFO_XNACK_ENABLED:
            return give(value, false);
        case HSA_AMD_SYSTEM_INFO_EXT_VERSION_MAJOR:
            return give(value, std::uint16_t{HSA_AMD_INTERFACE_VERSION_MAJOR});
        case HSA_AMD_SYSTEM_INFO_EXT_VERSION_MINOR:
            return give(value, std::uint16_t{HSA_AMD_INTERFACE_VERSION_MINOR});
    }
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

hsa_status_t hsa_extension_get_name(uint16_t extension, const char** name) {
    VROCM_OPEN(runtime);
    const Extension* e = find_extension(extension);
    VROCM_CHECK(e && name, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    *name = e->name;
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_system_extension_supported(uint16_t extension, uint16_t version_major, uint16_t version_minor,
                                            bool* result) {
    VROCM_OPEN(runtime);
    const Extension* e = find_extension(extension);
    VROCM_CHECK(e && result, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    *result = version_major == 1 && version_minor <= e->minor;
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_system_major_extension_supported(uint16_t extension, uint16_t version_major, uint16_t* version_minor,
                                                  bool* result) {
    VROCM_OPEN(runtime);
    const Extension* e = find_extension(extension);
    VROCM_CHECK(e && version_minor && result, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    *result = version_major == 1 && e->minor >= 0;
    if (*result) *version_minor = static_cast<std::uint16_t>(e->minor);
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_system_get_extension_table(uint16_t extension, uint16_t version_major, uint16_t version_minor,
                                            void* table) {
    // Each minor version added members at the end.
    constexpr std::size_t kLoaderSizes[] = {
        sizeof(hsa_ven_amd_loader_1_00_pfn_t), sizeof(hsa_ven_amd_loader_1_01_pfn_t),
        sizeof(hsa_ven_amd_loader_1_02_pfn_t), sizeof(hsa_ven_amd_loader_1_03_pfn_t)};
    VROCM_CHECK(extension != HSA_EXTENSION_AMD_LOADER || version_minor < std::size(kLoaderSizes), HSA_STATUS_ERROR);
    const std::size_t size = extension == HSA_EXTENSION_AMD_LOADER ? kLoaderSizes[version_minor]
                             : extension == HSA_EXTENSION_IMAGES   ? sizeof(hsa_ext_images_1_00_pfn_t)
                                                                   : 0;
    return hsa_system_get_major_extension_table(extension, version_major, size, table);
}

hsa_status_t hsa_system_get_major_extension_table(uint16_t extension, uint16_t version_major, size_t table_length,
                                                  void* table) {
    VROCM_OPEN(runtime);
    const Extension* e = find_extension(extension);
    VROCM_CHECK(e && table && version_major == 1, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    if (e->minor < 0) return refuse(e->name);
    if (extension == HSA_EXTENSION_IMAGES) {
        const hsa_ext_images_1_pfn_t functions = {
#define MEMBER(name, parameters) ::vrocm::hsa::api::name,
            HSA_IMAGE_FUNCTIONS_1_00(MEMBER) HSA_IMAGE_FUNCTIONS_1(MEMBER)
#undef MEMBER
        };
        std::memcpy(table, &functions, std::min(table_length, sizeof functions));
        return HSA_STATUS_SUCCESS;
    }
    const hsa_ven_amd_loader_1_03_pfn_t functions = {
#define MEMBER(name, parameters) ::vrocm::hsa::api::name,
        HSA_LOADER_FUNCTIONS_1_03(MEMBER)
#undef MEMBER
    };
    std::memcpy(table, &functions, std::min(table_length, sizeof functions));
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_agent_extension_supported(uint16_t extension, hsa_agent_t agent, uint16_t version_major,
                                           uint16_t version_minor, bool* result) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(runtime->agent(agent), HSA_STATUS_ERROR_INVALID_AGENT);
    const Extension* e = find_extension(extension);
    VROCM_CHECK(e && result, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    *result = runtime->agent(agent)->is_gpu() && version_major == 1 && version_minor <= e->minor;
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_agent_major_extension_supported(uint16_t extension, hsa_agent_t agent, uint16_t version_major,
                                                 uint16_t* version_minor, bool* result) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(runtime->agent(agent), HSA_STATUS_ERROR_INVALID_AGENT);
    const hsa_status_t status = hsa_system_major_extension_supported(extension, version_major, version_minor, result);
    if (status == HSA_STATUS_SUCCESS) *result &= runtime->agent(agent)->is_gpu();
    return status;
}

hsa_status_t hsa_amd_register_system_event_handler(hsa_amd_system_event_callback_t callback, void* data) {
    VROCM_OPEN(runtime);
    return runtime->events.add(callback, data);
}

// Nothing is logged: there are no blit kernels and no SDMA packets to log.
hsa_status_t hsa_amd_enable_logging(uint8_t*, void*) {
    VROCM_OPEN(runtime);
    return HSA_STATUS_SUCCESS;
}

}  // namespace vrocm::hsa::api
