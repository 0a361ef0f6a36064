// The boundary between a program and the runtime: every API function is one call of enter().
#pragma once

#include <new>
#include <type_traits>

#include "hip/call/api_call.h"
#include "hip/device/fault.h"
#include "hip/error.h"
#include "hip/hip_abi.h"
#include "hip/runtime.h"
#include "hip/thread_state.h"

namespace vrocm::hip {

// hipErrorNotReady answers a question; it is not an error that hipGetLastError should report.
inline hipError_t remember(hipError_t code) {
    if (code != hipSuccess && code != hipErrorNotReady) thread_state().last_error = code;
    return code;
}

// Runs the body of an API function: no exception leaves, the last error is kept, and after a kernel has
// failed every call reports that.
template <class Body>
hipError_t enter(Body&& body) noexcept {
    try {
        HipRuntime::get();
        if (hipError_t stuck = sticky_error(); stuck != hipSuccess) return remember(stuck);
        if constexpr (std::is_void_v<decltype(body())>) {
            body();
            // The body may have waited for the kernel that failed.
            return remember(sticky_error());
        } else {
            hipError_t code = body();
            return remember(code == hipSuccess ? sticky_error() : code);
        }
    } catch (const Error& error) {
        return remember(sticky_error() == hipSuccess ? error.code : sticky_error());
    } catch (const std::bad_alloc&) {
        return remember(hipErrorOutOfMemory);
    } catch (...) {
        return remember(hipErrorUnknown);
    }
}

}  // namespace vrocm::hip
