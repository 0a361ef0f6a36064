// Handlers that clients register for events of the whole system, and what happens when a kernel faults.
#pragma once

#include <mutex>
#include <vector>

#include "abi/hsa/hsa_ext_amd.h"

namespace vrocm::hsa {

class SystemEvents {
  public:
    hsa_status_t add(hsa_amd_system_event_callback_t callback, void* data);
    // True when a handler took care of it.
    bool raise(const hsa_amd_event_t& event);

  private:
    struct Handler {
        hsa_amd_system_event_callback_t callback;
        void* data;
    };
    std::mutex mutex_;
    std::vector<Handler> handlers_;
};

}  // namespace vrocm::hsa
