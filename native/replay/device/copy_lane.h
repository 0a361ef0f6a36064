// Copies between host memory and memory of the GPU, through pinned staging memory. One lane serves one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "replay/device/device.h"
#include "replay/device/hsa_library.h"

namespace rpl::replay {

// Host memory that the GPU can copy from and to.
class PinnedMemory {
  public:
    PinnedMemory(const HsaLibrary& hsa, const ReplayDevice& device, hsa_amd_memory_pool_t pool, std::size_t size);
    ~PinnedMemory();
    PinnedMemory(const PinnedMemory&) = delete;
    PinnedMemory& operator=(const PinnedMemory&) = delete;
    std::uint8_t* data() const { return static_cast<std::uint8_t*>(memory_); }
    std::size_t size() const { return size_; }

  private:
    const HsaLibrary& hsa_;
    void* memory_ = nullptr;
    std::size_t size_;
};

class CopyLane {
  public:
    static constexpr std::size_t kStaging = 2u << 20;

    CopyLane(const HsaLibrary& hsa, const ReplayDevice& device);
    ~CopyLane();
    CopyLane(const CopyLane&) = delete;
    CopyLane& operator=(const CopyLane&) = delete;

    std::uint8_t* staging() const { return staging_.data(); }
    // `from` and `to` on the host may be any memory; what is not pinned goes through a buffer of its own. All throw
    // Failure.
    void to_device(std::uint64_t to, const std::uint8_t* from, std::size_t size, bool pinned);
    void from_device(std::uint8_t* to, std::uint64_t from, std::size_t size, bool pinned);
    void zero_device(std::uint64_t to, std::size_t size);

  private:
    void copy(void* to, hsa_agent_t to_agent, const void* from, hsa_agent_t from_agent, std::size_t size);

    const HsaLibrary& hsa_;
    const ReplayDevice& device_;
    std::uint64_t turn_;  // ticks to wait before looking at the clock: a second
    PinnedMemory staging_, bounce_;
    hsa_signal_t done_{};
};

// As many lanes as there is use for, and work shared among them.
class CopyLanes {
  public:
    CopyLanes(const HsaLibrary& hsa, const ReplayDevice& device);
    // Calls work(lane, task) for every task below `tasks`, on several threads when there are many. What a task
    // throws is thrown here when all have stopped.
    void for_each(std::size_t tasks, const std::function<void(CopyLane&, std::size_t)>& work);
    CopyLane& first() { return *lanes_.front(); }

  private:
    std::vector<std::unique_ptr<CopyLane>> lanes_;
};

}  // namespace rpl::replay
