// API: contexts. HIP keeps them for source compatibility; a context is a device.
#include "hip/call/enter.h"
#include "hip/device/device.h"

using namespace vrocm::hip;

namespace {

hipCtx_t handle_of(int device) {
    return reinterpret_cast<hipCtx_t>(static_cast<std::intptr_t>(device) + 1);
}
int device_of(hipCtx_t context) {
    const auto id = reinterpret_cast<std::intptr_t>(context) - 1;
    require(id >= 0 && id < HipRuntime::get().device_count(), hipErrorInvalidContext);
    return static_cast<int>(id);
}

}  // namespace

extern "C" {

hipError_t hipCtxCreate(hipCtx_t* context, unsigned int flags, hipDevice_t device) {
    VROCM_API(hipCtxCreate, context, flags, device);
    return enter([&] {
        require(context != nullptr);
        HipRuntime::get().device(device).flags = flags;
        thread_state().contexts.push_back(thread_state().device);
        thread_state().device = device;
        *context = handle_of(device);
    });
}

hipError_t hipCtxDestroy(hipCtx_t context) {
    VROCM_API(hipCtxDestroy, context);
    return enter([&] {
        require(context != nullptr);
        const int device = device_of(context);
        ThreadState& thread = thread_state();
        if (thread.device == device && !thread.contexts.empty()) {
            thread.device = thread.contexts.back();
            thread.contexts.pop_back();
        }
    });
}

hipError_t hipCtxPushCurrent(hipCtx_t context) {
    VROCM_API(hipCtxPushCurrent, context);
    return enter([&] {
        const int device = device_of(context);
        thread_state().contexts.push_back(thread_state().device);
        thread_state().device = device;
    });
}

hipError_t hipCtxPopCurrent(hipCtx_t* context) {
    VROCM_API(hipCtxPopCurrent, context);
    return enter([&] {
        ThreadState& thread = thread_state();
        require(!thread.contexts.empty(), hipErrorInvalidContext);
        if (context) *context = handle_of(thread.device);
        thread.device = thread.contexts.back();
        thread.contexts.pop_back();
    });
}

hipError_t hipCtxSetCurrent(hipCtx_t context) {
    VROCM_API(hipCtxSetCurrent, context);
    return enter([&] { thread_state().device = context ? device_of(context) : 0; });
}

hipError_t hipCtxGetCurrent(hipCtx_t* context) {
    VROCM_API(hipCtxGetCurrent, context);
    return enter([&] {
        require(context != nullptr);
        *context = handle_of(thread_state().device);
    });
}

hipError_t hipCtxGetDevice(hipDevice_t* device) {
    VROCM_API(hipCtxGetDevice, device);
    return enter([&] {
        require(device != nullptr);
        *device = thread_state().device;
    });
}

hipError_t hipCtxGetApiVersion(hipCtx_t context, unsigned int* version) {
    VROCM_API(hipCtxGetApiVersion, context, version);
    return enter([&] {
        require(version != nullptr);
        device_of(context);
        *version = HIP_VERSION_MAJOR * 100 + HIP_VERSION_MINOR;
    });
}

hipError_t hipCtxGetCacheConfig(hipFuncCache_t* config) {
    VROCM_API(hipCtxGetCacheConfig, config);
    return hipDeviceGetCacheConfig(config);
}
hipError_t hipCtxSetCacheConfig(hipFuncCache_t config) {
    VROCM_API(hipCtxSetCacheConfig, config);
    return hipDeviceSetCacheConfig(config);
}
hipError_t hipCtxSetSharedMemConfig(hipSharedMemConfig config) {
    VROCM_API(hipCtxSetSharedMemConfig, config);
    return hipDeviceSetSharedMemConfig(config);
}
hipError_t hipCtxGetSharedMemConfig(hipSharedMemConfig* config) {
    VROCM_API(hipCtxGetSharedMemConfig, config);
    return hipDeviceGetSharedMemConfig(config);
}
hipError_t hipCtxSynchronize(void) {
    VROCM_API(hipCtxSynchronize);
    return hipDeviceSynchronize();
}
hipError_t hipCtxGetFlags(unsigned int* flags) {
    VROCM_API(hipCtxGetFlags, flags);
    return hipGetDeviceFlags(flags);
}

hipError_t hipCtxEnablePeerAccess(hipCtx_t peer, unsigned int flags) {
    VROCM_API(hipCtxEnablePeerAccess, peer, flags);
    int device = 0;
    const hipError_t status = enter([&] { device = device_of(peer); });
    return status == hipSuccess ? hipDeviceEnablePeerAccess(device, flags) : status;
}

hipError_t hipCtxDisablePeerAccess(hipCtx_t peer) {
    VROCM_API(hipCtxDisablePeerAccess, peer);
    int device = 0;
    const hipError_t status = enter([&] { device = device_of(peer); });
    return status == hipSuccess ? hipDeviceDisablePeerAccess(device) : status;
}

hipError_t hipDevicePrimaryCtxGetState(hipDevice_t id, unsigned int* flags, int* active) {
    VROCM_API(hipDevicePrimaryCtxGetState, id, flags, active);
    return enter([&] {
        require(flags && active);
        Device& device = HipRuntime::get().device(id);
        *flags = device.flags;
        *active = thread_state().device == id || device.primary_context_users > 0;
    });
}

hipError_t hipDevicePrimaryCtxRetain(hipCtx_t* context, hipDevice_t id) {
    VROCM_API(hipDevicePrimaryCtxRetain, context, id);
    return enter([&] {
        require(context != nullptr);
        ++HipRuntime::get().device(id).primary_context_users;
        *context = handle_of(id);
    });
}

hipError_t hipDevicePrimaryCtxRelease(hipDevice_t id) {
    VROCM_API(hipDevicePrimaryCtxRelease, id);
    return enter([&] {
        Device& device = HipRuntime::get().device(id);
        if (device.primary_context_users > 0) --device.primary_context_users;
    });
}

hipError_t hipDevicePrimaryCtxReset(hipDevice_t id) {
    VROCM_API(hipDevicePrimaryCtxReset, id);
    return enter([&] { reset_device(HipRuntime::get().device(id)); });
}

hipError_t hipDevicePrimaryCtxSetFlags(hipDevice_t id, unsigned int flags) {
    VROCM_API(hipDevicePrimaryCtxSetFlags, id, flags);
    return enter([&] { HipRuntime::get().device(id).flags = flags; });
}
}
