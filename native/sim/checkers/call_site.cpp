#include "sim/checkers/call_site.h"

#include <dlfcn.h>
#include <execinfo.h>

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstring>

namespace vrocm::sim::checkers {

namespace {

bool is_runtime(const char* library) {
    for (const char* own : {"libamdhip64.so", "libhsa-runtime64.so", "libvrocm"})
        if (std::strstr(library, own)) return true;
    return false;
}

}  // namespace

std::string call_site() {
    constexpr int kDepth = 32;
    void* frames[kDepth];
    const int count = backtrace(frames, kDepth);
    for (int i = 0; i < count; ++i) {
        // The return address may lie past the end of the call's line: one byte back is in the call itself.
        const auto at = reinterpret_cast<std::uintptr_t>(frames[i]) - 1;
        Dl_info info{};
        if (!dladdr(reinterpret_cast<void*>(at), &info) || !info.dli_fname || is_runtime(info.dli_fname)) continue;
        char offset[32];
        std::snprintf(offset, sizeof offset, "+0x%" PRIxPTR, at - reinterpret_cast<std::uintptr_t>(info.dli_fbase));
        return std::string(info.dli_fname) + offset;
    }
    return {};
}

}  // namespace vrocm::sim::checkers
