// Queues: every one for a GPU is made as an intercept queue.
#include "capture/bookkeeping/agents.h"
#include "capture/calls/gate.h"
#include "capture/calls/original.h"
#include "capture/calls/wrappers.h"
#include "capture/session.h"

namespace rpl::capture {

namespace {

void on_packets(const void* packets, uint64_t count, uint64_t, void* queue,
                hsa_amd_queue_intercept_packet_writer writer) {
    session().pass(*static_cast<InterceptedQueue*>(queue), {static_cast<const Packet*>(packets), count}, writer);
}

void on_error(hsa_status_t status, hsa_queue_t* source, void* data) {
    auto& queue = *static_cast<InterceptedQueue*>(data);
    queue.faulted = true;
    queue.callback(status, source, queue.callback_data);
}

hsa_status_t make_intercepted(hsa_agent_t agent, uint32_t size, hsa_queue_type32_t type, QueueCallback callback,
                              void* data, uint32_t private_size, uint32_t group_size, hsa_queue_t** handle) {
    InterceptedQueue& queue = queues().add(agent, callback, data);
    // Without a callback of the application an error has to end the process, as it does without us.
    const hsa_status_t status =
        original().amd.hsa_amd_queue_intercept_create_fn(agent, size, type, callback ? on_error : nullptr,
                                                         callback ? &queue : nullptr, private_size, group_size, handle);
    if (status != HSA_STATUS_SUCCESS) return status;
    queues().made(queue, *handle);
    original().amd.hsa_amd_queue_intercept_register_fn(*handle, on_packets, &queue);
    return status;
}

hsa_status_t create(hsa_agent_t agent, uint32_t size, hsa_queue_type32_t type, QueueCallback callback, void* data,
                    uint32_t private_size, uint32_t group_size, hsa_queue_t** handle) {
    const Gate::Pass pass(gate());
    if (!handle || !Agents::get().is_gpu(agent) || !session().prepare())
        return original().core.hsa_queue_create_fn(agent, size, type, callback, data, private_size, group_size, handle);
    return make_intercepted(agent, size, type, callback, data, private_size, group_size, handle);
}

hsa_status_t intercept_create(hsa_agent_t agent, uint32_t size, hsa_queue_type32_t type, QueueCallback callback,
                              void* data, uint32_t private_size, uint32_t group_size, hsa_queue_t** handle) {
    const Gate::Pass pass(gate());
    if (!handle || !session().prepare())
        return original().amd.hsa_amd_queue_intercept_create_fn(agent, size, type, callback, data, private_size,
                                                                group_size, handle);
    return make_intercepted(agent, size, type, callback, data, private_size, group_size, handle);
}

hsa_status_t destroy(hsa_queue_t* handle) {
    const Gate::Pass pass(gate());
    InterceptedQueue* queue = queues().find(handle);
    if (queue) queue->alive = false;
    const hsa_status_t status = original().core.hsa_queue_destroy_fn(handle);
    if (queue && status == HSA_STATUS_SUCCESS) queues().gone(*queue);
    return status;
}

// Queues that the runtime shares out cannot be looked into: the application gets one of its own instead.
hsa_status_t counted_queue_acquire(hsa_agent_t agent, hsa_queue_type_t type, hsa_amd_queue_priority_t priority,
                                   QueueCallback callback, void* data, uint64_t flags, hsa_queue_t** handle) {
    const Gate::Pass pass(gate());
    if (!handle || type != HSA_QUEUE_TYPE_MULTI || !Agents::get().is_gpu(agent) || !session().prepare())
        return original().amd.hsa_amd_counted_queue_acquire_fn(agent, type, priority, callback, data, flags, handle);
    constexpr uint32_t kPackets = 16384;
    const hsa_status_t status = make_intercepted(agent, kPackets, type, callback, data, UINT32_MAX, UINT32_MAX, handle);
    if (status == HSA_STATUS_SUCCESS) original().amd.hsa_amd_queue_set_priority_fn(*handle, priority);
    return status;
}

hsa_status_t counted_queue_release(hsa_queue_t* handle) {
    if (queues().find(handle)) return destroy(handle);
    return original().amd.hsa_amd_counted_queue_release_fn(handle);
}

hsa_status_t set_profiler_enabled(hsa_queue_t* handle, int enable) {
    const Gate::Pass pass(gate());  // the capture turns it on for its queue, and back
    if (InterceptedQueue* queue = queues().find(handle)) queue->profiled = enable != 0;
    return original().amd.hsa_amd_profiling_set_profiler_enabled_fn(handle, enable);
}

hsa_status_t get_dispatch_time(hsa_agent_t agent, hsa_signal_t signal, hsa_amd_profiling_dispatch_time_t* time) {
    if (time && session().recorded_time(signal, *time)) return HSA_STATUS_SUCCESS;
    return original().amd.hsa_amd_profiling_get_dispatch_time_fn(agent, signal, time);
}

// Who stores the index instead of adding to it takes itself for the only producer.
void note_stored_index(const hsa_queue_t* handle) {
    InterceptedQueue* queue = session().wants_more() ? queues().find(handle) : nullptr;
    if (queue) queue->single_producer = true;
}

void store_write_index_relaxed(const hsa_queue_t* handle, uint64_t value) {
    note_stored_index(handle);
    original().core.hsa_queue_store_write_index_relaxed_fn(handle, value);
}

void store_write_index_screlease(const hsa_queue_t* handle, uint64_t value) {
    note_stored_index(handle);
    original().core.hsa_queue_store_write_index_screlease_fn(handle, value);
}

}  // namespace

void install_queues(HsaApiTable& table) {
    RPL_REPLACE(table.core_, hsa_queue_create, create);
    RPL_REPLACE(table.core_, hsa_queue_destroy, destroy);
    RPL_REPLACE(table.core_, hsa_queue_store_write_index_relaxed, store_write_index_relaxed);
    RPL_REPLACE(table.core_, hsa_queue_store_write_index_screlease, store_write_index_screlease);
    RPL_REPLACE(table.amd_ext_, hsa_amd_queue_intercept_create, intercept_create);
    RPL_REPLACE(table.amd_ext_, hsa_amd_counted_queue_acquire, counted_queue_acquire);
    RPL_REPLACE(table.amd_ext_, hsa_amd_counted_queue_release, counted_queue_release);
    RPL_REPLACE(table.amd_ext_, hsa_amd_profiling_set_profiler_enabled, set_profiler_enabled);
    RPL_REPLACE(table.amd_ext_, hsa_amd_profiling_get_dispatch_time, get_dispatch_time);
}

}  // namespace rpl::capture
