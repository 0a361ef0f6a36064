#include "capture/packets/quiesce.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "capture/bookkeeping/copies_in_flight.h"
#include "capture/calls/original.h"
#include "capture/session.h"

namespace rpl::capture {

namespace {

using Clock = std::chrono::steady_clock;

// How long the queue of the dispatch may stand still before the thread that submitted is let go: it could be the one
// that has to open the way.
constexpr auto kPatience = std::chrono::seconds(1);

class Deadline {
  public:
    explicit Deadline(double seconds)
        : end_(Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds))) {}
    bool passed() const { return Clock::now() >= end_; }

  private:
    Clock::time_point end_;
};

// Sleeps longer and longer between looks.
class Pause {
  public:
    void operator()() {
        std::this_thread::sleep_for(length_);
        length_ = std::min(length_ * 2, std::chrono::microseconds(2000));
    }

  private:
    std::chrono::microseconds length_{50};
};

// Puts a packet that does nothing into a queue of the application, as another producer: on its way it passes our
// handler, which then holds the queue back.
bool nudge(InterceptedQueue& queue, const Deadline& deadline) {
    const auto& core = original().core;
    hsa_queue_t* handle = queue.handle;
    const std::uint64_t index = core.hsa_queue_add_write_index_screlease_fn(handle, 1);
    Pause pause;
    while (index - core.hsa_queue_load_read_index_scacquire_fn(handle) >= handle->size) {
        if (deadline.passed()) return false;
        pause();
    }
    auto* slot = static_cast<Packet*>(handle->base_address) + (index & (handle->size - 1));
    const Packet packet = barrier_packet({0}, {0});
    std::memcpy(slot->bytes + sizeof(std::uint16_t), packet.bytes + sizeof(std::uint16_t),
                sizeof packet.bytes - sizeof(std::uint16_t));
    std::atomic_ref(*reinterpret_cast<std::uint16_t*>(slot->bytes)).store(packet.header(), std::memory_order_release);
    core.hsa_signal_store_screlease_fn(handle->doorbell_signal, static_cast<hsa_signal_value_t>(index));
    return true;
}

bool at_rest(InterceptedQueue& queue) {
    if (queue.faulted) return true;
    return queue.single_producer ? peek(queue.unfinished) <= 0 : peek(queue.drained) <= 0;
}

}  // namespace

void Quiesce::wait_for_own_queue() {
    const auto began = Clock::now();
    const Deadline deadline(session().settings().timeout_seconds);
    InterceptedQueue& own = *session().target().queue;
    Pause pause;
    bool released = false;
    while (peek(session().signals().ready) > 0) {
        if (own.faulted) throw CaptureError("the queue of the dispatch failed before the kernel could start");
        if (deadline.passed())
            throw CaptureError(own.words() + ", the queue of the dispatch, did not come to rest in time" +
                               (queues().is_held(own) ? ": it waits for a signal of the application" : ""));
        if (!released && Clock::now() - began > kPatience && queues().is_held(own)) {
            released = true;
            session().release_submitter();
        }
        pause();
    }
    waited_ns_ += static_cast<std::uint64_t>(std::chrono::nanoseconds(Clock::now() - began).count());
}

void Quiesce::wait_for_others() {
    const auto began = Clock::now();
    const Deadline deadline(session().settings().timeout_seconds);
    session().hold_back(true);
    std::vector<InterceptedQueue*> others = queues().alive();
    count_ = others.size();
    std::erase(others, session().target().queue);
    for (InterceptedQueue* queue : others)
        if (!queue->single_producer && !queue->held_back && !queue->faulted && !nudge(*queue, deadline))
            throw CaptureError(queue->words() + " is full and does not get on");
    Pause pause;
    for (;;) {
        held_.clear();
        drained_ = 0;
        const InterceptedQueue* running = nullptr;
        for (InterceptedQueue* queue : others) {
            if (at_rest(*queue))
                ++drained_;
            else if (queues().is_held(*queue))
                held_.push_back(queue);
            else
                running = queue;
        }
        const CopiesInFlight::State copies = copies_in_flight().state();
        held_copies_ = copies.held;
        if (!running && copies.running == 0) break;
        if (deadline.passed())
            throw CaptureError((running ? running->words() : copies.running_one) + " did not come to rest in time");
        pause();
    }
    ++drained_;  // the queue of the dispatch
    waited_ns_ += static_cast<std::uint64_t>(std::chrono::nanoseconds(Clock::now() - began).count());
}

void Quiesce::check_still_at_rest() const {
    for (InterceptedQueue* queue : held_)
        if (!at_rest(*queue) && !queues().is_held(*queue))
            throw CaptureError(queue->words() + " went on while the memory was being read: the application opened " +
                               "the barrier it stood at");
    if (copies_in_flight().state().held != held_copies_)
        throw CaptureError("a copy went on while the memory was being read: the application opened what it waited for");
}

}  // namespace rpl::capture
