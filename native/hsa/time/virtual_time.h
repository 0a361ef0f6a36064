// Virtual time of the whole process: what the queues and copy engines were asked for and when, which of it is
// settled, and what each signal's value is at which time. The GPUs compute eagerly in real time; their times are
// settled only as far as somebody asks, and never past what a thread that is still active may yet ask for.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include "hsa/signal/signal.h"
#include "hsa/time/clock.h"
#include "hsa/time/costs.h"
#include "hsa/time/timeline.h"

namespace vrocm::hsa {

using OnSettled = std::function<void(const OperationTimes&)>;  // must not call the runtime

// One AQL queue in virtual time. Guarded by VirtualTime's lock.
struct QueueTimes {
    struct Submission {
        std::uint64_t index;
        std::uint64_t time;
        std::uint64_t number;  // in the order of all submissions of the process
        bool barrier;
    };
    unsigned pool = 0;
    const Costs* costs = nullptr;
    std::deque<Submission> pending;  // submitted and not yet carried out
    std::vector<OperationId> open;   // carried out and not settled, except what ends before one of these
    std::uint32_t size = 0;          // packets it holds
    std::uint64_t settled = 0;       // packets
    OperationId last = 0;
    std::uint64_t last_start = 0, last_seen = 0;
    std::uint64_t chain_end = 0;               // if every kernel had the GPU to itself
    std::vector<clock::Condition> blocked_by;  // of the barrier packet at its head
    bool blocked_by_all = true;
    bool passed_over = false;    // its device waits for leave to serve it before packets submitted earlier
    unsigned waiting_turns = 0;  // turns in which its kernel only waited
    std::uint64_t progress = 0;  // host time at which its kernel last started or ended a workgroup
    std::uint64_t workgroups = 0;
};

class VirtualTime {
    using Lock = std::unique_lock<std::mutex>;

  public:
    static VirtualTime& get();

    const Costs& costs() const { return *costs_; }
    void set_costs(const Costs& costs) { costs_ = &costs; }
    // Everything up to here is decided.
    std::uint64_t settled_time() const { return settled_.load(std::memory_order_relaxed); }

    // ---- threads (clock.h)
    clock::ThreadClock* thread_began(bool service);
    void thread_ended(clock::ThreadClock* thread);
    void thread_called(clock::ThreadClock& thread);
    void service_began(clock::ThreadClock& service, std::uint64_t time);
    void service_idle(clock::ThreadClock& service);
    // The service goes on when one of these holds.
    void service_waits(clock::ThreadClock& service, std::vector<clock::Condition> conditions);

    // ---- queues
    std::shared_ptr<QueueTimes> add_queue(unsigned pool, const Costs& costs, std::uint32_t size);
    void remove_queue(QueueTimes& queue);
    // A packet, by the calling thread, now; later when the queue is full until then.
    void submitted(QueueTimes& queue, std::uint64_t index, std::uint64_t number, bool barrier);
    // When the packet at the head starts at the earliest: later than everything before it in its queue.
    std::uint64_t earliest_start(QueueTimes& queue) const;
    // What the packet at the head waits for, or nothing.
    void blocked(QueueTimes& queue, std::vector<clock::Condition> conditions, bool all);
    // Whether the packet at the head may be carried out although the device has one submitted earlier that does not get
    // on: only when nobody else (host thread, copy, other device) can do anything before. So the order does not depend
    // on how fast they are.
    bool may_overtake(QueueTimes& queue);
    // A turn of the kernel at the head: whether it did anything but wait, and how many workgroups have ended.
    void took_turn(QueueTimes& queue, bool waited, std::uint64_t workgroups);
    // The packet at the head was carried out: `operation` says what it takes, `after` which signals it waited for.
    struct Done {
        Operation operation;
        std::vector<Signal*> after;
        Signal* completion = nullptr;
        hsa_signal_value_t decrement = 1;
        bool profiled = false;
        bool copied = false;
        OnSettled on_settled;
    };
    void packet_done(QueueTimes& queue, Done done);

    // ---- copies
    using CopyTicket = std::uint64_t;
    // A copy that waits for signals; taken off the list when it is done.
    CopyTicket copy_waits(std::vector<Signal*> after);
    void copy_done(CopyTicket ticket, std::uint64_t submitted, Done done);

    // ---- signals
    // The value at the calling thread's time.
    hsa_signal_value_t load(Signal& signal);
    // A change by the calling thread. `replaces`: the new value does not follow from the old one.
    template <class F>
    hsa_signal_value_t change(Signal& signal, bool replaces, F&& change) {
        Lock lock(mutex_);
        const hsa_signal_value_t before = signal.value().load();
        const hsa_signal_value_t result = change(signal.value());
        note_change(signal, replaces, signal.value().load() - before);
        note_event(lock);
        return result;
    }
    void forget(Signal& signal);
    bool known_below_one(Signal& signal);
    // Waits until one of the conditions, or all, hold; false when the time ran out. Values as of the end.
    bool wait(const std::vector<clock::Condition>& conditions, bool all, std::uint64_t timeout,
              std::vector<hsa_signal_value_t>& values);
    // The same for a service thread whose condition holds in real time already.
    void wait_until_due(const clock::Condition& condition);
    // Until what changed the signal last is settled: its profiling times are then there.
    void settle(Signal& signal);

    // At the end of the process, when the GPUs have stopped: everything that was carried out.
    void settle_all();
    // Before the memory of signals goes: nothing may refer to them afterwards.
    void runtime_ends();
    void after_fork(clock::ThreadClock* self);

  private:
    struct Change {
        hsa_signal_value_t delta;
        OperationId operation;  // 0: settled
        std::uint64_t time;     // when settled
        std::uint64_t chain;    // lower bound of it
    };
    struct History {
        std::vector<Change> changes;
        std::uint64_t forgotten = 0;  // the latest of the changes that are no longer listed
    };
    struct OpenOperation {
        std::shared_ptr<QueueTimes> queue;
        Signal* signal;
        bool profiled;
        bool copied;
        OnSettled on_settled;
    };
    struct WaitingCopy {
        std::uint64_t time;
        std::vector<Signal*> after;
    };
    VirtualTime();
    void operation_settled(OperationId id, const OperationTimes& times);
    void note_change(Signal& signal, bool replaces, hsa_signal_value_t delta);
    OperationId add_operation(Operation&& operation, Done& done, std::uint64_t chain_end,
                              const std::shared_ptr<QueueTimes>& queue);
    std::uint64_t follow(Signal& signal, Operation& operation) const;
    hsa_signal_value_t value_at(Signal& signal, std::uint64_t time) const;
    std::optional<std::uint64_t> holds_from(const clock::Condition& condition, std::uint64_t from) const;
    std::optional<std::uint64_t> hold_from(const std::vector<clock::Condition>& conditions, bool all,
                                           std::uint64_t from) const;
    bool hold_really(const std::vector<clock::Condition>& conditions, bool all) const;
    void note_event(Lock& lock);  // gives the lock back
    void wake_waiters_on(const Signal& signal);
    void wake_next_settler();

    // Settles up to `limit` or until `done`, whichever is first. Waits for whoever may still matter.
    void settle_until(Lock& lock, clock::ThreadClock* self, std::uint64_t limit, const std::function<bool()>& done);
    enum class Obstacle { None, Device, Thread };
    Obstacle obstacle_before(std::uint64_t target, const clock::ThreadClock* self) const;
    bool queue_may_act_before(const QueueTimes& queue, std::uint64_t target) const;
    bool copy_may_act_before(const WaitingCopy& copy, std::uint64_t target) const;
    bool thread_may_act_before(const clock::ThreadClock& thread, std::uint64_t target) const;
    bool head_gets_on(const QueueTimes& queue) const;
    bool depends_on_devices(const clock::ThreadClock& thread) const;

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    Timeline timeline_;
    std::atomic<std::uint64_t> settled_{clock::kEpoch};
    const Costs* costs_;
    std::vector<std::shared_ptr<QueueTimes>> queues_;
    std::map<CopyTicket, WaitingCopy> copies_;
    CopyTicket last_ticket_ = 0;
    std::unordered_map<const Signal*, History> histories_;
    std::unordered_map<OperationId, OpenOperation> open_;
    std::list<std::unique_ptr<clock::ThreadClock>> threads_;
    // Of all threads that wait for something that has happened and is not settled, one settles; the others sleep until
    // what they wait for is settled, or until it is their turn. Woken all at once they would do the same, one by one.
    clock::ThreadClock* settler_ = nullptr;
    // Threads that ended: which and when. Who made no call while they lived may have waited for them.
    struct Ended {
        std::uint64_t birth, time;
    };
    std::vector<Ended> ended_;
    std::atomic<std::uint64_t> births_{0};
    std::atomic<std::size_t> ended_count_{0};
};

}  // namespace vrocm::hsa
