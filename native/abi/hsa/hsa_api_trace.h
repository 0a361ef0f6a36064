/* The API tables that tools loaded by HSA_TOOLS_LIB receive and may patch. Order and size of the
 * members are the ABI of ROCm 7; tables only grow at their end. */
#ifndef HSA_RUNTIME_INC_HSA_API_TRACE_H
#define HSA_RUNTIME_INC_HSA_API_TRACE_H

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "hsa.h"
#include "hsa_amd_tool.h"
#include "hsa_api_trace_version.h"
#include "hsa_ext_amd.h"
#include "hsa_ext_finalize.h"
#include "hsa_ext_image.h"
#include "hsa_ven_amd_pc_sampling.h"

static inline uint32_t Min(const uint32_t a, const uint32_t b) {
    return a < b ? a : b;
}

/* A vendor packet that is never executed: when an intercept queue meets it while writing rewritten
   packets, it calls `callback` with the place where the next packet will lie. */
const uint32_t AMD_AQL_FORMAT_INTERCEPT_MARKER = 0xFE;
struct amd_aql_intercept_marker_s;
typedef void (*amd_intercept_marker_handler)(const struct amd_aql_intercept_marker_s* packet, hsa_queue_t* queue,
                                             uint64_t packet_id);
typedef struct amd_aql_intercept_marker_s {
    uint16_t header;
    uint8_t format;
    uint8_t reserved[5];
    amd_intercept_marker_handler callback;
    uint64_t user_data[6];
} amd_aql_intercept_marker_t;

typedef void (*hsa_amd_queue_intercept_packet_writer)(const void* pkts, uint64_t pkt_count);
typedef void (*hsa_amd_queue_intercept_handler)(const void* pkts, uint64_t pkt_count, uint64_t user_pkt_index,
                                                void* data, hsa_amd_queue_intercept_packet_writer writer);
typedef void (*hsa_amd_runtime_queue_notifier)(const hsa_queue_t* queue, hsa_agent_t agent, void* data);

#ifdef __cplusplus
extern "C" {
#endif
hsa_status_t HSA_API hsa_amd_queue_intercept_register(hsa_queue_t* queue, hsa_amd_queue_intercept_handler callback,
                                                      void* user_data);
hsa_status_t HSA_API hsa_amd_queue_intercept_create(hsa_agent_t agent_handle, uint32_t size, hsa_queue_type32_t type,
                                                    void (*callback)(hsa_status_t status, hsa_queue_t* source,
                                                                     void* data),
                                                    void* data, uint32_t private_segment_size,
                                                    uint32_t group_segment_size, hsa_queue_t** queue);
hsa_status_t HSA_API hsa_amd_runtime_queue_create_register(hsa_amd_runtime_queue_notifier callback, void* user_data);
#ifdef __cplusplus
}

struct ApiTableVersion {
    uint32_t major_id;
    uint32_t minor_id; /* size of the table in bytes */
    uint32_t step_id;
    uint32_t reserved;
};

#define HSA_TABLE_MEMBER(name) decltype(name)* name##_fn;

#define HSA_TOOLS_TABLE(F)                            \
    F(hsa_amd_tool_scratch_event_alloc_start)         \
    F(hsa_amd_tool_scratch_event_alloc_end)           \
    F(hsa_amd_tool_scratch_event_free_start)          \
    F(hsa_amd_tool_scratch_event_free_end)            \
    F(hsa_amd_tool_scratch_event_async_reclaim_start) \
    F(hsa_amd_tool_scratch_event_async_reclaim_end)

#define HSA_FINALIZER_TABLE(F)         \
    F(hsa_ext_program_create)          \
    F(hsa_ext_program_destroy)         \
    F(hsa_ext_program_add_module)      \
    F(hsa_ext_program_iterate_modules) \
    F(hsa_ext_program_get_info)        \
    F(hsa_ext_program_finalize)

#define HSA_IMAGE_TABLE(F)                      \
    F(hsa_ext_image_get_capability)             \
    F(hsa_ext_image_data_get_info)              \
    F(hsa_ext_image_create)                     \
    F(hsa_ext_image_import)                     \
    F(hsa_ext_image_export)                     \
    F(hsa_ext_image_copy)                       \
    F(hsa_ext_image_clear)                      \
    F(hsa_ext_image_destroy)                    \
    F(hsa_ext_sampler_create)                   \
    F(hsa_ext_sampler_destroy)                  \
    F(hsa_ext_image_get_capability_with_layout) \
    F(hsa_ext_image_data_get_info_with_layout)  \
    F(hsa_ext_image_create_with_layout)         \
    F(hsa_ext_sampler_create_v2)

#define HSA_PC_SAMPLING_TABLE(F)             \
    F(hsa_ven_amd_pcs_iterate_configuration) \
    F(hsa_ven_amd_pcs_create)                \
    F(hsa_ven_amd_pcs_create_from_id)        \
    F(hsa_ven_amd_pcs_destroy)               \
    F(hsa_ven_amd_pcs_start)                 \
    F(hsa_ven_amd_pcs_stop)                  \
    F(hsa_ven_amd_pcs_flush)

#define HSA_AMD_EXT_TABLE(F)                           \
    F(hsa_amd_coherency_get_type)                      \
    F(hsa_amd_coherency_set_type)                      \
    F(hsa_amd_profiling_set_profiler_enabled)          \
    F(hsa_amd_profiling_async_copy_enable)             \
    F(hsa_amd_profiling_get_dispatch_time)             \
    F(hsa_amd_profiling_get_async_copy_time)           \
    F(hsa_amd_profiling_convert_tick_to_system_domain) \
    F(hsa_amd_signal_async_handler)                    \
    F(hsa_amd_async_function)                          \
    F(hsa_amd_signal_wait_any)                         \
    F(hsa_amd_queue_cu_set_mask)                       \
    F(hsa_amd_memory_pool_get_info)                    \
    F(hsa_amd_agent_iterate_memory_pools)              \
    F(hsa_amd_memory_pool_allocate)                    \
    F(hsa_amd_memory_pool_free)                        \
    F(hsa_amd_memory_async_copy)                       \
    F(hsa_amd_memory_async_copy_on_engine)             \
    F(hsa_amd_memory_copy_engine_status)               \
    F(hsa_amd_agent_memory_pool_get_info)              \
    F(hsa_amd_agents_allow_access)                     \
    F(hsa_amd_memory_pool_can_migrate)                 \
    F(hsa_amd_memory_migrate)                          \
    F(hsa_amd_memory_lock)                             \
    F(hsa_amd_memory_unlock)                           \
    F(hsa_amd_memory_fill)                             \
    F(hsa_amd_interop_map_buffer)                      \
    F(hsa_amd_interop_unmap_buffer)                    \
    F(hsa_amd_image_create)                            \
    F(hsa_amd_pointer_info)                            \
    F(hsa_amd_pointer_info_set_userdata)               \
    F(hsa_amd_ipc_memory_create)                       \
    F(hsa_amd_ipc_memory_attach)                       \
    F(hsa_amd_ipc_memory_detach)                       \
    F(hsa_amd_signal_create)                           \
    F(hsa_amd_ipc_signal_create)                       \
    F(hsa_amd_ipc_signal_attach)                       \
    F(hsa_amd_register_system_event_handler)           \
    F(hsa_amd_queue_intercept_create)                  \
    F(hsa_amd_queue_intercept_register)                \
    F(hsa_amd_queue_set_priority)                      \
    F(hsa_amd_memory_async_copy_rect)                  \
    F(hsa_amd_runtime_queue_create_register)           \
    F(hsa_amd_memory_lock_to_pool)                     \
    F(hsa_amd_register_deallocation_callback)          \
    F(hsa_amd_deregister_deallocation_callback)        \
    F(hsa_amd_signal_value_pointer)                    \
    F(hsa_amd_svm_attributes_set)                      \
    F(hsa_amd_svm_attributes_get)                      \
    F(hsa_amd_svm_prefetch_async)                      \
    F(hsa_amd_spm_acquire)                             \
    F(hsa_amd_spm_release)                             \
    F(hsa_amd_spm_set_dest_buffer)                     \
    F(hsa_amd_queue_cu_get_mask)                       \
    F(hsa_amd_portable_export_dmabuf)                  \
    F(hsa_amd_portable_close_dmabuf)                   \
    F(hsa_amd_vmem_address_reserve)                    \
    F(hsa_amd_vmem_address_free)                       \
    F(hsa_amd_vmem_handle_create)                      \
    F(hsa_amd_vmem_handle_release)                     \
    F(hsa_amd_vmem_map)                                \
    F(hsa_amd_vmem_unmap)                              \
    F(hsa_amd_vmem_set_access)                         \
    F(hsa_amd_vmem_get_access)                         \
    F(hsa_amd_vmem_export_shareable_handle)            \
    F(hsa_amd_vmem_import_shareable_handle)            \
    F(hsa_amd_vmem_retain_alloc_handle)                \
    F(hsa_amd_vmem_get_alloc_properties_from_handle)   \
    F(hsa_amd_agent_set_async_scratch_limit)           \
    F(hsa_amd_queue_get_info)                          \
    F(hsa_amd_vmem_address_reserve_align)              \
    F(hsa_amd_enable_logging)                          \
    F(hsa_amd_signal_wait_all)                         \
    F(hsa_amd_memory_get_preferred_copy_engine)        \
    F(hsa_amd_portable_export_dmabuf_v2)               \
    F(hsa_amd_ais_file_write)                          \
    F(hsa_amd_ais_file_read)                           \
    F(hsa_amd_counted_queue_acquire)                   \
    F(hsa_amd_counted_queue_release)

#define HSA_CORE_TABLE(F)                          \
    F(hsa_init)                                    \
    F(hsa_shut_down)                               \
    F(hsa_system_get_info)                         \
    F(hsa_system_extension_supported)              \
    F(hsa_system_get_extension_table)              \
    F(hsa_iterate_agents)                          \
    F(hsa_agent_get_info)                          \
    F(hsa_queue_create)                            \
    F(hsa_soft_queue_create)                       \
    F(hsa_queue_destroy)                           \
    F(hsa_queue_inactivate)                        \
    F(hsa_queue_load_read_index_scacquire)         \
    F(hsa_queue_load_read_index_relaxed)           \
    F(hsa_queue_load_write_index_scacquire)        \
    F(hsa_queue_load_write_index_relaxed)          \
    F(hsa_queue_store_write_index_relaxed)         \
    F(hsa_queue_store_write_index_screlease)       \
    F(hsa_queue_cas_write_index_scacq_screl)       \
    F(hsa_queue_cas_write_index_scacquire)         \
    F(hsa_queue_cas_write_index_relaxed)           \
    F(hsa_queue_cas_write_index_screlease)         \
    F(hsa_queue_add_write_index_scacq_screl)       \
    F(hsa_queue_add_write_index_scacquire)         \
    F(hsa_queue_add_write_index_relaxed)           \
    F(hsa_queue_add_write_index_screlease)         \
    F(hsa_queue_store_read_index_relaxed)          \
    F(hsa_queue_store_read_index_screlease)        \
    F(hsa_agent_iterate_regions)                   \
    F(hsa_region_get_info)                         \
    F(hsa_agent_get_exception_policies)            \
    F(hsa_agent_extension_supported)               \
    F(hsa_memory_register)                         \
    F(hsa_memory_deregister)                       \
    F(hsa_memory_allocate)                         \
    F(hsa_memory_free)                             \
    F(hsa_memory_copy)                             \
    F(hsa_memory_assign_agent)                     \
    F(hsa_signal_create)                           \
    F(hsa_signal_destroy)                          \
    F(hsa_signal_load_relaxed)                     \
    F(hsa_signal_load_scacquire)                   \
    F(hsa_signal_store_relaxed)                    \
    F(hsa_signal_store_screlease)                  \
    F(hsa_signal_wait_relaxed)                     \
    F(hsa_signal_wait_scacquire)                   \
    F(hsa_signal_and_relaxed)                      \
    F(hsa_signal_and_scacquire)                    \
    F(hsa_signal_and_screlease)                    \
    F(hsa_signal_and_scacq_screl)                  \
    F(hsa_signal_or_relaxed)                       \
    F(hsa_signal_or_scacquire)                     \
    F(hsa_signal_or_screlease)                     \
    F(hsa_signal_or_scacq_screl)                   \
    F(hsa_signal_xor_relaxed)                      \
    F(hsa_signal_xor_scacquire)                    \
    F(hsa_signal_xor_screlease)                    \
    F(hsa_signal_xor_scacq_screl)                  \
    F(hsa_signal_exchange_relaxed)                 \
    F(hsa_signal_exchange_scacquire)               \
    F(hsa_signal_exchange_screlease)               \
    F(hsa_signal_exchange_scacq_screl)             \
    F(hsa_signal_add_relaxed)                      \
    F(hsa_signal_add_scacquire)                    \
    F(hsa_signal_add_screlease)                    \
    F(hsa_signal_add_scacq_screl)                  \
    F(hsa_signal_subtract_relaxed)                 \
    F(hsa_signal_subtract_scacquire)               \
    F(hsa_signal_subtract_screlease)               \
    F(hsa_signal_subtract_scacq_screl)             \
    F(hsa_signal_cas_relaxed)                      \
    F(hsa_signal_cas_scacquire)                    \
    F(hsa_signal_cas_screlease)                    \
    F(hsa_signal_cas_scacq_screl)                  \
    F(hsa_isa_from_name)                           \
    F(hsa_isa_get_info)                            \
    F(hsa_isa_compatible)                          \
    F(hsa_code_object_serialize)                   \
    F(hsa_code_object_deserialize)                 \
    F(hsa_code_object_destroy)                     \
    F(hsa_code_object_get_info)                    \
    F(hsa_code_object_get_symbol)                  \
    F(hsa_code_symbol_get_info)                    \
    F(hsa_code_object_iterate_symbols)             \
    F(hsa_executable_create)                       \
    F(hsa_executable_destroy)                      \
    F(hsa_executable_load_code_object)             \
    F(hsa_executable_freeze)                       \
    F(hsa_executable_get_info)                     \
    F(hsa_executable_global_variable_define)       \
    F(hsa_executable_agent_global_variable_define) \
    F(hsa_executable_readonly_variable_define)     \
    F(hsa_executable_validate)                     \
    F(hsa_executable_get_symbol)                   \
    F(hsa_executable_symbol_get_info)              \
    F(hsa_executable_iterate_symbols)              \
    F(hsa_status_string)                           \
    F(hsa_extension_get_name)                      \
    F(hsa_system_major_extension_supported)        \
    F(hsa_system_get_major_extension_table)        \
    F(hsa_agent_major_extension_supported)         \
    F(hsa_cache_get_info)                          \
    F(hsa_agent_iterate_caches)                    \
    F(hsa_signal_silent_store_relaxed)             \
    F(hsa_signal_silent_store_screlease)           \
    F(hsa_signal_group_create)                     \
    F(hsa_signal_group_destroy)                    \
    F(hsa_signal_group_wait_any_scacquire)         \
    F(hsa_signal_group_wait_any_relaxed)           \
    F(hsa_agent_iterate_isas)                      \
    F(hsa_isa_get_info_alt)                        \
    F(hsa_isa_get_exception_policies)              \
    F(hsa_isa_get_round_method)                    \
    F(hsa_wavefront_get_info)                      \
    F(hsa_isa_iterate_wavefronts)                  \
    F(hsa_code_object_get_symbol_from_name)        \
    F(hsa_code_object_reader_create_from_file)     \
    F(hsa_code_object_reader_create_from_memory)   \
    F(hsa_code_object_reader_destroy)              \
    F(hsa_executable_create_alt)                   \
    F(hsa_executable_load_program_code_object)     \
    F(hsa_executable_load_agent_code_object)       \
    F(hsa_executable_validate_alt)                 \
    F(hsa_executable_get_symbol_by_name)           \
    F(hsa_executable_iterate_agent_symbols)        \
    F(hsa_executable_iterate_program_symbols)

struct ToolsApiTable {
    ApiTableVersion version;
#define HSA_TABLE_EVENT(name) hsa_amd_tool_event name##_fn;
    HSA_TOOLS_TABLE(HSA_TABLE_EVENT)
#undef HSA_TABLE_EVENT
};
struct FinalizerExtTable {
    ApiTableVersion version;
    HSA_FINALIZER_TABLE(HSA_TABLE_MEMBER)
};
struct ImageExtTable {
    ApiTableVersion version;
    HSA_IMAGE_TABLE(HSA_TABLE_MEMBER)
};
struct PcSamplingExtTable {
    ApiTableVersion version;
    HSA_PC_SAMPLING_TABLE(HSA_TABLE_MEMBER)
};
struct AmdExtTable {
    ApiTableVersion version;
    HSA_AMD_EXT_TABLE(HSA_TABLE_MEMBER)
};
struct CoreApiTable {
    ApiTableVersion version;
    HSA_CORE_TABLE(HSA_TABLE_MEMBER)
};

struct HsaApiTable {
    ApiTableVersion version;
    CoreApiTable* core_;
    AmdExtTable* amd_ext_;
    FinalizerExtTable* finalizer_ext_;
    ImageExtTable* image_ext_;
    ToolsApiTable* tools_;
    PcSamplingExtTable* pc_sampling_ext_;
};

/* Storage for a whole set of tables, with versions filled in. */
struct HsaApiTableContainer {
    HsaApiTable root;
    CoreApiTable core;
    AmdExtTable amd_ext;
    FinalizerExtTable finalizer_ext;
    ImageExtTable image_ext;
    ToolsApiTable tools;
    PcSamplingExtTable pc_sampling_ext;

    HsaApiTableContainer() {
        memset(static_cast<void*>(this), 0, sizeof *this);
        root.version = {HSA_API_TABLE_MAJOR_VERSION, sizeof(HsaApiTable), HSA_API_TABLE_STEP_VERSION, 0};
        core.version = {HSA_CORE_API_TABLE_MAJOR_VERSION, sizeof(CoreApiTable), HSA_CORE_API_TABLE_STEP_VERSION, 0};
        amd_ext.version = {HSA_AMD_EXT_API_TABLE_MAJOR_VERSION, sizeof(AmdExtTable), HSA_AMD_EXT_API_TABLE_STEP_VERSION,
                           0};
        finalizer_ext.version = {HSA_FINALIZER_API_TABLE_MAJOR_VERSION, sizeof(FinalizerExtTable),
                                 HSA_FINALIZER_API_TABLE_STEP_VERSION, 0};
        image_ext.version = {HSA_IMAGE_API_TABLE_MAJOR_VERSION, sizeof(ImageExtTable), HSA_IMAGE_API_TABLE_STEP_VERSION,
                             0};
        tools.version = {HSA_TOOLS_API_TABLE_MAJOR_VERSION, sizeof(ToolsApiTable), HSA_TOOLS_API_TABLE_STEP_VERSION, 0};
        pc_sampling_ext.version = {HSA_PC_SAMPLING_API_TABLE_MAJOR_VERSION, sizeof(PcSamplingExtTable),
                                   HSA_PC_SAMPLING_API_TABLE_STEP_VERSION, 0};
        root.core_ = &core;
        root.amd_ext_ = &amd_ext;
        root.finalizer_ext_ = &finalizer_ext;
        root.image_ext_ = &image_ext;
        root.tools_ = &tools;
        root.pc_sampling_ext_ = &pc_sampling_ext;
    }
};

/* Copies the members after the version, `size` being the size of the table. */
static inline void copyApi(void* dest, void* src, size_t size) {
    assert(size >= sizeof(ApiTableVersion));
    memcpy(static_cast<char*>(dest) + sizeof(ApiTableVersion), static_cast<char*>(src) + sizeof(ApiTableVersion),
           size - sizeof(ApiTableVersion));
}

/* Copies one table up to the size that both sides know; clears the version when majors differ. */
static inline void copyElement(ApiTableVersion* dest, ApiTableVersion* src) {
    if (src->major_id == 0 || dest->major_id != src->major_id) {
        *dest = ApiTableVersion{0, 0, 0, dest->reserved};
        return;
    }
    dest->step_id = src->step_id;
    dest->minor_id = Min(dest->minor_id, src->minor_id);
    copyApi(dest, src, dest->minor_id);
}

/* Copies the tables that both roots know. `dest` must have its versions and pointers set. */
static inline void copyTables(const HsaApiTable* src, HsaApiTable* dest) {
    if (dest->version.major_id != src->version.major_id) {
        dest->version = ApiTableVersion{0, 0, 0, dest->version.reserved};
        return;
    }
    dest->version.step_id = src->version.step_id;
    dest->version.minor_id = Min(dest->version.minor_id, src->version.minor_id);
#define HSA_COPY_TABLE(member)                                  \
    if (offsetof(HsaApiTable, member) < dest->version.minor_id) \
        copyElement(&dest->member->version, &src->member->version);
    HSA_COPY_TABLE(core_)
    HSA_COPY_TABLE(amd_ext_)
    HSA_COPY_TABLE(finalizer_ext_)
    HSA_COPY_TABLE(image_ext_)
    HSA_COPY_TABLE(tools_)
    HSA_COPY_TABLE(pc_sampling_ext_)
#undef HSA_COPY_TABLE
}
#undef HSA_TABLE_MEMBER
#endif /* __cplusplus */
#endif
