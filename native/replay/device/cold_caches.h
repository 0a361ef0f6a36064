// Empties the caches of the GPU before an execution, by filling memory that is larger than all of them.
#pragma once

#include "replay/device/device.h"
#include "replay/device/hsa_library.h"

namespace rpl::replay {

class ColdCaches {
  public:
    ColdCaches(const HsaLibrary& hsa, const ReplayDevice& device);
    ~ColdCaches();
    ColdCaches(const ColdCaches&) = delete;
    ColdCaches& operator=(const ColdCaches&) = delete;
    void flush();

  private:
    const HsaLibrary& hsa_;
    void* memory_ = nullptr;
    std::uint32_t value_ = 0;
};

}  // namespace rpl::replay
