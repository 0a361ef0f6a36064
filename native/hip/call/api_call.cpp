#include "hip/call/api_call.h"

#include <string_view>

#include "hip/call/cost.h"

namespace vrocm::hip {

namespace {

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
