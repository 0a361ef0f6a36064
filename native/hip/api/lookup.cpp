// API: functions found by name.
#include <dlfcn.h>

#include <cstring>
#include <string>

#include "hip/call/enter.h"

using namespace vrocm::hip;

namespace {

// Symbols whose name carries the layout of a struct they fill.
std::string versioned(const std::string& name) {
    if (name == "hipGetDeviceProperties" || name == "hipChooseDevice") return name + "R0600";
    return name;
}

}  // namespace

extern "C" {

hipError_t hipGetProcAddress(const char* symbol, void** function, int version, uint64_t flags,
                             hipDriverProcAddressQueryResult* status) {
    VROCM_API(hipGetProcAddress, symbol, function, version, flags, status);
    return enter([&] {
        require(symbol && *symbol && function && version >= 0);
        require(flags <= HIP_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM);
        *function = nullptr;
        const std::string name = versioned(symbol);
        if (flags == HIP_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM)
            *function = dlsym(RTLD_DEFAULT, (name + "_spt").c_str());
        if (!*function) *function = dlsym(RTLD_DEFAULT, name.c_str());
        if (status) *status = *function ? HIP_GET_PROC_ADDRESS_SUCCESS : HIP_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
        require(*function != nullptr, hipErrorNotFound);
    });
}

// The functions by number, from 1 in the order of their names: this runtime's own numbers.
const char* hipApiName(uint32_t id) {
    if (id == 0 || id > static_cast<uint32_t>(ApiId::Count)) return "unknown";
    return api_name(static_cast<ApiId>(id - 1));
}
}
