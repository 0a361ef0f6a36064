// What kind of work each public function is: what it costs in virtual time (abi/vrocm/clock.h).
#pragma once

#include <string_view>

#include "abi/vrocm/clock.h"

namespace vrocm::hip {

constexpr vrocm_clock_cost cost_of_function(std::string_view name) {
    const auto has = [name](std::string_view part) { return name.find(part) != std::string_view::npos; };
    const auto starts = [name](std::string_view part) { return name.starts_with(part); };
    if (starts("__hip")) return VROCM_COST_TRIVIAL;
    if (has("Launch") && !has("HostFunc") && !has("Graph")) return VROCM_COST_LAUNCH;
    if (starts("hipGraphLaunch")) return VROCM_COST_LAUNCH;
    if (has("EventRecord") || starts("hipStreamWaitEvent") || has("AddCallback") || has("HostFunc") || has("Value32") ||
        has("Value64"))
        return VROCM_COST_RECORD;
    if (has("Synchronize") || has("CtxSynchronize")) return VROCM_COST_WAIT;
    if (starts("hipEventQuery") || starts("hipStreamQuery") || starts("hipEventElapsedTime")) return VROCM_COST_QUERY;
    if (starts("hipGraph")) return VROCM_COST_CREATE;
    if (starts("hipMemcpy") || starts("hipMemset") || starts("hipMemPrefetch")) return VROCM_COST_COPY;
    if (starts("hipMallocAsync") || starts("hipMallocFromPoolAsync") || starts("hipFreeAsync"))
        return VROCM_COST_RECORD;
    if (starts("hipMalloc") || starts("hipHostMalloc") || starts("hipHostAlloc") || starts("hipHostRegister") ||
        starts("hipMemAlloc") || starts("hipMemMap") || starts("hipMemCreate") || starts("hipExtMalloc") ||
        starts("hipMemSetAccess") || starts("hipArrayCreate") || starts("hipArray3DCreate"))
        return VROCM_COST_ALLOCATE;
    if (starts("hipFree") || starts("hipHostFree") || starts("hipHostUnregister") || starts("hipMemRelease") ||
        starts("hipMemUnmap") || starts("hipArrayDestroy"))
        return VROCM_COST_FREE;
    if (starts("hipModuleLoad") || starts("hipLibraryLoad")) return VROCM_COST_LOAD_CODE;
    if (has("Create") || has("Destroy") || has("Unload")) return VROCM_COST_CREATE;
    return VROCM_COST_TRIVIAL;
}

}  // namespace vrocm::hip
