// Stream-ordered memory: what is freed stays with the pool until more than the threshold is held.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

#include "hip/hip_abi.h"
#include "hip/stream/completion.h"

namespace vrocm::hip {

class Device;
class Stream;

class StreamOrderedPool {
  public:
    explicit StreamOrderedPool(Device& device) : device_(device) {}
    ~StreamOrderedPool();
    StreamOrderedPool(const StreamOrderedPool&) = delete;
    StreamOrderedPool& operator=(const StreamOrderedPool&) = delete;

    Device& device() const { return device_; }
    void* allocate(std::size_t size, Stream& stream);
    void free_after(void* pointer, Stream& stream);  // once the stream has come this far
    void free_now(void* pointer);
    void trim(std::size_t keep);

    void set(hipMemPoolAttr attribute, const void* value);
    void get(hipMemPoolAttr attribute, void* value);

    std::map<int, hipMemAccessFlags> access;  // of other devices; guarded by the caller's use
    std::size_t max_size = 0;                 // 0: as much as there is

  private:
    struct Free {
        void* pointer;
        std::size_t size;
        std::vector<CompletionPtr> after;  // still using it
        std::uint64_t stream;
        bool ready() const;
    };
    void give_back(void* pointer, std::vector<CompletionPtr> after, std::uint64_t stream);
    void release_beyond(std::size_t keep);

    Device& device_;
    std::mutex mutex_;
    std::vector<Free> free_;
    std::size_t used_ = 0, used_high_ = 0, reserved_ = 0, reserved_high_ = 0;
    std::uint64_t threshold_ = 0;
    int follow_events_ = 1, opportunistic_ = 1, internal_dependencies_ = 1;
};

StreamOrderedPool& to_pool(hipMemPool_t handle);  // throws hipErrorInvalidValue
hipMemPool_t pool_handle(StreamOrderedPool& pool);
hipMemPool_t create_pool(Device& device, std::size_t max_size);
void destroy_pool(hipMemPool_t handle);

}  // namespace vrocm::hip
