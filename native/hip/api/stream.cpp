// API: streams.
#include "hip/stream/stream.h"

#include <algorithm>
#include <cstring>
#include <thread>

#include "abi/vrocm/memory.h"
#include "hip/call/enter.h"
#include "hip/device/device.h"
#include "hip/graph/capture.h"
#include "hip/memory/allocation.h"
#include "hip/stream/operation.h"

using namespace vrocm::hip;

namespace {

// Lower numbers run first; ROCm has three levels.
constexpr int kLeastPriority = 1, kGreatestPriority = -1;

void check_stream_flags(unsigned flags) {
    require(flags == hipStreamDefault || flags == hipStreamNonBlocking);
}

template <class T>
bool value_reached(const volatile T* at, T value, T mask, unsigned flags) {
    const T now = __atomic_load_n(at, __ATOMIC_ACQUIRE) & mask;
    switch (flags) {
        case hipStreamWaitValueGte:
            return static_cast<std::make_signed_t<T>>(now - value) >= 0;
        case hipStreamWaitValueEq:
            return now == value;
        case hipStreamWaitValueAnd:
            return (now & value) != 0;
        default:
            return static_cast<T>(~(now | value)) != 0;
    }
}

template <class T>
hipError_t wait_value(hipStream_t handle, void* pointer, T value, unsigned flags, T mask) {
    return enter([&] {
        require(pointer && flags <= hipStreamWaitValueNor);
        Stream& stream = to_stream(handle);
        forbid_during_capture(stream);
        stream.run_on_host([=] {
            auto* at = static_cast<const volatile T*>(vrocm_memory_gpu_view(pointer, sizeof(T)));
            while (at && !value_reached(at, value, mask, flags) && sticky_error() == hipSuccess)
                std::this_thread::sleep_for(std::chrono::microseconds(20));
        });
    });
}

template <class T>
hipError_t write_value(hipStream_t handle, void* pointer, T value) {
    return enter([&] {
        require(pointer != nullptr);
        Stream& stream = to_stream(handle);
        forbid_during_capture(stream);
        stream.run_short([=] {
            auto* at = static_cast<T*>(vrocm_memory_gpu_view(pointer, sizeof(T)));
            if (at) __atomic_store_n(at, value, __ATOMIC_RELEASE);
        });
    });
}

hipError_t synchronize_stream(Stream& (*resolve)(hipStream_t), hipStream_t handle) {
    return enter([&] {
        Stream& stream = resolve(handle);
        forbid_during_capture(stream);
        stream.synchronize();
    });
}

hipError_t query_stream(Stream& (*resolve)(hipStream_t), hipStream_t handle) {
    return enter([&] {
        Stream& stream = resolve(handle);
        forbid_during_capture(stream);
        if (stream.idle()) return hipSuccess;
        vrocm_clock_query_failed();
        return hipErrorNotReady;
    });
}

hipError_t launch_host_function(Stream& (*resolve)(hipStream_t), hipStream_t handle, hipHostFn_t fn, void* data) {
    return enter([&] {
        require(fn != nullptr);
        submit(resolve(handle), HostOperation{fn, data});
    });
}

}  // namespace

extern "C" {

hipError_t hipStreamCreate(hipStream_t* stream) {
    VROCM_API(hipStreamCreate, stream);
    return hipStreamCreateWithFlags(stream, hipStreamDefault);
}

hipError_t hipStreamCreateWithFlags(hipStream_t* stream, unsigned int flags) {
    VROCM_API(hipStreamCreateWithFlags, stream, flags);
    return hipStreamCreateWithPriority(stream, flags, 0);
}

hipError_t hipStreamCreateWithPriority(hipStream_t* stream, unsigned int flags, int priority) {
    VROCM_API(hipStreamCreateWithPriority, stream, flags, priority);
    return enter([&] {
        require(stream != nullptr);
        check_stream_flags(flags);
        *stream = create_stream(current_device(), flags, std::clamp(priority, kGreatestPriority, kLeastPriority));
    });
}

hipError_t hipExtStreamCreateWithCUMask(hipStream_t* stream, uint32_t size, const uint32_t* mask) {
    VROCM_API(hipExtStreamCreateWithCUMask, stream, size, mask);
    return enter([&] {
        require(stream && size && mask);
        *stream = create_stream(current_device(), hipStreamDefault, 0);
        to_stream(*stream).cu_mask.assign(mask, mask + size);
    });
}

hipError_t hipExtStreamGetCUMask(hipStream_t handle, uint32_t size, uint32_t* mask) {
    VROCM_API(hipExtStreamGetCUMask, handle, size, mask);
    return enter([&] {
        Stream& stream = to_stream(handle);
        const auto units = static_cast<unsigned>(stream.device().properties().multiProcessorCount);
        require(mask && size >= (units + 31) / 32);
        std::fill_n(mask, size, 0);
        for (unsigned unit = 0; unit < units; ++unit) {
            const bool on = stream.cu_mask.empty() ||
                            (unit / 32 < stream.cu_mask.size() && (stream.cu_mask[unit / 32] >> unit % 32 & 1));
            if (on) mask[unit / 32] |= 1u << unit % 32;
        }
    });
}

hipError_t hipDeviceGetStreamPriorityRange(int* least, int* greatest) {
    VROCM_API(hipDeviceGetStreamPriorityRange, least, greatest);
    return enter([&] {
        if (least) *least = kLeastPriority;
        if (greatest) *greatest = kGreatestPriority;
    });
}

hipError_t hipStreamDestroy(hipStream_t stream) {
    VROCM_API(hipStreamDestroy, stream);
    return enter([&] {
        require(stream != nullptr && stream != hipStreamLegacy && stream != hipStreamPerThread, hipErrorInvalidHandle);
        require(capture_status(to_stream(stream)) == hipStreamCaptureStatusNone, hipErrorStreamCaptureUnsupported);
        destroy_stream(stream);
    });
}

hipError_t hipStreamQuery(hipStream_t stream) {
    VROCM_API(hipStreamQuery, stream);
    return query_stream(to_stream, stream);
}
hipError_t hipStreamQuery_spt(hipStream_t stream) {
    VROCM_API(hipStreamQuery_spt, stream);
    return query_stream(to_stream_per_thread, stream);
}
hipError_t hipStreamSynchronize(hipStream_t stream) {
    VROCM_API(hipStreamSynchronize, stream);
    return synchronize_stream(to_stream, stream);
}
hipError_t hipStreamSynchronize_spt(hipStream_t stream) {
    VROCM_API(hipStreamSynchronize_spt, stream);
    return synchronize_stream(to_stream_per_thread, stream);
}

hipError_t hipStreamGetFlags(hipStream_t stream, unsigned int* flags) {
    VROCM_API(hipStreamGetFlags, stream, flags);
    return enter([&] {
        require(flags != nullptr);
        *flags = to_stream(stream).flags();
    });
}

hipError_t hipStreamGetId(hipStream_t stream, unsigned long long* id) {
    VROCM_API(hipStreamGetId, stream, id);
    return enter([&] {
        require(id != nullptr);
        *id = to_stream(stream).id();
    });
}

hipError_t hipStreamGetPriority(hipStream_t stream, int* priority) {
    VROCM_API(hipStreamGetPriority, stream, priority);
    return enter([&] {
        require(priority != nullptr);
        *priority = to_stream(stream).priority();
    });
}

hipError_t hipStreamGetDevice(hipStream_t stream, hipDevice_t* device) {
    VROCM_API(hipStreamGetDevice, stream, device);
    return enter([&] {
        require(device != nullptr);
        *device = to_stream(stream).device().id();
    });
}

int hipGetStreamDeviceId(hipStream_t stream) {
    VROCM_API(hipGetStreamDeviceId, stream);
    int device = -1;
    return enter([&] { device = to_stream(stream).device().id(); }) == hipSuccess ? device : -1;
}

hipError_t hipStreamSetAttribute(hipStream_t stream, hipStreamAttrID attribute, const hipStreamAttrValue* value) {
    VROCM_API(hipStreamSetAttribute, stream, attribute, value);
    return enter([&] {
        require(value != nullptr);
        require(attribute == hipStreamAttributeSynchronizationPolicy);
        to_stream(stream).sync_policy = value->syncPolicy;
    });
}

hipError_t hipStreamGetAttribute(hipStream_t handle, hipStreamAttrID attribute, hipStreamAttrValue* value) {
    VROCM_API(hipStreamGetAttribute, handle, attribute, value);
    return enter([&] {
        require(value != nullptr);
        Stream& stream = to_stream(handle);
        if (attribute == hipStreamAttributeSynchronizationPolicy)
            value->syncPolicy = stream.sync_policy;
        else if (attribute == hipStreamAttributePriority)
            value->priority = stream.priority();
        else
            fail(hipErrorInvalidValue);
    });
}

hipError_t hipStreamCopyAttributes(hipStream_t target, hipStream_t source) {
    VROCM_API(hipStreamCopyAttributes, target, source);
    return enter([&] { to_stream(target).sync_policy = to_stream(source).sync_policy; });
}

hipError_t hipStreamAddCallback(hipStream_t handle, hipStreamCallback_t callback, void* data, unsigned int flags) {
    VROCM_API(hipStreamAddCallback, handle, callback, data, flags);
    return enter([&] {
        require(callback != nullptr && flags == 0);
        Stream& stream = to_stream(handle);
        forbid_during_capture(stream);
        stream.run_on_host([=] { callback(handle, sticky_error(), data); }, HostWork::AfterAnything);
    });
}

hipError_t hipLaunchHostFunc(hipStream_t stream, hipHostFn_t fn, void* data) {
    VROCM_API(hipLaunchHostFunc, stream, fn, data);
    return launch_host_function(to_stream, stream, fn, data);
}
hipError_t hipLaunchHostFunc_spt(hipStream_t stream, hipHostFn_t fn, void* data) {
    VROCM_API(hipLaunchHostFunc_spt, stream, fn, data);
    return launch_host_function(to_stream_per_thread, stream, fn, data);
}

hipError_t hipStreamWaitValue32(hipStream_t stream, void* pointer, uint32_t value, unsigned int flags, uint32_t mask) {
    VROCM_API(hipStreamWaitValue32, stream, pointer, value, flags, mask);
    return wait_value<uint32_t>(stream, pointer, value, flags, mask);
}
hipError_t hipStreamWaitValue64(hipStream_t stream, void* pointer, uint64_t value, unsigned int flags, uint64_t mask) {
    VROCM_API(hipStreamWaitValue64, stream, pointer, value, flags, mask);
    return wait_value<uint64_t>(stream, pointer, value, flags, mask);
}
hipError_t hipStreamWriteValue32(hipStream_t stream, void* pointer, uint32_t value, unsigned int flags) {
    VROCM_API(hipStreamWriteValue32, stream, pointer, value, flags);
    return write_value<uint32_t>(stream, pointer, value);
}
hipError_t hipStreamWriteValue64(hipStream_t stream, void* pointer, uint64_t value, unsigned int flags) {
    VROCM_API(hipStreamWriteValue64, stream, pointer, value, flags);
    return write_value<uint64_t>(stream, pointer, value);
}

hipError_t hipStreamAttachMemAsync(hipStream_t handle, void* pointer, size_t length, unsigned int flags) {
    VROCM_API(hipStreamAttachMemAsync, handle, pointer, length, flags);
    return enter([&] {
        Stream& stream = to_stream(handle);
        (void)stream;
        auto allocation = find_allocation(pointer);
        require(allocation && allocation->kind == HipAllocation::Kind::Managed);
        require(length == 0 || length == allocation->size);
        require(flags == hipMemAttachGlobal || flags == hipMemAttachHost || flags == hipMemAttachSingle);
    });
}
}
