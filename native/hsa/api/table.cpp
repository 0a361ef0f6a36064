#include "hsa/api/table.h"

#include "hsa/api/charged.h"
#include "hsa/api/functions.h"
#include "hsa/tracing/api.h"

namespace vrocm::hsa {

namespace {

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
