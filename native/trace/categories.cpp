#include "trace/categories.h"

#include <cstdio>
#include <string_view>

#include "abi/vrocm/trace.h"

namespace vrocm::trace {

namespace {

struct Named {
    std::string_view name;
    std::uint32_t bits;
};

constexpr Named kNames[] = {
    {"hip_runtime", VROCM_TRACE_HIP_RUNTIME}, {"hip_compiler", VROCM_TRACE_HIP_COMPILER},
    {"hsa_core", VROCM_TRACE_HSA_CORE},       {"hsa_amd", VROCM_TRACE_HSA_AMD_EXT},
    {"hsa_image", VROCM_TRACE_HSA_IMAGE_EXT}, {"hsa_finalizer", VROCM_TRACE_HSA_FINALIZE_EXT},
    {"marker", VROCM_TRACE_MARKER},           {"kernel", VROCM_TRACE_KERNEL},
    {"memory_copy", VROCM_TRACE_COPY},        {"memory_allocation", VROCM_TRACE_ALLOCATION},
    {"scratch_memory", VROCM_TRACE_SCRATCH},  {"counters", VROCM_TRACE_COUNTERS},
};

std::uint32_t bits_of(std::string_view name) {
    for (const Named& known : kNames)
        if (known.name == name) return known.bits;
    std::fprintf(stderr, "vrocm: VROCM_TRACE names %.*s, which is not something to trace\n",
                 static_cast<int>(name.size()), name.data());
    return 0;
}

}  // namespace

std::uint32_t categories_from(const char* list) {
    std::uint32_t bits = 0;
    std::string_view rest = list ? list : "";
    if (rest.empty())
        for (const Named& known : kNames) bits |= known.bits;
    while (!rest.empty()) {
        const std::size_t comma = rest.find(',');
        bits |= bits_of(rest.substr(0, comma));
        rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 1);
    }
    return bits;
}

}  // namespace vrocm::trace
