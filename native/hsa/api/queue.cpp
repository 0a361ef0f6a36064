// Queues.
#include <bit>
#include <cstring>
#include <new>

#include "hsa/api/functions.h"
#include "hsa/queue/command_processor.h"
#include "hsa/queue/intercept_queue.h"

namespace vrocm::hsa::api {

namespace {

std::atomic_ref<std::uint64_t> read_index(const hsa_queue_t* queue) {
    auto* amd = reinterpret_cast<amd_queue_v2_t*>(const_cast<hsa_queue_t*>(queue));
    return std::atomic_ref(const_cast<std::uint64_t&>(amd->read_dispatch_id));
}

std::atomic_ref<std::uint64_t> write_index(const hsa_queue_t* queue) {
    auto* amd = reinterpret_cast<amd_queue_v2_t*>(const_cast<hsa_queue_t*>(queue));
    return std::atomic_ref(const_cast<std::uint64_t&>(amd->write_dispatch_id));
}

}  // namespace

hsa_status_t hsa_queue_create(hsa_agent_t agent, uint32_t size, hsa_queue_type32_t type,
                              void (*callback)(hsa_status_t status, hsa_queue_t* source, void* data), void* data,
                              uint32_t, uint32_t, hsa_queue_t** queue) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(queue, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    Agent* a = runtime->agent(agent);
    VROCM_CHECK(a, HSA_STATUS_ERROR_INVALID_AGENT);
    std::shared_ptr<HardwareQueue> made;
    const hsa_status_t status = create_queue(*a, size, type, callback, data, made);
    if (status == HSA_STATUS_SUCCESS) *queue = runtime->queues.add(made);
    return status;
}

hsa_status_t hsa_amd_queue_intercept_create(hsa_agent_t agent_handle, uint32_t size, hsa_queue_type32_t type,
                                            void (*callback)(hsa_status_t status, hsa_queue_t* source, void* data),
                                            void* data, uint32_t, uint32_t, hsa_queue_t** queue) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(queue, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    Agent* a = runtime->agent(agent_handle);
    VROCM_CHECK(a, HSA_STATUS_ERROR_INVALID_AGENT);
    std::shared_ptr<HardwareQueue> made;
    const hsa_status_t status = create_queue(*a, size, type, callback, data, made);
    if (status != HSA_STATUS_SUCCESS) return status;
    try {
        *queue = runtime->queues.add(std::make_shared<InterceptQueue>(made));
    } catch (const std::bad_alloc&) {
        made->inactivate();
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    }
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_queue_intercept_register(hsa_queue_t* queue, hsa_amd_queue_intercept_handler callback,
                                              void* user_data) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(callback, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    const auto found = std::dynamic_pointer_cast<InterceptQueue>(runtime->queues.find(queue));
    VROCM_CHECK(found, HSA_STATUS_ERROR_INVALID_QUEUE);
    found->add_handler(callback, user_data);
    return HSA_STATUS_SUCCESS;
}

// The runtime makes no queues of its own, so there is nothing to tell.
hsa_status_t hsa_amd_runtime_queue_create_register(hsa_amd_runtime_queue_notifier, void*) {
    VROCM_OPEN(runtime);
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_soft_queue_create(hsa_region_t region, uint32_t size, hsa_queue_type32_t type, uint32_t features,
                                   hsa_signal_t doorbell_signal, hsa_queue_t** queue) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(queue && std::has_single_bit(size) && type <= HSA_QUEUE_TYPE_SINGLE, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    VROCM_CHECK(features != 0, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    VROCM_CHECK(runtime->pool(region.handle), HSA_STATUS_ERROR_INVALID_REGION);
    VROCM_CHECK(runtime->signals.valid(doorbell_signal), HSA_STATUS_ERROR_INVALID_SIGNAL);
    try {
        *queue = runtime->queues.add(
            std::make_shared<Queue>(runtime->cpu(), size, type, features, signal_at(doorbell_signal)));
    } catch (const std::bad_alloc&) {
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    }
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_queue_destroy(hsa_queue_t* queue) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(queue, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    const auto found = runtime->queues.take(queue);
    VROCM_CHECK(found, HSA_STATUS_ERROR_INVALID_QUEUE);
    found->inactivate();
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_queue_inactivate(hsa_queue_t* queue) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(queue, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    const auto found = runtime->queues.find(queue);
    VROCM_CHECK(found, HSA_STATUS_ERROR_INVALID_QUEUE);
    found->inactivate();
    return HSA_STATUS_SUCCESS;
}

// ---- indices -------------------------------------------------------------------------------------------------------

uint64_t hsa_queue_load_read_index_relaxed(const hsa_queue_t* queue) {
    return read_index(queue).load(std::memory_order_relaxed);
}
uint64_t hsa_queue_load_read_index_scacquire(const hsa_queue_t* queue) {
    return read_index(queue).load();
}
uint64_t hsa_queue_load_write_index_relaxed(const hsa_queue_t* queue) {
    return write_index(queue).load(std::memory_order_relaxed);
}
uint64_t hsa_queue_load_write_index_scacquire(const hsa_queue_t* queue) {
    return write_index(queue).load();
}
void hsa_queue_store_write_index_relaxed(const hsa_queue_t* queue, uint64_t value) {
    write_index(queue).store(value, std::memory_order_relaxed);
}
void hsa_queue_store_write_index_screlease(const hsa_queue_t* queue, uint64_t value) {
    write_index(queue).store(value);
}
void hsa_queue_store_read_index_relaxed(const hsa_queue_t* queue, uint64_t value) {
    read_index(queue).store(value, std::memory_order_relaxed);
}
void hsa_queue_store_read_index_screlease(const hsa_queue_t* queue, uint64_t value) {
    read_index(queue).store(value);
}

#define WRITE_INDEX(order)                                                                                    \
    uint64_t hsa_queue_add_write_index_##order(const hsa_queue_t* queue, uint64_t value) {                    \
        return write_index(queue).fetch_add(value);                                                           \
    }                                                                                                         \
    uint64_t hsa_queue_cas_write_index_##order(const hsa_queue_t* queue, uint64_t expected, uint64_t value) { \
        write_index(queue).compare_exchange_strong(expected, value);                                          \
        return expected;                                                                                      \
    }
WRITE_INDEX(relaxed)
WRITE_INDEX(scacquire)
WRITE_INDEX(screlease)
WRITE_INDEX(scacq_screl)
#undef WRITE_INDEX

// ---- settings ------------------------------------------------------------------------------------------------------

hsa_status_t hsa_amd_profiling_set_profiler_enabled(hsa_queue_t* queue, int enable) {
    VROCM_OPEN(runtime);
    const auto found = runtime->queues.find(queue);
    VROCM_CHECK(found, HSA_STATUS_ERROR_INVALID_QUEUE);
    found->profile(enable != 0);
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_queue_cu_set_mask(const hsa_queue_t* queue, uint32_t num_cu_mask_count, const uint32_t* cu_mask) {
    VROCM_OPEN(runtime);
    const auto found = runtime->queues.find(queue);
    VROCM_CHECK(found && found->agent().is_gpu() && !found->counted, HSA_STATUS_ERROR_INVALID_QUEUE);
    VROCM_CHECK(num_cu_mask_count % 32 == 0 && (num_cu_mask_count == 0 || cu_mask), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    found->hardware().cu_mask.assign(cu_mask, cu_mask + num_cu_mask_count / 32);
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_queue_cu_get_mask(const hsa_queue_t* queue, uint32_t num_cu_mask_count, uint32_t* cu_mask) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(cu_mask, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    const auto found = runtime->queues.find(queue);
    VROCM_CHECK(found && found->agent().is_gpu(), HSA_STATUS_ERROR_INVALID_QUEUE);
    VROCM_CHECK(num_cu_mask_count != 0 && num_cu_mask_count % 32 == 0, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    const auto& mask = found->hardware().cu_mask;
    const std::uint32_t units = found->agent().model().compute_units;
    for (std::uint32_t word = 0; word < num_cu_mask_count / 32; ++word) {
        const std::uint32_t first = word * 32;
        const std::uint32_t present = first >= units ? 0 : units - first >= 32 ? ~0u : (1u << (units - first)) - 1;
        cu_mask[word] = mask.empty() ? present : word < mask.size() ? mask[word] & present : 0;
    }
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_queue_set_priority(hsa_queue_t* queue, hsa_amd_queue_priority_t priority) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(queue, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    const auto found = runtime->queues.find(queue);
    VROCM_CHECK(found && !found->counted, HSA_STATUS_ERROR_INVALID_QUEUE);
    auto* hardware = dynamic_cast<HardwareQueue*>(&found->hardware());
    VROCM_CHECK(hardware, HSA_STATUS_ERROR_INVALID_QUEUE);
    VROCM_CHECK(priority >= HSA_AMD_QUEUE_PRIORITY_LOW && priority <= HSA_AMD_QUEUE_PRIORITY_HIGH,
                HSA_STATUS_ERROR_INVALID_ARGUMENT);
    hardware->priority = priority;
    found->agent().processor().reorder();
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_queue_get_info(hsa_queue_t* queue, hsa_queue_info_attribute_t attribute, void* value) {
    VROCM_OPEN(runtime);
    const auto found = runtime->queues.find(queue);
    VROCM_CHECK(found, HSA_STATUS_ERROR_INVALID_QUEUE);
    VROCM_CHECK(value, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    const auto number = static_cast<std::uint32_t>(found->hardware().handle()->id);
    switch (attribute) {
        case HSA_AMD_QUEUE_INFO_AGENT:
            *static_cast<hsa_agent_t*>(value) = found->agent().handle();
            break;
        case HSA_AMD_QUEUE_INFO_DOORBELL_ID:
            *static_cast<std::uint64_t*>(value) = queue->doorbell_signal.handle;
            break;
        case HSA_QUEUE_INFO_USE_COUNT:
            *static_cast<std::uint32_t*>(value) = found->counted ? 1 : ~0u;
            break;
        case HSA_QUEUE_INFO_HW_ID:
            *static_cast<std::uint32_t*>(value) = number;
            break;
        default:
            return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
    return HSA_STATUS_SUCCESS;
}

// Every counted queue is a queue of its own: there is no shortage of hardware queues to share.
hsa_status_t hsa_amd_counted_queue_acquire(hsa_agent_t agent, hsa_queue_type_t type, hsa_amd_queue_priority_t priority,
                                           void (*callback)(hsa_status_t status, hsa_queue_t* source, void* data),
                                           void* data, uint64_t, hsa_queue_t** queue) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(type == HSA_QUEUE_TYPE_MULTI, HSA_STATUS_ERROR_INVALID_QUEUE_CREATION);
    VROCM_CHECK(priority >= HSA_AMD_QUEUE_PRIORITY_LOW && priority <= HSA_AMD_QUEUE_PRIORITY_HIGH,
                HSA_STATUS_ERROR_INVALID_ARGUMENT);
    constexpr std::uint32_t kPackets = 16384;
    const hsa_status_t status = api::hsa_queue_create(agent, kPackets, type, callback, data, 0, 0, queue);
    if (status != HSA_STATUS_SUCCESS) return status;
    api::hsa_amd_queue_set_priority(*queue, priority);
    runtime->queues.find(*queue)->counted = true;
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_counted_queue_release(hsa_queue_t* queue) {
    VROCM_OPEN(runtime);
    const auto found = runtime->queues.find(queue);
    VROCM_CHECK(found && found->counted, HSA_STATUS_ERROR);
    return api::hsa_queue_destroy(queue);
}

}  // namespace vrocm::hsa::api
