// Bringing the GPUs to rest: nothing runs, no copy is under way, and nothing new begins.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "capture/bookkeeping/queues.h"

namespace rpl::capture {

class Quiesce {
  public:
    // Until the queue of the dispatch has done everything before it. The application's other threads go on meanwhile;
    // if the queue waits for the application itself, the thread that submitted is let go. Throws CaptureError.
    void wait_for_own_queue();
    // All other queues and the copies. The gate has to be closed before. Throws CaptureError that names what goes on.
    void wait_for_others();
    // Queues that stood at a barrier of the application still do. Throws CaptureError otherwise.
    void check_still_at_rest() const;

    std::uint64_t queue_count() const { return count_; }
    std::uint64_t drained() const { return drained_; }
    const std::vector<InterceptedQueue*>& held() const { return held_; }
    unsigned held_copies() const { return held_copies_; }
    std::uint64_t waited_ns() const { return waited_ns_; }

  private:
    std::uint64_t count_ = 0, drained_ = 0, waited_ns_ = 0;
    unsigned held_copies_ = 0;
    std::vector<InterceptedQueue*> held_;
};

}  // namespace rpl::capture
