// A queue in front of a hardware queue: packets pass through the handlers of tools, which may change, drop or add
// packets. Handlers run in the thread that rings the doorbell.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "abi/hsa/hsa_api_trace.h"
#include "hsa/queue/hardware_queue.h"

namespace vrocm::hsa {

class InterceptQueue final : public Queue {
  public:
    explicit InterceptQueue(std::shared_ptr<HardwareQueue> hardware);

    // The handler registered last sees packets first and writes to the one before it.
    void add_handler(hsa_amd_queue_intercept_handler handler, void* data);
    void ring(std::uint64_t index) override;
    void inactivate() override;
    void profile(bool enable) override;
    Queue& hardware() override { return *hardware_; }

  private:
    struct Handler {
        hsa_amd_queue_intercept_handler function;
        void* data;
    };
    // Where the packets being written on this thread are: below how many handlers, of which queue.
    struct Place {
        InterceptQueue* queue = nullptr;
        std::size_t level = 0;
        std::uint64_t index = 0;
    };
    static thread_local Place place_;
    static void write(const void* packets, std::uint64_t count);
    void pass(const Packet* packets, std::uint64_t count);
    void submit(const Packet* packets, std::uint64_t count);

    std::shared_ptr<HardwareQueue> hardware_;
    std::recursive_mutex mutex_;  // a handler may ring the doorbell
    std::vector<Handler> handlers_;
};

}  // namespace vrocm::hsa
