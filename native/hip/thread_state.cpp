#include "hip/thread_state.h"

#include "hip/runtime.h"
#include "hip/stream/stream.h"

namespace vrocm::hip {

ThreadState::ThreadState() = default;
ThreadState::~ThreadState() = default;

ThreadState& thread_state() {
    // Static destructors of the program may call HIP after the thread's own objects are gone, so the state itself
    // is never destroyed; only its streams end with the thread.
    struct AtThreadEnd {
        ThreadState* state = new ThreadState;
        ~AtThreadEnd() { state->per_thread_streams.clear(); }
    };
    thread_local AtThreadEnd owner;
    return *owner.state;
}

Device& current_device() {
    return HipRuntime::get().device(thread_state().device);
}

}  // namespace vrocm::hip
