// The application's queues, all made as intercept queues, with what is needed to bring them to rest.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "abi/hsa/hsa_api_trace.h"
#include "capture/bookkeeping/dependencies.h"

namespace rpl::capture {

using QueueCallback = void (*)(hsa_status_t status, hsa_queue_t* source, void* data);

// A barrier packet of the application that was not open when it was submitted. `reached` falls to zero when everything
// before it has ended.
struct HoldMark {
    hsa_signal_t reached{0};
    bool used = false;
    Dependencies after;
};

struct InterceptedQueue {
    hsa_queue_t* handle = nullptr;
    hsa_agent_t agent{0};
    unsigned number = 0;  // in the order in which they were made
    QueueCallback callback = nullptr;
    void* callback_data = nullptr;
    std::atomic<bool> alive{true}, faulted{false};
    std::atomic<bool> profiled{false};  // the application asked for it
    // Only its owner may put packets into it: the type says so, or the application moves the write index by storing.
    std::atomic<bool> single_producer{false};

    // 1 until everything that was submitted before the capture has ended.
    hsa_signal_t drained{0};
    // Submissions that have not ended; counted for queues with a single producer.
    hsa_signal_t unfinished{0};
    // What is submitted from now on waits until the capture is over.
    std::atomic<bool> held_back{false};
    std::array<HoldMark, 8> marks;  // guarded by InterceptedQueues' mutex
    unsigned next_mark = 0;

    std::string words() const;
};

class InterceptedQueues {
  public:
    InterceptedQueue& add(hsa_agent_t agent, QueueCallback callback, void* data);  // before the runtime makes it
    void made(InterceptedQueue& queue, hsa_queue_t* handle);
    InterceptedQueue* find(const hsa_queue_t* handle);
    void gone(InterceptedQueue& queue);  // after the runtime has destroyed it
    std::vector<InterceptedQueue*> alive();

    // For the packet path. Remembers a barrier that is not open; the signal that has to fall before it, or a handle of
    // 0 when there is no place left.
    hsa_signal_t mark_hold(InterceptedQueue& queue, const Dependencies& after);
    // True when the queue stands at a barrier of the application that is not open.
    bool is_held(InterceptedQueue& queue);
    void signal_gone(hsa_signal_t signal);

  private:
    std::mutex mutex_;
    std::vector<std::unique_ptr<InterceptedQueue>> queues_;  // never shrinks: a handler may still be running
};

InterceptedQueues& queues();

}  // namespace rpl::capture
