#include "hip/thread_state.h"

#include "hip/runtime.h"
#include "hip/stream.h"

namespace vrocm::hip {

ThreadState::ThreadState() = default;
ThreadState::~ThreadState() = default;

ThreadState& thread_state() {
    thread_local ThreadState state;
    return state;
}

Device& current_device() {
    return Runtime::get().device(thread_state().device);
}

}  // namespace vrocm::hip
