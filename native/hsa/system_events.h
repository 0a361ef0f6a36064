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

inline hsa_status_t SystemEvents::add(hsa_amd_system_event_callback_t callback, void* data) {
    if (!callback) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    std::lock_guard lock(mutex_);
    handlers_.push_back({callback, data});
    return HSA_STATUS_SUCCESS;
}

inline bool SystemEvents::raise(const hsa_amd_event_t& event) {
    std::vector<Handler> handlers;
    {
        std::lock_guard lock(mutex_);
        handlers = handlers_;
    }
    bool handled = false;
    for (const Handler& handler : handlers) handled |= handler.callback(&event, handler.data) == HSA_STATUS_SUCCESS;
    return handled;
}

}  // namespace vrocm::hsa
