#include "hsa/system_events.h"

namespace vrocm::hsa {

hsa_status_t SystemEvents::add(hsa_amd_system_event_callback_t callback, void* data) {
    if (!callback) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    std::lock_guard lock(mutex_);
    handlers_.push_back({callback, data});
    return HSA_STATUS_SUCCESS;
}

bool SystemEvents::raise(const hsa_amd_event_t& event) {
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
