// Functions that the virtual GPU does not provide. Each says its name and fails.
#include <cstdio>
#include <mutex>
#include <set>
#include <string>

#include "hsa/api/functions.h"

namespace vrocm::hsa::api {

hsa_status_t refuse(const char* name, hsa_status_t status) {
    static std::mutex mutex;
    static auto* said = new std::set<std::string>;
    std::lock_guard lock(mutex);
    if (said->insert(name).second) std::fprintf(stderr, "vrocm: %s is not provided by the virtual GPU\n", name);
    return status;
}

// `name` has the type it has in the table, whatever its parameters.
#define REFUSE(name, parameters)   \
    hsa_status_t name parameters { \
        return refuse(#name);      \
    }

// Images: CDNA GPUs have no image instructions.
REFUSE(hsa_ext_image_get_capability, (hsa_agent_t, hsa_ext_image_geometry_t, const hsa_ext_image_format_t*, uint32_t*))
REFUSE(hsa_ext_image_data_get_info,
       (hsa_agent_t, const hsa_ext_image_descriptor_t*, hsa_access_permission_t, hsa_ext_image_data_info_t*))
REFUSE(hsa_ext_image_create,
       (hsa_agent_t, const hsa_ext_image_descriptor_t*, const void*, hsa_access_permission_t, hsa_ext_image_t*))
REFUSE(hsa_ext_image_import, (hsa_agent_t, const void*, size_t, size_t, hsa_ext_image_t, const hsa_ext_image_region_t*))
REFUSE(hsa_ext_image_export, (hsa_agent_t, hsa_ext_image_t, void*, size_t, size_t, const hsa_ext_image_region_t*))
REFUSE(hsa_ext_image_copy,
       (hsa_agent_t, hsa_ext_image_t, const hsa_dim3_t*, hsa_ext_image_t, const hsa_dim3_t*, const hsa_dim3_t*))
REFUSE(hsa_ext_image_clear, (hsa_agent_t, hsa_ext_image_t, const void*, const hsa_ext_image_region_t*))
REFUSE(hsa_ext_image_destroy, (hsa_agent_t, hsa_ext_image_t))
REFUSE(hsa_ext_sampler_create, (hsa_agent_t, const hsa_ext_sampler_descriptor_t*, hsa_ext_sampler_t*))
REFUSE(hsa_ext_sampler_create_v2, (hsa_agent_t, const hsa_ext_sampler_descriptor_v2_t*, hsa_ext_sampler_t*))
REFUSE(hsa_ext_sampler_destroy, (hsa_agent_t, hsa_ext_sampler_t))
REFUSE(hsa_ext_image_get_capability_with_layout,
       (hsa_agent_t, hsa_ext_image_geometry_t, const hsa_ext_image_format_t*, hsa_ext_image_data_layout_t, uint32_t*))
REFUSE(hsa_ext_image_data_get_info_with_layout,
       (hsa_agent_t, const hsa_ext_image_descriptor_t*, hsa_access_permission_t, hsa_ext_image_data_layout_t, size_t,
        size_t, hsa_ext_image_data_info_t*))
REFUSE(hsa_ext_image_create_with_layout,
       (hsa_agent_t, const hsa_ext_image_descriptor_t*, const void*, hsa_access_permission_t,
        hsa_ext_image_data_layout_t, size_t, size_t, hsa_ext_image_t*))
REFUSE(hsa_amd_image_create, (hsa_agent_t, const hsa_ext_image_descriptor_t*, const hsa_amd_image_descriptor_t*,
                              const void*, hsa_access_permission_t, hsa_ext_image_t*))

hsa_status_t hsa_amd_image_get_info_max_dim(hsa_agent_t agent, hsa_agent_info_t attribute, void* value) {
    return api::hsa_agent_get_info(agent, attribute, value);
}

// HSAIL.
REFUSE(hsa_ext_program_create,
       (hsa_machine_model_t, hsa_profile_t, hsa_default_float_rounding_mode_t, const char*, hsa_ext_program_t*))
REFUSE(hsa_ext_program_destroy, (hsa_ext_program_t))
REFUSE(hsa_ext_program_add_module, (hsa_ext_program_t, hsa_ext_module_t))
REFUSE(hsa_ext_program_iterate_modules,
       (hsa_ext_program_t, hsa_status_t (*)(hsa_ext_program_t, hsa_ext_module_t, void*), void*))
REFUSE(hsa_ext_program_get_info, (hsa_ext_program_t, hsa_ext_program_info_t, void*))
REFUSE(hsa_ext_program_finalize, (hsa_ext_program_t, hsa_isa_t, int32_t, hsa_ext_control_directives_t, const char*,
                                  hsa_code_object_type_t, hsa_code_object_t*))

// Code objects of HSA 1.0: what readers and executable symbols do not replace.
REFUSE(hsa_code_object_serialize, (hsa_code_object_t, hsa_status_t (*)(size_t, hsa_callback_data_t, void**),
                                   hsa_callback_data_t, const char*, void**, size_t*))
REFUSE(hsa_code_object_get_info, (hsa_code_object_t, hsa_code_object_info_t, void*))
REFUSE(hsa_code_object_get_symbol, (hsa_code_object_t, const char*, hsa_code_symbol_t*))
REFUSE(hsa_code_object_get_symbol_from_name, (hsa_code_object_t, const char*, const char*, hsa_code_symbol_t*))
REFUSE(hsa_code_symbol_get_info, (hsa_code_symbol_t, hsa_code_symbol_info_t, void*))
REFUSE(hsa_code_object_iterate_symbols,
       (hsa_code_object_t, hsa_status_t (*)(hsa_code_object_t, hsa_code_symbol_t, void*), void*))

// Sharing with graphics and other drivers.
REFUSE(hsa_amd_interop_map_buffer,
       (uint32_t, hsa_agent_t*, hsa_handle_t, uint32_t, size_t*, void**, size_t*, const void**))
REFUSE(hsa_amd_interop_unmap_buffer, (void*))
REFUSE(hsa_amd_portable_export_dmabuf, (const void*, size_t, int*, uint64_t*))
REFUSE(hsa_amd_portable_export_dmabuf_v2, (const void*, size_t, int*, uint64_t*, uint64_t))
REFUSE(hsa_amd_portable_close_dmabuf, (int))

// Hardware monitors.
REFUSE(hsa_amd_spm_acquire, (hsa_agent_t))
REFUSE(hsa_amd_spm_release, (hsa_agent_t))
REFUSE(hsa_amd_spm_set_dest_buffer, (hsa_agent_t, size_t, uint32_t*, uint32_t*, void*, bool*))
REFUSE(hsa_ven_amd_pcs_create, (hsa_agent_t, hsa_ven_amd_pcs_method_kind_t, hsa_ven_amd_pcs_units_t, size_t, size_t,
                                size_t, hsa_ven_amd_pcs_data_ready_callback_t, void*, hsa_ven_amd_pcs_t*))
REFUSE(hsa_ven_amd_pcs_create_from_id,
       (uint32_t, hsa_agent_t, hsa_ven_amd_pcs_method_kind_t, hsa_ven_amd_pcs_units_t, size_t, size_t, size_t,
        hsa_ven_amd_pcs_data_ready_callback_t, void*, hsa_ven_amd_pcs_t*))
REFUSE(hsa_ven_amd_pcs_destroy, (hsa_ven_amd_pcs_t))
REFUSE(hsa_ven_amd_pcs_start, (hsa_ven_amd_pcs_t))
REFUSE(hsa_ven_amd_pcs_stop, (hsa_ven_amd_pcs_t))
REFUSE(hsa_ven_amd_pcs_flush, (hsa_ven_amd_pcs_t))

// There is no configuration to iterate over, which is an answer, not a failure.
hsa_status_t hsa_ven_amd_pcs_iterate_configuration(hsa_agent_t agent, hsa_ven_amd_pcs_iterate_configuration_callback_t,
                                                   void*) {
    VROCM_OPEN(runtime);
    return runtime->agent(agent) ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_AGENT;
}

}  // namespace vrocm::hsa::api
