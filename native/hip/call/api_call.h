// The first line of every public function: VROCM_API(hipMemcpy, dst, src, size, kind). While the object lives the
// thread is inside that call. It is what a tracer sees and where a call's cost in virtual time is charged.
#pragma once

#include <cstdint>
#include <string>

#include "abi/vrocm/clock.h"
#include "abi/vrocm/trace.h"
#include "hip/hip_abi.h"
#include "trace/argument.h"

// HIP's own types as text in traces (trace/argument.h finds these by the type).
std::string describe_argument(const dim3& value);
std::string describe_argument(const hipExtent& value);
std::string describe_argument(const hipPitchedPtr& value);
std::string describe_argument(hipMemcpyKind value);

namespace vrocm::hip {

enum class ApiId : std::uint32_t {
#define API(name, parameters) name,
#include "hip/call/functions.def"
#undef API
    Count
};

const char* api_name(ApiId id);
vrocm_clock_cost api_cost(ApiId id);

class ApiCall {
  public:
    template <class... Arguments>
    explicit ApiCall(ApiId id, const Arguments&... arguments) : id_(id) {
        if (depth()++ != 0) return;  // the runtime calls its own functions: part of the outer call
        if (vrocm_trace_categories != 0 && begin()) {
            trace::ArgumentTexts& texts = argument_texts();
            texts.clear();
            (texts.add(arguments), ...);
        }
        vrocm_clock_call_begin(api_cost(id));
    }
    ~ApiCall() {
        if (--depth() != 0) return;
        if (call_) end();
        vrocm_clock_call_end();
    }
    ApiCall(const ApiCall&) = delete;
    ApiCall& operator=(const ApiCall&) = delete;

  private:
    static unsigned& depth() {
        static thread_local unsigned calls = 0;
        return calls;
    }
    static trace::ArgumentTexts& argument_texts();  // of the outermost call of this thread
    bool begin();                                   // false: nobody asks for the arguments
    void end();

    const ApiId id_;
    std::uint64_t call_ = 0;  // the tracer's number
    std::uint64_t began_ = 0;
};

}  // namespace vrocm::hip

#define VROCM_API(name, ...) const ::vrocm::hip::ApiCall api_call(::vrocm::hip::ApiId::name __VA_OPT__(, ) __VA_ARGS__)
