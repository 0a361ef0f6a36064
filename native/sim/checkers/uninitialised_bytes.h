// Bytes of device memory that nothing has written since they were allocated: neither a kernel nor a copy nor a fill.
#pragma once

#include <cstdint>
#include <mutex>

#include "sim/observe/byte_set.h"

namespace vrocm::sim::checkers {

// Of the process; empty unless reads of such memory are looked for.
class UninitialisedBytes {
  public:
    static UninitialisedBytes& process();
    void allocated(std::uint64_t base, std::uint64_t size);
    void written(std::uint64_t base, std::uint64_t size);  // or freed
    template <typename F>
    void with(F&& f) {
        std::lock_guard lock(mutex_);
        f(bytes_);
    }

  private:
    std::mutex mutex_;
    observe::ByteSet bytes_;
};

}  // namespace vrocm::sim::checkers
