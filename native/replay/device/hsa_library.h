// The HSA runtime, opened at run time: every function the replay calls, as a table. Nothing is linked, so that one
// executable works with whatever runtime is installed or named.
#pragma once

#include <cstdint>
#include <string>

#include "abi/hsa/hsa.h"
#include "abi/hsa/hsa_ext_amd.h"
#include "abi/hsa/hsa_ven_amd_loader.h"

namespace rpl::replay {

// All are exported by ROCm 6.1 and later; those for virtual memory not yet by 5.7 (docs/guide/hardware.md).
#define RPL_HSA_FUNCTIONS(F)                     \
    F(hsa_init)                                  \
    F(hsa_shut_down)                             \
    F(hsa_status_string)                         \
    F(hsa_system_get_info)                       \
    F(hsa_system_get_major_extension_table)      \
    F(hsa_iterate_agents)                        \
    F(hsa_agent_get_info)                        \
    F(hsa_agent_iterate_isas)                    \
    F(hsa_isa_get_info_alt)                      \
    F(hsa_signal_create)                         \
    F(hsa_signal_destroy)                        \
    F(hsa_signal_store_screlease)                \
    F(hsa_signal_wait_scacquire)                 \
    F(hsa_queue_create)                          \
    F(hsa_queue_destroy)                         \
    F(hsa_queue_add_write_index_screlease)       \
    F(hsa_queue_load_read_index_scacquire)       \
    F(hsa_code_object_reader_create_from_memory) \
    F(hsa_code_object_reader_destroy)            \
    F(hsa_executable_create_alt)                 \
    F(hsa_executable_destroy)                    \
    F(hsa_executable_load_agent_code_object)     \
    F(hsa_executable_freeze)                     \
    F(hsa_executable_get_symbol_by_name)         \
    F(hsa_executable_symbol_get_info)            \
    F(hsa_executable_iterate_agent_symbols)      \
    F(hsa_amd_agent_iterate_memory_pools)        \
    F(hsa_amd_memory_pool_get_info)              \
    F(hsa_amd_memory_pool_allocate)              \
    F(hsa_amd_memory_pool_free)                  \
    F(hsa_amd_agents_allow_access)               \
    F(hsa_amd_memory_lock)                       \
    F(hsa_amd_memory_fill)                       \
    F(hsa_amd_memory_async_copy)                 \
    F(hsa_amd_svm_attributes_set)                \
    F(hsa_amd_profiling_set_profiler_enabled)    \
    F(hsa_amd_profiling_get_dispatch_time)       \
    F(hsa_amd_register_system_event_handler)     \
    F(hsa_amd_vmem_address_reserve)              \
    F(hsa_amd_vmem_address_free)                 \
    F(hsa_amd_vmem_handle_create)                \
    F(hsa_amd_vmem_map)                          \
    F(hsa_amd_vmem_set_access)

class HsaLibrary {
  public:
    // Opens the library and finds every function; throws Failure. `path` empty: libhsa-runtime64.so.1 as the loader
    // finds it.
    explicit HsaLibrary(const std::string& path);
    HsaLibrary(const HsaLibrary&) = delete;
    HsaLibrary& operator=(const HsaLibrary&) = delete;

    // Calls hsa_init and reads the loader's table. Throws Failure.
    void start();
    void stop();

    // Throws Failure with the runtime's own words when the status is an error. `what` says what was tried.
    void check(hsa_status_t status, const std::string& what) const;
    std::string describe(hsa_status_t status) const;

    // Where the library was found, "" when the loader does not tell.
    const std::string& path() const { return path_; }
    // "1.18": of the interface.
    const std::string& interface_version() const { return interface_version_; }
    // The runtime's own name for its build; "" when it does not tell.
    const std::string& build() const { return build_; }
    // Of the ROCm installation that the library belongs to, "" when it is not recorded there.
    std::string rocm_version() const;
    std::uint64_t timestamp_frequency() const;
    // Whether the GPU sees host memory at the host's addresses.
    bool has_shared_virtual_memory() const { return shared_virtual_memory_; }

#define RPL_MEMBER(name) decltype(&::name) name = nullptr;
    RPL_HSA_FUNCTIONS(RPL_MEMBER)
#undef RPL_MEMBER
    hsa_ven_amd_loader_1_01_pfn_t loader{};

  private:
    std::string path_, interface_version_, build_;
    bool shared_virtual_memory_ = false;
};

}  // namespace rpl::replay
