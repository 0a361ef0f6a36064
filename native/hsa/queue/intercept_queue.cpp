#include "hsa/queue/intercept_queue.h"

namespace vrocm::hsa {

thread_local InterceptQueue::Place InterceptQueue::place_;

InterceptQueue::InterceptQueue(std::shared_ptr<HardwareQueue> hardware)
    : Queue(hardware->agent(), hardware->size(), hardware->handle()->type, hardware->handle()->features, nullptr),
      hardware_(std::move(hardware)) {
    hardware_->present_as(handle());
}

void InterceptQueue::add_handler(hsa_amd_queue_intercept_handler handler, void* data) {
    std::lock_guard lock(mutex_);
    handlers_.push_back({handler, data});
}

void InterceptQueue::inactivate() {
    hardware_->inactivate();
}

void InterceptQueue::profile(bool enable) {
    Queue::profile(enable);
    hardware_->profile(enable);
}

void InterceptQueue::ring(std::uint64_t rung) {
    allow(rung);
    std::lock_guard lock(mutex_);
    for (;;) {
        const std::uint64_t index = read_index().load();
        if (index >= allowed()) return;
        Packet& packet = slot(index);
        const std::uint16_t header = packet.atomic_header().load(std::memory_order_acquire);
        if (Packet::type(header) == HSA_PACKET_TYPE_INVALID) return;
        const Place outer = place_;
        place_ = {this, handlers_.size(), index};
        const Packet copy = packet;
        pass(&copy, 1);
        place_ = outer;
        packet.atomic_header().store(HSA_PACKET_TYPE_INVALID, std::memory_order_release);
        read_index().store(index + 1, std::memory_order_release);
    }
}

// Gives packets to the handler below the current place, or to the hardware when there is none.
void InterceptQueue::pass(const Packet* packets, std::uint64_t count) {
    if (place_.level == 0) return submit(packets, count);
    const Place here = place_;
    --place_.level;
    const Handler& handler = handlers_[place_.level];
    handler.function(packets, count, place_.index, handler.data, &write);
    place_ = here;
}

void InterceptQueue::write(const void* packets, std::uint64_t count) {
    place_.queue->pass(static_cast<const Packet*>(packets), count);
}

void InterceptQueue::submit(const Packet* packets, std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) {
        const Packet& packet = packets[i];
        if (Packet::type(packet.header()) == HSA_PACKET_TYPE_VENDOR_SPECIFIC &&
            packet.bytes[2] == AMD_AQL_FORMAT_INTERCEPT_MARKER) {
            const auto& marker = packet.as<amd_aql_intercept_marker_t>();
            if (marker.callback) marker.callback(&marker, hardware_->handle(), hardware_->next_index());
            continue;
        }
        hardware_->append(&packet, 1);
    }
}

}  // namespace vrocm::hsa
