#include "hsa/queue/queue.h"

#include <bit>
#include <new>

#include "hsa/queue/command_processor.h"
#include "hsa/queue/hardware_queue.h"
#include "hsa/runtime.h"
#include "hsa/tracing/objects.h"
#include "sim/code/op.h"
#include "trace/log.h"

namespace vrocm::hsa {

namespace {

std::atomic<std::uint64_t> next_queue_id{0};
constexpr std::uint32_t kMaxPackets = 0x20000;
constexpr std::size_t kMaxQueues = 128;

}  // namespace

Queue::Queue(Agent& agent, std::uint32_t size, hsa_queue_type32_t type, std::uint32_t features, Signal* doorbell)
    : agent_(agent) {
    Runtime& runtime = *Runtime::get();
    const std::uint64_t ring_bytes = std::uint64_t{size} * sizeof(Packet);
    const std::uint64_t ring_offset = page_up(sizeof(QueueMemory));
    void* memory = runtime.memory.allocate_internal(runtime.system_pool(), ring_offset + ring_bytes, "queue");
    if (!memory) throw std::bad_alloc();
    memory_ = new (memory) QueueMemory{};
    memory_->object = this;
    auto& hsa_queue = memory_->amd.hsa_queue;
    hsa_queue.type = type;
    hsa_queue.features = features;
    hsa_queue.base_address = static_cast<char*>(memory) + ring_offset;
    hsa_queue.size = size;
    hsa_queue.id = next_queue_id++;
    for (std::uint32_t i = 0; i < size; ++i) slot(i).atomic_header().store(HSA_PACKET_TYPE_INVALID);
    if (!doorbell) {
        doorbell = own_doorbell_ = runtime.signals.create(0);
        if (!doorbell) {
            runtime.memory.free(memory, true);
            throw std::bad_alloc();
        }
        doorbell->doorbell_value = -1;
        doorbell->amd.kind = AMD_SIGNAL_KIND_DOORBELL;
        doorbell->amd.hardware_doorbell_ptr = reinterpret_cast<std::uint64_t*>(&doorbell->doorbell_value);
        doorbell->amd.queue_ptr = &memory_->amd;
        doorbell->doorbell = this;
    }
    hsa_queue.doorbell_signal = doorbell->handle();
    auto& amd = memory_->amd;
    amd.group_segment_aperture_base_hi = static_cast<std::uint32_t>(sim::kSharedAperture >> 32);
    amd.private_segment_aperture_base_hi = static_cast<std::uint32_t>(sim::kPrivateAperture >> 32);
    amd.read_dispatch_id_field_base_byte_offset = offsetof(amd_queue_v2_t, read_dispatch_id);
    amd.queue_properties = AMD_QUEUE_PROPERTIES_IS_PTR64;
    if (agent.is_gpu()) {
        amd.max_cu_id = agent.model().compute_units - 1;
        amd.max_wave_id = agent.model().waves_per_cu - 1;
    }
}

Queue::~Queue() {
    Runtime& runtime = *Runtime::get();
    if (own_doorbell_) runtime.signals.destroy(own_doorbell_);
    runtime.memory.free(memory_, true);
}

void Queue::allow(std::uint64_t index) {
    std::uint64_t before = allowed_.load();
    while (before < index + 1 && !allowed_.compare_exchange_weak(before, index + 1)) {
    }
}

void Queue::profile(bool enable) {
    auto& properties = memory_->amd.queue_properties;
    if (enable)
        properties |= AMD_QUEUE_PROPERTIES_ENABLE_PROFILING;
    else
        properties &= ~static_cast<std::uint32_t>(AMD_QUEUE_PROPERTIES_ENABLE_PROFILING);
}

hsa_queue_t* Queues::add(std::shared_ptr<Queue> queue) {
    std::lock_guard lock(mutex_);
    hsa_queue_t* handle = queue->handle();
    queues_[handle] = std::move(queue);
    return handle;
}

std::shared_ptr<Queue> Queues::find(const hsa_queue_t* handle) const {
    std::lock_guard lock(mutex_);
    const auto it = queues_.find(handle);
    return it == queues_.end() ? nullptr : it->second;
}

std::shared_ptr<Queue> Queues::take(hsa_queue_t* handle) {
    std::lock_guard lock(mutex_);
    const auto it = queues_.find(handle);
    if (it == queues_.end()) return nullptr;
    auto queue = std::move(it->second);
    queues_.erase(it);
    return queue;
}

void Queues::clear() {
    std::map<const hsa_queue_t*, std::shared_ptr<Queue>> gone;
    {
        std::lock_guard lock(mutex_);
        gone.swap(queues_);
    }
    for (auto& [handle, queue] : gone) queue->inactivate();
}

std::size_t Queues::count(const Agent& agent) const {
    std::lock_guard lock(mutex_);
    std::size_t n = 0;
    for (const auto& [handle, queue] : queues_) n += &queue->agent() == &agent;
    return n;
}

hsa_status_t create_queue(Agent& agent, std::uint32_t size, hsa_queue_type32_t type, QueueCallback callback, void* data,
                          std::shared_ptr<HardwareQueue>& queue) {
    if (!std::has_single_bit(size) || type > HSA_QUEUE_TYPE_COOPERATIVE) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    if (!agent.is_gpu()) return HSA_STATUS_ERROR_INVALID_QUEUE_CREATION;
    if (size > kMaxPackets || Runtime::get()->queues.count(agent) >= kMaxQueues)
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    try {
        queue = std::make_shared<HardwareQueue>(agent, size, type, callback, data);
    } catch (const std::bad_alloc&) {
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    }
    if (trace::active()) trace_queue(*queue);
    agent.processor().add(queue);
    return HSA_STATUS_SUCCESS;
}

}  // namespace vrocm::hsa
