// How far virtual time may be settled: who could still do something at an earlier time, and waiting for them.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <new>

#include "hsa/time/virtual_time.h"

namespace vrocm::hsa {

using clock::Condition;
using clock::ThreadClock;

namespace {

// A thread that has not called for so long (host time) computes, sleeps or waits for something else: it does not
// hold the others back any more. Single-threaded programs never come to this.
constexpr std::uint64_t kSilence = 5'000'000;
constexpr std::uint64_t kComputing = 20'000'000;  // processor time, which is known in steps of 10 ms
// The same for threads that seem about to act and do not.
constexpr std::uint64_t kThreadPatience = 2'000'000'000;
// Turns in which a kernel does nothing but wait, after the last event it could wait for, until it is taken as
// waiting for the host; and the time after which a kernel that spins unseen is.
constexpr unsigned kWaitingTurns = 32;
constexpr std::uint64_t kSpinning = 30'000'000'000;
constexpr auto kDevicePoll = std::chrono::milliseconds(1);
constexpr auto kThreadPoll = std::chrono::microseconds(50);

// State and processor time (ns) of a thread of this process.
bool inspect(int tid, char& state, std::uint64_t& cpu) {
    char path[64], text[512];
    std::snprintf(path, sizeof path, "/proc/self/task/%d/stat", tid);
    FILE* file = std::fopen(path, "re");
    if (!file) return false;
    const std::size_t size = std::fread(text, 1, sizeof text - 1, file);
    std::fclose(file);
    text[size] = 0;
    const char* after_name = std::strrchr(text, ')');
    unsigned long user = 0, system = 0;
    if (!after_name ||
        std::sscanf(after_name + 1, " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &state, &user, &system) != 3)
        return false;
    cpu = (user + system) * (1'000'000'000u / static_cast<std::uint64_t>(sysconf(_SC_CLK_TCK)));
    return true;
}

// A thread that only waits for a processor is not silent, however long that takes on a busy host: it must sleep, or
// have computed for a while without calling.
bool is_silent(const ThreadClock& thread) {
    const std::uint64_t last_call = thread.last_seen.load();
    if (clock::host_nanoseconds() - last_call < kSilence) return false;
    char state = 0;
    std::uint64_t cpu = 0;
    if (!inspect(thread.tid.load(), state, cpu)) return true;
    if (thread.watched_since != last_call) {
        thread.watched_since = last_call;
        thread.watched_cpu = cpu;
    }
    return state != 'R' || cpu - thread.watched_cpu >= kComputing;
}

}  // namespace

void VirtualTime::settle_until(Lock& lock, ThreadClock* self, std::uint64_t limit, const std::function<bool()>& done) {
    std::uint64_t thread_wait = 0;
    while (!done() && timeline_.now() < limit) {
        const std::uint64_t target = std::min(timeline_.next_event(), limit);
        Obstacle obstacle = obstacle_before(target, self);
        if (obstacle == Obstacle::Thread) {
            const std::uint64_t now = clock::host_nanoseconds();
            if (thread_wait == 0) thread_wait = now;
            if (now - thread_wait > kThreadPatience) obstacle = Obstacle::None;
        }
        switch (obstacle) {
            case Obstacle::None:
                if (target == Timeline::kNever) return;  // nothing is going on
                timeline_.advance(target);
                settled_.store(timeline_.now(), std::memory_order_relaxed);
                break;
            case Obstacle::Device:
                self->held_at = target;
                changed_.wait_for(lock, kDevicePoll);
                self->held_at.reset();
                break;
            case Obstacle::Thread:
                changed_.wait_for(lock, kThreadPoll);
                break;
        }
    }
}

VirtualTime::Obstacle VirtualTime::obstacle_before(std::uint64_t target, const ThreadClock* self) const {
    for (const auto& queue : queues_)
        if (queue_may_act_before(*queue, target)) return Obstacle::Device;
    for (const auto& [ticket, copy] : copies_)
        if (copy_may_act_before(copy, target)) return Obstacle::Device;
    for (const auto& thread : threads_)
        if (thread.get() != self && thread_may_act_before(*thread, target)) return Obstacle::Thread;
    return Obstacle::None;
}

// Whether the packet at its head may start before the target and has not been carried out. A packet that follows
// one that is not settled starts after the next event, so it is no concern before that.
bool VirtualTime::queue_may_act_before(const QueueTimes& queue, std::uint64_t target) const {
    if (queue.pending.empty()) return false;
    const QueueTimes::Submission& head = queue.pending.front();
    std::uint64_t earliest = head.time + queue.costs->doorbell;
    if (head.barrier) {
        if (!queue.open.empty()) return false;
        earliest = std::max(earliest, queue.last_seen);
    } else if (queue.last) {
        if (!timeline_.started(queue.last)) return false;
        earliest = std::max(earliest, queue.last_start);
    }
    if (earliest >= target) return false;
    // Blocked by a signal: whoever changes that comes first, and is looked at for itself.
    if (!queue.blocked_by.empty() && !hold_really(queue.blocked_by, queue.blocked_by_all)) return false;
    if (queue.waiting_turns >= kWaitingTurns) return false;
    return queue.progress == 0 || clock::host_nanoseconds() - queue.progress < kSpinning;
}

bool VirtualTime::copy_may_act_before(const WaitingCopy& copy, std::uint64_t target) const {
    if (copy.time >= target) return false;
    return std::all_of(copy.after.begin(), copy.after.end(), [](Signal* s) { return s->load() == 0; });
}

bool VirtualTime::thread_may_act_before(const ThreadClock& thread, std::uint64_t target) const {
    switch (thread.state) {
        case ThreadClock::State::Idle:
            return false;
        case ThreadClock::State::Waiting: {
            if (!hold_really(thread.waits_for, thread.waits_for_all)) return false;
            const auto due = hold_from(thread.waits_for, thread.waits_for_all, thread.time.load());
            return due && *due < target;
        }
        case ThreadClock::State::Active:
            break;
    }
    return thread.time.load() < target && !is_silent(thread);
}

// ---- the order in which devices serve their queues
// -------------------------------------------------------------------

// Whether the packet at its head will be carried out without anybody else doing something.
bool VirtualTime::head_gets_on(const QueueTimes& queue) const {
    return !queue.pending.empty() && (queue.blocked_by.empty() || hold_really(queue.blocked_by, queue.blocked_by_all));
}

// Whether the thread does nothing until a device has done something.
bool VirtualTime::depends_on_devices(const ThreadClock& thread) const {
    if (thread.held_at) return obstacle_before(*thread.held_at, &thread) == Obstacle::Device;
    switch (thread.state) {
        case ThreadClock::State::Idle:
            return true;
        case ThreadClock::State::Waiting:
            return !hold_really(thread.waits_for, thread.waits_for_all);
        case ThreadClock::State::Active:
            break;
    }
    return is_silent(thread);
}

bool VirtualTime::may_overtake(QueueTimes& queue) {
    std::lock_guard lock(mutex_);
    if (queue.pending.empty()) return false;
    queue.passed_over = true;
    for (const auto& other : queues_)
        if (other->pool != queue.pool && head_gets_on(*other) &&
            (!other->passed_over || other->pending.front().number < queue.pending.front().number))
            return false;
    for (const auto& [ticket, copy] : copies_)
        if (copy_may_act_before(copy, Timeline::kNever)) return false;
    return std::all_of(threads_.begin(), threads_.end(), [this](const auto& t) { return depends_on_devices(*t); });
}

// ---- threads -------------------------------------------------------------------------------------------------------

ThreadClock* VirtualTime::thread_began(bool service) {
    auto made = std::make_unique<ThreadClock>();
    made->service = service;
    made->last_seen = clock::host_nanoseconds();
    std::lock_guard lock(mutex_);
    // The thread that made this one has most likely done nothing since.
    std::uint64_t begin = Timeline::kNever;
    for (const auto& thread : threads_)
        if (!thread->service) begin = std::min(begin, thread->time.load());
    made->time = begin == Timeline::kNever ? std::max(clock::kEpoch, settled_time()) : begin;
    if (service) made->state = ThreadClock::State::Idle;
    made->birth = ++births_;
    made->births_seen = made->birth;
    threads_.push_back(std::move(made));
    return threads_.back().get();
}

void VirtualTime::thread_ended(ThreadClock* thread) {
    std::lock_guard lock(mutex_);
    if (!thread->service) {
        ended_.push_back({thread->birth, thread->time.load()});
        ended_count_ = ended_.size();
    }
    std::erase_if(threads_, [&](const auto& t) { return t.get() == thread; });
    changed_.notify_all();
}

void VirtualTime::thread_called(ThreadClock& thread) {
    thread.last_seen.store(clock::host_nanoseconds(), std::memory_order_relaxed);
    const std::uint64_t births = births_.load(std::memory_order_relaxed);
    if (ended_count_.load(std::memory_order_relaxed)) {
        std::lock_guard lock(mutex_);
        // A thread that began and ended since this one's last call: this one has waited for it.
        for (const Ended& other : ended_)
            if (other.birth > thread.births_seen) thread.not_before(other.time);
        std::uint64_t seen_by_all = births;
        for (const auto& t : threads_)
            if (!t->service && t.get() != &thread) seen_by_all = std::min(seen_by_all, t->births_seen);
        std::erase_if(ended_, [&](const Ended& other) { return other.birth <= seen_by_all; });
        ended_count_ = ended_.size();
        thread.births_seen = births;
        return;
    }
    thread.births_seen = births;
}

void VirtualTime::service_began(ThreadClock& service, std::uint64_t time) {
    std::lock_guard lock(mutex_);
    service.not_before(time);
    service.state = ThreadClock::State::Active;
    service.last_seen = clock::host_nanoseconds();
}

void VirtualTime::service_idle(ThreadClock& service) {
    std::lock_guard lock(mutex_);
    service.state = ThreadClock::State::Idle;
    changed_.notify_all();
}

void VirtualTime::service_waits(ThreadClock& service, std::vector<Condition> conditions) {
    std::lock_guard lock(mutex_);
    service.waits_for = std::move(conditions);
    service.waits_for_all = false;
    service.state = service.waits_for.empty() ? ThreadClock::State::Idle : ThreadClock::State::Waiting;
    changed_.notify_all();
}

// ---- ends ----------------------------------------------------------------------------------------------------------

void VirtualTime::settle_all() {
    std::lock_guard lock(mutex_);
    while (timeline_.next_event() != Timeline::kNever) timeline_.advance(timeline_.next_event());
    settled_.store(timeline_.now());
}

void VirtualTime::runtime_ends() {
    settle_all();
    std::lock_guard lock(mutex_);
    histories_.clear();
    open_.clear();
}

void VirtualTime::after_fork(ThreadClock* self) {
    new (&mutex_) std::mutex;
    new (&changed_) std::condition_variable;
    // Those that waited on one are not here: to destroy it would be to wait for them.
    for (const auto& thread : threads_) new (&thread->woken) std::condition_variable;
    settler_ = nullptr;
    timeline_.clear();
    queues_.clear();
    copies_.clear();
    histories_.clear();
    open_.clear();
    ended_.clear();
    ended_count_ = 0;
    threads_.remove_if([self](const auto& thread) { return thread.get() != self; });
}

}  // namespace vrocm::hsa
