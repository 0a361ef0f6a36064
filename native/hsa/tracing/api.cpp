#include "hsa/tracing/api.h"

#include <string_view>

#include "hsa/agent/agent.h"
#include "hsa/runtime.h"
#include "hsa/time/clock.h"
#include "trace/argument.h"
#include "trace/device.h"
#include "trace/log.h"

namespace vrocm::hsa {

namespace {

// The time and number of one call; recorded when it goes.
class CallScope {
  public:
    CallScope(std::uint32_t category, const char* name) : category_(category), name_(name) {
        if (!trace::wanted(category)) return;
        call_ = vrocm_trace_call_begin();
        begin_ = vrocm_trace_now();
    }
    ~CallScope() {
        if (!call_) return;
        const auto named = arguments_.named(names_);
        vrocm_trace_call_end(call_, category_, name_, begin_, vrocm_trace_now(), named.data(), named.size());
    }
    CallScope(const CallScope&) = delete;
    CallScope& operator=(const CallScope&) = delete;

    // `names` as the preprocessor writes a parameter list: "(queue, value)".
    template <class... Arguments>
    void arguments(std::string_view names, const Arguments&... arguments) {
        if (!call_) return;
        names_ = names.substr(1, names.size() - 2);
        (arguments_.add(arguments), ...);
    }

  private:
    const std::uint32_t category_;
    const char* const name_;
    std::string_view names_;
    trace::ArgumentTexts arguments_;
    std::uint64_t call_ = 0, begin_ = 0;
};

// One traced function: Function says which (name, category, parameter names), next is what it stands before.
template <class Function, class Pointer>
struct Traced;
template <class Function, class Result, class... Arguments>
struct Traced<Function, Result (*)(Arguments...)> {
    static inline Result (*next)(Arguments...) = nullptr;
    static Result call(Arguments... arguments) {
        CallScope scope(Function::category, Function::name);
        scope.arguments(Function::parameters, arguments...);
        return next(arguments...);
    }
};

template <class Function, class Pointer>
void stand_before(Pointer& entry) {
    using T = Traced<Function, Pointer>;
    if (entry == &T::call) return;
    T::next = entry;
    entry = &T::call;
}

// ---- allocations ---------------------------------------------------------------------------------------------------

using trace::AllocationOperation;

std::uint64_t owner_of_pool(std::uint64_t pool) {
    Runtime* runtime = Runtime::get();
    const MemoryPool* found = runtime ? runtime->pool(pool) : nullptr;
    return found ? found->owner->handle().handle : 0;
}

template <class Call>
hsa_status_t record(AllocationOperation operation, Call&& call, std::uint64_t agent, std::uint64_t size,
                    const auto& address) {
    const std::uint64_t begin = clock::now();
    const hsa_status_t status = call();
    if (status == HSA_STATUS_SUCCESS && trace::wanted(VROCM_TRACE_ALLOCATION))
        trace::record_allocation(operation, agent, address(), size, begin, clock::now());
    return status;
}

decltype(&::hsa_memory_allocate) next_memory_allocate;
decltype(&::hsa_memory_free) next_memory_free;
decltype(&::hsa_amd_memory_pool_allocate) next_pool_allocate;
decltype(&::hsa_amd_memory_pool_free) next_pool_free;
decltype(&::hsa_amd_vmem_handle_create) next_handle_create;
decltype(&::hsa_amd_vmem_handle_release) next_handle_release;

hsa_status_t traced_memory_allocate(hsa_region_t region, size_t size, void** ptr) {
    return record(
        AllocationOperation::Allocate, [&] { return next_memory_allocate(region, size, ptr); },
        owner_of_pool(region.handle), size, [&] { return *ptr; });
}
hsa_status_t traced_pool_allocate(hsa_amd_memory_pool_t pool, size_t size, uint32_t flags, void** ptr) {
    return record(
        AllocationOperation::Allocate, [&] { return next_pool_allocate(pool, size, flags, ptr); },
        owner_of_pool(pool.handle), size, [&] { return *ptr; });
}
hsa_status_t traced_memory_free(void* ptr) {
    return record(AllocationOperation::Free, [&] { return next_memory_free(ptr); }, 0, 0, [&] { return ptr; });
}
hsa_status_t traced_pool_free(void* ptr) {
    return record(AllocationOperation::Free, [&] { return next_pool_free(ptr); }, 0, 0, [&] { return ptr; });
}
hsa_status_t traced_handle_create(hsa_amd_memory_pool_t pool, size_t size, hsa_amd_memory_type_t type, uint64_t flags,
                                  hsa_amd_vmem_alloc_handle_t* handle) {
    return record(
        AllocationOperation::VirtualAllocate, [&] { return next_handle_create(pool, size, type, flags, handle); },
        owner_of_pool(pool.handle), size, [&] { return reinterpret_cast<const void*>(handle->handle); });
}
hsa_status_t traced_handle_release(hsa_amd_vmem_alloc_handle_t handle) {
    return record(
        AllocationOperation::VirtualFree, [&] { return next_handle_release(handle); }, 0, 0,
        [&] { return reinterpret_cast<const void*>(handle.handle); });
}

template <class Pointer>
void exchange(Pointer& next, Pointer& entry, Pointer traced) {
    if (entry == traced) return;
    next = entry;
    entry = traced;
}

void record_allocations(HsaApiTableContainer& t) {
    exchange(next_memory_allocate, t.core.hsa_memory_allocate_fn, &traced_memory_allocate);
    exchange(next_memory_free, t.core.hsa_memory_free_fn, &traced_memory_free);
    exchange(next_pool_allocate, t.amd_ext.hsa_amd_memory_pool_allocate_fn, &traced_pool_allocate);
    exchange(next_pool_free, t.amd_ext.hsa_amd_memory_pool_free_fn, &traced_pool_free);
    exchange(next_handle_create, t.amd_ext.hsa_amd_vmem_handle_create_fn, &traced_handle_create);
    exchange(next_handle_release, t.amd_ext.hsa_amd_vmem_handle_release_fn, &traced_handle_release);
}

// ---- calls ---------------------------------------------------------------------------------------------------------

#define FUNCTION(bits, function, list)                        \
    struct function##_traced {                                \
        static constexpr std::uint32_t category = bits;       \
        static constexpr const char* name = #function;        \
        static constexpr std::string_view parameters = #list; \
    };
#define CORE(result, name, parameters, arguments) FUNCTION(VROCM_TRACE_HSA_CORE, name, arguments)
#define AMD(result, name, parameters, arguments) FUNCTION(VROCM_TRACE_HSA_AMD_EXT, name, arguments)
#define FINALIZER(result, name, parameters, arguments) FUNCTION(VROCM_TRACE_HSA_FINALIZE_EXT, name, arguments)
#define IMAGE(result, name, parameters, arguments) FUNCTION(VROCM_TRACE_HSA_IMAGE_EXT, name, arguments)
#define PCS(result, name, parameters, arguments)
#define ALIAS(result, name, member, parameters, arguments)
#include "hsa/api/exports.def"
#undef CORE
#undef AMD
#undef FINALIZER
#undef IMAGE

void record_calls(HsaApiTableContainer& t) {
#define CORE(result, name, parameters, arguments) stand_before<name##_traced>(t.core.name##_fn);
#define AMD(result, name, parameters, arguments) stand_before<name##_traced>(t.amd_ext.name##_fn);
#define FINALIZER(result, name, parameters, arguments) stand_before<name##_traced>(t.finalizer_ext.name##_fn);
#define IMAGE(result, name, parameters, arguments) stand_before<name##_traced>(t.image_ext.name##_fn);
#include "hsa/api/exports.def"
#undef CORE
#undef AMD
#undef FINALIZER
#undef IMAGE
#undef PCS
#undef ALIAS
#undef FUNCTION
}

}  // namespace

void put_tracer_before(HsaApiTableContainer& tables) {
    if (trace::asked_for(VROCM_TRACE_ALLOCATION)) record_allocations(tables);
    if (trace::asked_for(VROCM_TRACE_HSA)) record_calls(tables);
}

}  // namespace vrocm::hsa
