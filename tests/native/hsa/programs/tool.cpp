// A tool library for HSA_TOOLS_LIB: wraps functions of the tables and makes every queue an intercept queue. It tells
// what it saw on standard output.
#include <hsa/hsa_api_trace.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace {

decltype(hsa_queue_create)* next_queue_create;
decltype(hsa_amd_memory_pool_allocate)* next_allocate;
decltype(hsa_signal_wait_scacquire)* next_wait;
decltype(hsa_shut_down)* next_shut_down;
HsaApiTableContainer saved;

void on_packets(const void* packets, std::uint64_t count, std::uint64_t index, void*,
                hsa_amd_queue_intercept_packet_writer writer) {
    std::printf("tool: packet %llu type %u\n", static_cast<unsigned long long>(index),
                *static_cast<const std::uint16_t*>(packets) & 0xffu);
    writer(packets, count);
}

hsa_status_t queue_create(hsa_agent_t agent, uint32_t size, hsa_queue_type32_t type,
                          void (*callback)(hsa_status_t, hsa_queue_t*, void*), void* data, uint32_t private_size,
                          uint32_t group_size, hsa_queue_t** queue) {
    const hsa_status_t status = saved.amd_ext.hsa_amd_queue_intercept_create_fn(agent, size, type, callback, data,
                                                                                private_size, group_size, queue);
    if (status == HSA_STATUS_SUCCESS) saved.amd_ext.hsa_amd_queue_intercept_register_fn(*queue, on_packets, nullptr);
    std::printf("tool: queue of %u packets\n", size);
    return status;
}

hsa_status_t pool_allocate(hsa_amd_memory_pool_t pool, size_t size, uint32_t flags, void** pointer) {
    std::printf("tool: allocate %zu\n", size);
    return next_allocate(pool, size, flags, pointer);
}

hsa_signal_value_t wait(hsa_signal_t signal, hsa_signal_condition_t condition, hsa_signal_value_t value,
                        uint64_t timeout, hsa_wait_state_t hint) {
    std::printf("tool: wait\n");
    return next_wait(signal, condition, value, timeout, hint);
}

hsa_status_t shut_down() {
    std::printf("tool: shut down\n");
    return next_shut_down();
}

}  // namespace

extern "C" bool OnLoad(HsaApiTable* table, uint64_t runtime_version, uint64_t failed_tool_count,
                       const char* const* failed_tool_names) {
    std::printf("tool: load, version %llu, %llu failed%s%s\n", static_cast<unsigned long long>(runtime_version),
                static_cast<unsigned long long>(failed_tool_count), failed_tool_count ? ": " : "",
                failed_tool_count ? failed_tool_names[0] : "");
    if (table->version.minor_id < sizeof(HsaApiTable)) return false;
    copyTables(table, &saved.root);
    next_queue_create = table->core_->hsa_queue_create_fn;
    next_allocate = table->amd_ext_->hsa_amd_memory_pool_allocate_fn;
    next_wait = table->core_->hsa_signal_wait_scacquire_fn;
    next_shut_down = table->core_->hsa_shut_down_fn;
    table->core_->hsa_queue_create_fn = queue_create;
    table->amd_ext_->hsa_amd_memory_pool_allocate_fn = pool_allocate;
    table->core_->hsa_signal_wait_scacquire_fn = wait;
    table->core_->hsa_shut_down_fn = shut_down;
    return !std::getenv("TOOL_REFUSES");
}

extern "C" void OnUnload() {
    std::printf("tool: unload\n");
    std::fflush(stdout);
}
