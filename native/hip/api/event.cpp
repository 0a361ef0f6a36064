// API: events.
#include "hip/stream/event.h"

#include "hip/call/enter.h"
#include "hip/device/device.h"
#include "hip/graph/capture.h"
#include "hip/stream/operation.h"
#include "hip/stream/stream.h"

using namespace vrocm::hip;

namespace {

constexpr unsigned kEventFlags = hipEventBlockingSync | hipEventDisableTiming | hipEventInterprocess |
                                 hipEventDisableSystemFence | hipEventReleaseToDevice | hipEventReleaseToSystem;

hipError_t record_event(Stream& (*resolve)(hipStream_t), hipEvent_t handle, hipStream_t stream_handle, unsigned flags) {
    return enter([&] {
        require(handle != nullptr, hipErrorInvalidHandle);
        require(flags == hipEventRecordDefault || flags == hipEventRecordExternal);
        Event& event = to_event(handle);
        Stream& stream = resolve(stream_handle);
        require(stream.device().id() == event.device(), hipErrorInvalidHandle);
        if (!is_capturing(stream))
            event.record(stream);
        else if (flags == hipEventRecordExternal)
            capture_operation(stream, EventRecordOperation{&event});
        else
            capture_event_record(stream, event);
    });
}

hipError_t wait_event(Stream& (*resolve)(hipStream_t), hipStream_t stream_handle, hipEvent_t handle, unsigned flags) {
    return enter([&] {
        require(handle != nullptr, hipErrorInvalidHandle);
        require(flags == hipEventWaitDefault || flags == hipEventWaitExternal);
        Event& event = to_event(handle);
        Stream& stream = resolve(stream_handle);
        if (flags == hipEventWaitExternal && is_capturing(stream)) {
            capture_operation(stream, EventWaitOperation{&event});
            return;
        }
        if (capture_event_wait(stream, event)) return;
        stream.wait_for(event.completions());
    });
}

void forbid_captured(const Event& event) {
    std::vector<Node*> after;
    require(event.captured(after) == nullptr, hipErrorCapturedEvent);
}

}  // namespace

extern "C" {

hipError_t hipEventCreateWithFlags(hipEvent_t* event, unsigned flags) {
    VROCM_API(hipEventCreateWithFlags, event, flags);
    return enter([&] {
        require(event != nullptr);
        require((flags & ~kEventFlags) == 0);
        require(!((flags & hipEventReleaseToDevice) && (flags & hipEventReleaseToSystem)));
        if (flags & hipEventInterprocess) refuse("hipEventInterprocess", "events are not shared between processes");
        *event = create_event(flags, thread_state().device);
    });
}

hipError_t hipEventCreate(hipEvent_t* event) {
    VROCM_API(hipEventCreate, event);
    return hipEventCreateWithFlags(event, hipEventDefault);
}

hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream) {
    VROCM_API(hipEventRecord, event, stream);
    return record_event(to_stream, event, stream, hipEventRecordDefault);
}
hipError_t hipEventRecord_spt(hipEvent_t event, hipStream_t stream) {
    VROCM_API(hipEventRecord_spt, event, stream);
    return record_event(to_stream_per_thread, event, stream, hipEventRecordDefault);
}
hipError_t hipEventRecordWithFlags(hipEvent_t event, hipStream_t stream, unsigned int flags) {
    VROCM_API(hipEventRecordWithFlags, event, stream, flags);
    return record_event(to_stream, event, stream, flags);
}

hipError_t hipEventDestroy(hipEvent_t event) {
    VROCM_API(hipEventDestroy, event);
    return enter([&] {
        require(event != nullptr, hipErrorInvalidHandle);
        destroy_event(event);
    });
}

hipError_t hipEventSynchronize(hipEvent_t handle) {
    VROCM_API(hipEventSynchronize, handle);
    return enter([&] {
        require(handle != nullptr, hipErrorInvalidHandle);
        Event& event = to_event(handle);
        forbid_captured(event);
        event.synchronize();
    });
}

hipError_t hipEventQuery(hipEvent_t handle) {
    VROCM_API(hipEventQuery, handle);
    return enter([&] {
        require(handle != nullptr, hipErrorInvalidHandle);
        Event& event = to_event(handle);
        forbid_captured(event);
        if (event.done()) return hipSuccess;
        vrocm_clock_query_failed();
        return hipErrorNotReady;
    });
}

hipError_t hipEventElapsedTime(float* milliseconds, hipEvent_t start, hipEvent_t stop) {
    VROCM_API(hipEventElapsedTime, milliseconds, start, stop);
    return enter([&] {
        require(milliseconds != nullptr);
        require(start && stop, hipErrorInvalidHandle);
        Event &first = to_event(start), &second = to_event(stop);
        require(!((first.flags() | second.flags()) & hipEventDisableTiming), hipErrorInvalidHandle);
        require(first.device() == second.device() && first.recorded() && second.recorded(), hipErrorInvalidHandle);
        if (!first.done() || !second.done()) return hipErrorNotReady;
        const std::uint64_t from = first.time(), to = second.time();
        *milliseconds = to >= from ? static_cast<float>(ticks_to_milliseconds(to - from))
                                   : -static_cast<float>(ticks_to_milliseconds(from - to));
        return hipSuccess;
    });
}

hipError_t hipStreamWaitEvent(hipStream_t stream, hipEvent_t event, unsigned int flags) {
    VROCM_API(hipStreamWaitEvent, stream, event, flags);
    return wait_event(to_stream, stream, event, flags);
}
hipError_t hipStreamWaitEvent_spt(hipStream_t stream, hipEvent_t event, unsigned int flags) {
    VROCM_API(hipStreamWaitEvent_spt, stream, event, flags);
    return wait_event(to_stream_per_thread, stream, event, flags);
}
}
