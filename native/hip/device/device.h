// One GPU: its memory pools, its streams, its settings.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "abi/hsa/hsa.h"
#include "abi/hsa/hsa_ext_amd.h"
#include "hip/hip_abi.h"
#include "hip/launch/kernarg_ring.h"
#include "vrocm/runtime_abi.h"

namespace vrocm::hip {

class Stream;
class StreamOrderedPool;

// An HSA queue of the device, for one stream or several, and the arguments of the kernels in it.
struct DeviceQueue {
    DeviceQueue(Device& device, hsa_queue_t* hsa, int priority) : hsa(hsa), priority(priority), kernargs(device) {}
    hsa_queue_t* const hsa;
    const int priority;
    unsigned users = 1;
    KernargRing kernargs;
};

class Device {
  public:
    Device(int id, hsa_agent_t agent, hsa_agent_t host);
    ~Device();

    int id() const { return id_; }
    hsa_agent_t agent() const { return agent_; }
    const std::string& target() const { return target_; }  // "gfx942:sramecc+:xnack-"
    const hipDeviceProp_t& properties() const { return properties_; }
    int attribute(hipDeviceAttribute_t attribute) const;  // throws hipErrorInvalidValue

    hsa_amd_memory_pool_t device_pool() const { return device_pool_; }
    hsa_amd_memory_pool_t host_pool() const { return host_pool_; }
    hsa_amd_memory_pool_t kernarg_pool() const { return kernarg_pool_; }
    std::size_t free_memory() const;

    // All submissions to streams of this device happen under this lock; nobody waits while holding it.
    std::mutex& submission() { return submission_; }
    Stream& null_stream() { return *null_stream_; }
    const std::vector<Stream*>& streams() const { return streams_; }  // under submission(); null stream included
    void add_stream(Stream* stream);
    void remove_stream(Stream* stream);
    void synchronize();  // everything submitted so far has ended

    // Queues outlive streams: making one is expensive, and most streams come and go. A GPU has few of them;
    // when they run out streams share, and then run in the order of submission. Under submission().
    DeviceQueue& take_queue(int priority);
    void give_queue(DeviceQueue& queue) { --queue.users; }

    // The block behind hidden_heap_v1, made with the first kernel that may call malloc.
    vrocm_heap* heap();

    std::set<int> peers;  // devices whose memory this one may touch; under submission()
    std::atomic<unsigned> flags{0};
    std::atomic<hipFuncCache_t> cache_config{hipFuncCachePreferNone};
    std::atomic<hipSharedMemConfig> shared_config{hipSharedMemBankSizeFourByte};
    std::atomic<std::size_t> stack_limit{1024}, printf_limit{1 << 20}, heap_limit{8u << 20};
    std::atomic<int> primary_context_users{0};
    std::atomic<unsigned> printing_streams{0};  // that have a buffer for what their kernels print

    StreamOrderedPool& default_pool() { return *default_pool_; }
    StreamOrderedPool& current_pool();
    void set_current_pool(StreamOrderedPool* pool);

  private:
    void find_pools(hsa_agent_t host);
    void read_target();
    int id_;
    hsa_agent_t agent_;
    std::string target_;
    hipDeviceProp_t properties_{};
    hsa_amd_memory_pool_t device_pool_{}, host_pool_{}, kernarg_pool_{};
    std::mutex submission_;
    std::vector<Stream*> streams_;
    std::unique_ptr<Stream> null_stream_;
    hsa_queue_t* make_queue(int priority) const;  // null when there are no more
    std::deque<DeviceQueue> queues_;
    std::unique_ptr<StreamOrderedPool> default_pool_;
    std::atomic<StreamOrderedPool*> current_pool_{nullptr};
    std::mutex heap_mutex_;
    vrocm_heap* heap_ = nullptr;
};

// hipDeviceReset: everything ends, the device's settings go back to what they were.
void reset_device(Device& device);

// Fills the properties of a device from what HSA says about its agent.
hipDeviceProp_t query_properties(hsa_agent_t agent, hsa_amd_memory_pool_t pool, const std::string& target);

}  // namespace vrocm::hip
