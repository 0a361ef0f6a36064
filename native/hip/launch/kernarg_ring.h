// Memory for the arguments of the kernels in one queue, reused when they have ended.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

#include "abi/hsa/hsa_ext_amd.h"
#include "hip/stream/completion.h"

namespace vrocm::hip {

class Device;

class KernargRing {
  public:
    explicit KernargRing(Device& device) : device_(device) {}
    ~KernargRing();
    KernargRing(const KernargRing&) = delete;
    KernargRing& operator=(const KernargRing&) = delete;

    // The kernel that must end before `size` bytes can be taken; null when there is room.
    CompletionPtr in_the_way(std::size_t size, std::size_t alignment);
    // The room itself, free again once `reader` has ended. Only after in_the_way() returned null.
    std::uint8_t* take(std::size_t size, std::size_t alignment, CompletionPtr reader);

  private:
    struct Block {
        std::size_t begin, end;
        CompletionPtr reader;
    };
    std::size_t place(std::size_t size, std::size_t alignment) const;

    Device& device_;
    std::uint8_t* memory_ = nullptr;
    std::size_t next_ = 0;
    std::deque<Block> blocks_;  // oldest first
};

}  // namespace vrocm::hip
