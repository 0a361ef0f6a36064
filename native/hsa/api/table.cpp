#include "hsa/api/table.h"

#include <string_view>

#include "hsa/api/functions.h"
#include "hsa/time/clock.h"
#include "hsa/tracing/api.h"

namespace vrocm::hsa {

namespace {

// API functions that take virtual time: what a call costs, by its name, and functions that charge it.
constexpr vrocm_clock_cost cost_of_call(std::string_view name) {
    const auto is = [name](auto... names) { return ((name == names) || ...); };
    const auto has = [name](std::string_view part) { return name.find(part) != std::string_view::npos; };
    if (is("hsa_init", "hsa_shut_down")) return VROCM_COST_NONE;
    if (has("hsa_signal_wait") || has("signal_wait_a") || has("group_wait")) return VROCM_COST_WAIT;
    if (has("hsa_signal_create") || has("hsa_signal_destroy") || has("amd_signal_create") || has("async_handler"))
        return VROCM_COST_CREATE;
    if (name.starts_with("hsa_signal_") || name.starts_with("hsa_queue_load_") ||
        name.starts_with("hsa_queue_store_") || name.starts_with("hsa_queue_add_") ||
        name.starts_with("hsa_queue_cas_"))
        return VROCM_COST_SIGNAL;
    if (is("hsa_queue_create", "hsa_queue_destroy", "hsa_amd_queue_intercept_create")) return VROCM_COST_QUEUE;
    if (is("hsa_executable_load_agent_code_object", "hsa_executable_load_code_object")) return VROCM_COST_LOAD_CODE;
    if (is("hsa_memory_allocate", "hsa_amd_memory_pool_allocate", "hsa_amd_vmem_handle_create", "hsa_amd_vmem_map",
           "hsa_amd_memory_lock", "hsa_amd_memory_lock_to_pool", "hsa_amd_vmem_set_access"))
        return VROCM_COST_ALLOCATE;
    if (is("hsa_memory_free", "hsa_amd_memory_pool_free", "hsa_amd_vmem_handle_release", "hsa_amd_vmem_unmap",
           "hsa_amd_memory_unlock"))
        return VROCM_COST_FREE;
    if (has("memory_copy") || has("async_copy") || has("memory_fill") || has("prefetch")) return VROCM_COST_COPY;
    if (has("_create") || has("_destroy") || has("_freeze")) return VROCM_COST_CREATE;
    return VROCM_COST_TRIVIAL;
}

template <auto Function, vrocm_clock_cost Cost>
struct Charged;
template <class Result, class... Arguments, Result (*Function)(Arguments...), vrocm_clock_cost Cost>
struct Charged<Function, Cost> {
    static Result call(Arguments... arguments) {
        const clock::ChargedCall charge(Cost);
        return Function(arguments...);
    }
};

hsa_status_t ignore_event(hsa_amd_tool_event_t) {
    return HSA_STATUS_SUCCESS;
}

void fill(HsaApiTableContainer& tables) {
#define FILL(name) tables.core.name##_fn = Charged<api::name, cost_of_call(#name)>::call;
    HSA_CORE_TABLE(FILL)
#undef FILL
#define FILL(name) tables.amd_ext.name##_fn = Charged<api::name, cost_of_call(#name)>::call;
    HSA_AMD_EXT_TABLE(FILL)
#undef FILL
#define FILL(name) tables.finalizer_ext.name##_fn = Charged<api::name, cost_of_call(#name)>::call;
    HSA_FINALIZER_TABLE(FILL)
#undef FILL
#define FILL(name) tables.image_ext.name##_fn = Charged<api::name, cost_of_call(#name)>::call;
    HSA_IMAGE_TABLE(FILL)
#undef FILL
#define FILL(name) tables.pc_sampling_ext.name##_fn = Charged<api::name, cost_of_call(#name)>::call;
    HSA_PC_SAMPLING_TABLE(FILL)
#undef FILL
#define FILL(name) tables.tools.name##_fn = ignore_event;
    HSA_TOOLS_TABLE(FILL)
#undef FILL
    put_tracer_before(tables);
}

}  // namespace

HsaApiTableContainer& api_tables() {
    static HsaApiTableContainer* tables = [] {
        auto* made = new HsaApiTableContainer;  // never destroyed: callers may outlive static destructors
        fill(*made);
        return made;
    }();
    return *tables;
}

void reset_api_tables() {
    fill(api_tables());
}

}  // namespace vrocm::hsa
