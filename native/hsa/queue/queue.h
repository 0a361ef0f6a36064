// AQL queues: the object clients and kernels see, and who it belongs to.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "abi/hsa/amd_hsa_queue.h"
#include "hsa/agent/agent.h"
#include "hsa/signal/signal.h"

namespace vrocm::hsa {

struct alignas(64) Packet {
    std::uint8_t bytes[64];

    std::uint16_t header() const { return reinterpret_cast<const std::uint16_t*>(bytes)[0]; }
    std::atomic_ref<std::uint16_t> atomic_header() { return std::atomic_ref(*reinterpret_cast<std::uint16_t*>(bytes)); }
    static unsigned type(std::uint16_t header) { return header & 0xff; }
    template <typename T>
    const T& as() const {
        static_assert(sizeof(T) == 64);
        return *reinterpret_cast<const T*>(bytes);
    }
};
static_assert(sizeof(Packet) == 64);

using QueueCallback = void (*)(hsa_status_t status, hsa_queue_t* source, void* data);

// What lies in memory that kernels can reach. The handle is the address of `amd.hsa_queue`.
struct QueueMemory {
    amd_queue_v2_t amd;
    class Queue* object;
};

class Queue : public Doorbell {
  public:
    // `size` packets; a doorbell of its own unless one is given. Throws std::bad_alloc.
    Queue(Agent& agent, std::uint32_t size, hsa_queue_type32_t type, std::uint32_t features, Signal* doorbell);
    virtual ~Queue();
    Queue(const Queue&) = delete;
    Queue& operator=(const Queue&) = delete;

    hsa_queue_t* handle() const { return &memory_->amd.hsa_queue; }
    amd_queue_v2_t& amd() const { return memory_->amd; }
    Agent& agent() const { return agent_; }
    std::uint32_t size() const { return memory_->amd.hsa_queue.size; }
    Packet& slot(std::uint64_t index) const {
        return static_cast<Packet*>(memory_->amd.hsa_queue.base_address)[index & (size() - 1)];
    }
    std::atomic_ref<std::uint64_t> read_index() const {
        return std::atomic_ref(const_cast<std::uint64_t&>(amd().read_dispatch_id));
    }
    std::atomic_ref<std::uint64_t> write_index() const {
        return std::atomic_ref(const_cast<std::uint64_t&>(amd().write_dispatch_id));
    }

    // The doorbell was rung with the index of a packet: everything up to it may be processed. The packet processor
    // goes by the doorbell and not by the write index, which clients may move before they write packets.
    void allow(std::uint64_t index);
    std::uint64_t allowed() const { return allowed_.load(); }

    // No packet is processed after this returns.
    virtual void inactivate() {}
    virtual void profile(bool enable);
    // Where the settings of an intercept queue really apply.
    virtual Queue& hardware() { return *this; }
    void ring(std::uint64_t index) override { allow(index); }

    std::vector<std::uint32_t> cu_mask;  // empty: all
    bool counted = false;

  private:
    Agent& agent_;
    QueueMemory* memory_;
    Signal* own_doorbell_ = nullptr;
    std::atomic<std::uint64_t> allowed_{0};  // packets that may be processed
};

// All queues of the process.
class Queues {
  public:
    hsa_queue_t* add(std::shared_ptr<Queue> queue);
    std::shared_ptr<Queue> find(const hsa_queue_t* handle) const;
    // Takes the queue out; null when it is not there.
    std::shared_ptr<Queue> take(hsa_queue_t* handle);
    void clear();
    std::size_t count(const Agent& agent) const;

  private:
    mutable std::mutex mutex_;
    std::map<const hsa_queue_t*, std::shared_ptr<Queue>> queues_;
};

hsa_status_t create_queue(Agent& agent, std::uint32_t size, hsa_queue_type32_t type, QueueCallback callback, void* data,
                          std::shared_ptr<class HardwareQueue>& queue);

}  // namespace vrocm::hsa
