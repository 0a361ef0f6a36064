#include "hip/call/api_call.h"

#include <initializer_list>
#include <string_view>
#include <utility>

#include "abi/vrocm/clock.h"

namespace {

std::string fields(std::initializer_list<std::pair<const char*, std::size_t>> values) {
    std::string text = "{";
    for (const auto& [name, value] : values) {
        if (text.size() > 1) text.append(", ");
        text.append(name).append("=").append(std::to_string(value));
    }
    return text.append("}");
}

}  // namespace

std::string describe_argument(const dim3& value) {
    return fields({{"z", value.z}, {"y", value.y}, {"x", value.x}});
}

std::string describe_argument(const hipExtent& value) {
    return fields({{"depth", value.depth}, {"height", value.height}, {"width", value.width}});
}

std::string describe_argument(const hipPitchedPtr& value) {
    return fields({{"ysize", value.ysize}, {"xsize", value.xsize}, {"pitch", value.pitch}});
}

std::string describe_argument(hipMemcpyKind value) {
    switch (value) {
        case hipMemcpyHostToHost:
            return "hipMemcpyHostToHost";
        case hipMemcpyHostToDevice:
            return "hipMemcpyHostToDevice";
        case hipMemcpyDeviceToHost:
            return "hipMemcpyDeviceToHost";
        case hipMemcpyDeviceToDevice:
            return "hipMemcpyDeviceToDevice";
        case hipMemcpyDefault:
            return "hipMemcpyDefault";
        case hipMemcpyDeviceToDeviceNoCU:
            return "hipMemcpyDeviceToDeviceNoCU";
        default:
            return std::to_string(static_cast<int>(value));
    }
}

namespace vrocm::hip {

namespace {

// What kind of work each public function is: what it costs in virtual time (abi/vrocm/clock.h).
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

struct PublicFunction {
    const char* name;
    std::string_view parameters;  // "dst, src, sizeBytes, kind"
    vrocm_clock_cost cost;
};

constexpr PublicFunction functions[] = {
// The name is that of the symbol: some carry the layout of a struct they fill.
#define API(name, parameters) {#name, parameters, cost_of_function(#name)},
#include "hip/call/functions.def"
#undef API
};

const PublicFunction& function_of(ApiId id) {
    return functions[static_cast<std::uint32_t>(id)];
}

std::uint32_t category_of(ApiId id) {
    switch (id) {
        case ApiId::__hipPushCallConfiguration:
        case ApiId::__hipPopCallConfiguration:
            return VROCM_TRACE_HIP_COMPILER;
        default:
            return VROCM_TRACE_HIP_RUNTIME;
    }
}

}  // namespace

const char* api_name(ApiId id) {
    return function_of(id).name;
}

vrocm_clock_cost api_cost(ApiId id) {
    return function_of(id).cost;
}

trace::ArgumentTexts& ApiCall::argument_texts() {
    // Never destroyed: static destructors of the program may still call HIP.
    static thread_local auto* texts = new trace::ArgumentTexts;
    return *texts;
}

bool ApiCall::begin() {
    if (!(vrocm_trace_categories & (category_of(id_) | VROCM_TRACE_KERNEL | VROCM_TRACE_COPY))) return false;
    call_ = vrocm_trace_call_begin();
    began_ = vrocm_trace_now();
    return (vrocm_trace_categories & category_of(id_)) != 0;
}

void ApiCall::end() {
    const std::uint64_t ended = vrocm_trace_now();
    const auto arguments = argument_texts().named(function_of(id_).parameters);
    vrocm_trace_call_end(call_, category_of(id_), function_of(id_).name, began_, ended, arguments.data(),
                         arguments.size());
}

}  // namespace vrocm::hip
