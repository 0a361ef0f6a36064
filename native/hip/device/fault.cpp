#include "hip/device/fault.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "abi/hsa/hsa_ext_amd.h"
#include "abi/vrocm/clock.h"
#include "hip/runtime.h"

namespace vrocm::hip {

namespace {

std::atomic<hipError_t> sticky{hipSuccess};

hipError_t error_for(hsa_status_t status) {
    switch (static_cast<int>(status)) {
        case HSA_STATUS_ERROR_MEMORY_FAULT:
        case HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION:
            return hipErrorIllegalAddress;
        case HSA_STATUS_ERROR_OUT_OF_RESOURCES:
        case HSA_STATUS_ERROR_OUT_OF_REGISTERS:
            return hipErrorLaunchOutOfResources;
        case HSA_STATUS_ERROR:  // what a kernel that never ends gives, once it was stopped
            return hipErrorLaunchTimeOut;
        default:
            return hipErrorLaunchFailure;
    }
}

// ROCm 7 leaves the process alive unless this variable of its is 0; releases before aborted.
bool abort_on_error() {
    const char* skip = std::getenv("HIP_SKIP_ABORT_ON_GPU_ERROR");
    return skip && std::strcmp(skip, "0") == 0;
}

}  // namespace

hipError_t sticky_error() {
    return sticky.load(std::memory_order_acquire);
}

void on_queue_error(hsa_status_t status, hsa_queue_t*, void*) {
    // Whatever the kernel printed before it failed is shown before anybody learns of it; it often says why.
    HipRuntime::flush_printf_of_all_streams();
    std::fflush(stdout);
    hipError_t expected = hipSuccess;
    sticky.compare_exchange_strong(expected, error_for(status), std::memory_order_acq_rel);
    vrocm_clock_abandon_waits();  // for what the queue will not do any more
    if (abort_on_error()) std::abort();
}

}  // namespace vrocm::hip
