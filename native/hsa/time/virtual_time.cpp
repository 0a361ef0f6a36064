#include "hsa/time/virtual_time.h"

#include <algorithm>
#include <chrono>
#include <new>

namespace vrocm::hsa {

using clock::Condition;
using clock::ThreadClock;

namespace {

constexpr std::size_t kChangesKept = 16;  // of a signal
constexpr std::uint64_t kCopiesKept = 4096;

std::uint64_t saturating_add(std::uint64_t a, std::uint64_t b) {
    return a + b < a ? ~std::uint64_t{0} : a + b;
}

bool holds(const Condition& c, hsa_signal_value_t value) {
    return satisfied(c.condition, value & c.mask, c.compare);
}

}  // namespace

VirtualTime& VirtualTime::get() {
    alignas(VirtualTime) static unsigned char storage[sizeof(VirtualTime)];
    static auto* instance = new (storage) VirtualTime;  // outlives static destructors, as threads may
    return *instance;
}

VirtualTime::VirtualTime()
    : timeline_([this](OperationId id, const OperationTimes& times) { operation_settled(id, times); }),
      costs_(&costs_of("")) {
    timeline_.advance(clock::kEpoch);
}

// ---- queues --------------------------------------------------------------------------------------------------------

std::shared_ptr<QueueTimes> VirtualTime::add_queue(unsigned pool, const Costs& costs, std::uint32_t size) {
    auto queue = std::make_shared<QueueTimes>();
    queue->pool = pool;
    queue->costs = &costs;
    queue->size = size;
    std::lock_guard lock(mutex_);
    queues_.push_back(queue);
    return queue;
}

void VirtualTime::remove_queue(QueueTimes& queue) {
    std::lock_guard lock(mutex_);
    std::erase_if(queues_, [&](const auto& q) { return q.get() == &queue; });
    changed_.notify_all();
}

void VirtualTime::submitted(QueueTimes& queue, std::uint64_t index, std::uint64_t number, bool barrier) {
    Lock lock(mutex_);
    const auto room = [&] { return index - std::min(index, queue.settled) < queue.size - queue.size / 16; };
    if (ThreadClock* self = clock::this_thread_if_host(); self && !room()) {
        settle_until(lock, self, Timeline::kNever, room);
        self->not_before(queue.last_seen);
    }
    const std::uint64_t time = clock::now();
    queue.pending.push_back({index, std::max(time, settled_time()), number, barrier});
    note_event(lock);
}

std::uint64_t VirtualTime::earliest_start(QueueTimes& queue) const {
    std::lock_guard lock(mutex_);
    const std::uint64_t asked = queue.pending.empty() ? settled_time() : queue.pending.front().time;
    return std::max(asked + queue.costs->doorbell, queue.chain_end) + queue.costs->dispatch;
}

void VirtualTime::blocked(QueueTimes& queue, std::vector<Condition> conditions, bool all) {
    std::lock_guard lock(mutex_);
    queue.blocked_by = std::move(conditions);
    queue.blocked_by_all = all;
    changed_.notify_all();
}

void VirtualTime::took_turn(QueueTimes& queue, bool waited, std::uint64_t workgroups) {
    std::lock_guard lock(mutex_);
    queue.waiting_turns = waited ? queue.waiting_turns + 1 : 0;
    if (queue.progress == 0 || queue.workgroups != workgroups) {
        queue.progress = clock::host_nanoseconds();
        queue.workgroups = workgroups;
    }
    if (waited) changed_.notify_all();
}

// The value of the signal has changed, or the time of a change is settled.
void VirtualTime::wake_waiters_on(const Signal& signal) {
    for (const auto& thread : threads_)
        if (thread->state == ThreadClock::State::Waiting &&
            std::any_of(thread->waits_for.begin(), thread->waits_for.end(),
                        [&](const Condition& c) { return c.signal == &signal; }))
            thread->woken.notify_one();
}

void VirtualTime::wake_next_settler() {
    for (const auto& thread : threads_)
        if (thread->state == ThreadClock::State::Waiting && hold_really(thread->waits_for, thread->waits_for_all))
            return thread->woken.notify_one();
}

// Something happened that a kernel may wait for: it gets time to notice.
void VirtualTime::note_event(Lock& lock) {
    for (const auto& queue : queues_) queue->waiting_turns = 0;
    lock.unlock();  // or who is woken would wait for the lock at once
    changed_.notify_all();
}

void VirtualTime::packet_done(QueueTimes& queue, Done done) {
    Lock lock(mutex_);
    Operation& o = done.operation;
    QueueTimes::Submission asked{0, settled_time(), 0, true};
    if (!queue.pending.empty()) {
        asked = queue.pending.front();
        queue.pending.pop_front();
    }
    queue.blocked_by.clear();
    queue.passed_over = false;
    queue.waiting_turns = 0;
    queue.progress = 0;
    o.submitted = asked.time;
    o.arrival = queue.costs->doorbell;
    o.idle_arrival = queue.costs->doorbell_idle;
    o.idle_after = queue.costs->idle_after;
    if (asked.barrier) {
        o.after_end = queue.open;
        o.previous = queue.last_seen;
    } else {
        if (queue.last) o.after_start.push_back(queue.last);
        o.previous = queue.last_start;
    }
    std::uint64_t chain = std::max(asked.time + o.arrival, queue.chain_end);
    for (Signal* signal : done.after) chain = std::max(chain, follow(*signal, o));
    chain += o.setup + o.work + o.finish;
    queue.chain_end = chain;
    std::shared_ptr<QueueTimes> shared;
    for (const auto& q : queues_)
        if (q.get() == &queue) shared = q;
    const OperationId id = add_operation(std::move(o), done, chain, shared);
    if (asked.barrier) queue.open.clear();  // it ends after all of them
    queue.open.push_back(id);
    queue.last = id;
    note_event(lock);
}

// ---- copies --------------------------------------------------------------------------------------------------------

VirtualTime::CopyTicket VirtualTime::copy_waits(std::vector<Signal*> after) {
    const std::uint64_t time = clock::now();
    std::lock_guard lock(mutex_);
    copies_[++last_ticket_] = {time, std::move(after)};
    return last_ticket_;
}

void VirtualTime::copy_done(CopyTicket ticket, std::uint64_t submitted, Done done) {
    Lock lock(mutex_);
    Operation& o = done.operation;
    o.submitted = submitted;
    std::uint64_t chain = submitted;
    for (Signal* signal : done.after) chain = std::max(chain, follow(*signal, o));
    chain += o.setup + o.work + o.finish;
    add_operation(std::move(o), done, chain, nullptr);
    copies_.erase(ticket);
    note_event(lock);
    // Nobody may ever ask for them: those that are over by now need not be kept.
    if (ThreadClock* self = clock::this_thread_if_host(); self && ++self->copies % kCopiesKept == 0) {
        lock.lock();
        settle_until(lock, self, self->time.load(), [] { return false; });
    }
}

// ---- operations ----------------------------------------------------------------------------------------------------

// The operation comes after whatever changed the signal. Gives the lower bound of when that was.
std::uint64_t VirtualTime::follow(Signal& signal, Operation& operation) const {
    const auto found = histories_.find(&signal);
    if (found == histories_.end()) return 0;
    std::uint64_t chain = found->second.forgotten;
    operation.previous = std::max(operation.previous, found->second.forgotten);
    for (const Change& change : found->second.changes) {
        if (change.operation)
            operation.after_end.push_back(change.operation);
        else
            operation.previous = std::max(operation.previous, change.time);
        chain = std::max(chain, change.chain);
    }
    return chain;
}

OperationId VirtualTime::add_operation(Operation&& operation, Done& done, std::uint64_t chain_end,
                                       const std::shared_ptr<QueueTimes>& queue) {
    const OperationId id = timeline_.add(operation);
    open_[id] = {queue, done.completion, done.profiled, done.copied, std::move(done.on_settled)};
    if (done.completion) {
        auto value = done.completion->value();
        const hsa_signal_value_t before = value.load();
        // Told to whoever waits by the caller, without the lock.
        const hsa_signal_value_t after = done.decrement < 0 ? -1 : before - done.decrement;
        auto& changes = histories_[done.completion].changes;
        changes.push_back({after - before, id, 0, chain_end});
        value.fetch_add(after - before);
        if (!settler_) wake_waiters_on(*done.completion);
    }
    return id;
}

void VirtualTime::operation_settled(OperationId id, const OperationTimes& times) {
    auto taken = open_.extract(id);
    if (taken.empty()) return;
    OpenOperation& o = taken.mapped();
    if (o.queue) {
        std::erase(o.queue->open, id);
        ++o.queue->settled;
        if (o.queue->last == id) o.queue->last = 0;
        o.queue->last_start = std::max(o.queue->last_start, times.start);
        o.queue->last_seen = std::max(o.queue->last_seen, times.seen);
    }
    if (o.on_settled) o.on_settled(times);
    const auto history = histories_.find(o.signal);
    if (history == histories_.end()) return;
    wake_waiters_on(*o.signal);
    for (Change& change : history->second.changes) {
        if (change.operation != id) continue;
        change.operation = 0;
        change.time = times.seen;
        if (o.profiled) {
            o.signal->amd.start_ts = times.start / clock::kTicksPerAgentTick;
            o.signal->amd.end_ts = std::max(times.end / clock::kTicksPerAgentTick, o.signal->amd.start_ts + 1);
            if (o.copied) o.signal->copied = 1;
        }
    }
}

// ---- signals -------------------------------------------------------------------------------------------------------

void VirtualTime::note_change(Signal& signal, bool replaces, hsa_signal_value_t delta) {
    const std::uint64_t time = clock::now();
    History& history = histories_[&signal];
    auto& changes = history.changes;
    if (replaces) {
        changes.clear();
        history.forgotten = 0;
    }
    while (changes.size() >= kChangesKept && changes.front().operation == 0) {
        history.forgotten = std::max(history.forgotten, changes.front().time);
        changes.erase(changes.begin());
    }
    changes.push_back({delta, 0, time, time});
    wake_waiters_on(signal);
}

void VirtualTime::forget(Signal& signal) {
    std::lock_guard lock(mutex_);
    histories_.erase(&signal);
}

hsa_signal_value_t VirtualTime::value_at(Signal& signal, std::uint64_t time) const {
    hsa_signal_value_t value = signal.load();
    const auto found = histories_.find(&signal);
    if (found == histories_.end()) return value;
    for (const Change& change : found->second.changes)
        if (change.operation || change.time > time) value -= change.delta;
    return value;
}

std::optional<std::uint64_t> VirtualTime::holds_from(const Condition& c, std::uint64_t from) const {
    from = std::max(from, c.since);
    if (holds(c, value_at(*c.signal, from))) return from;
    const auto found = histories_.find(c.signal);
    if (found == histories_.end()) return std::nullopt;
    std::optional<std::uint64_t> earliest;
    for (const Change& change : found->second.changes) {
        if (change.operation || change.time <= from || (earliest && change.time >= *earliest)) continue;
        if (holds(c, value_at(*c.signal, change.time))) earliest = change.time;
    }
    return earliest;
}

std::optional<std::uint64_t> VirtualTime::hold_from(const std::vector<Condition>& conditions, bool all,
                                                    std::uint64_t from) const {
    std::optional<std::uint64_t> result;
    for (const Condition& c : conditions) {
        const auto time = holds_from(c, from);
        if (all && !time) return std::nullopt;
        if (time && (!result || (all ? *time > *result : *time < *result))) result = time;
    }
    return result;
}

bool VirtualTime::hold_really(const std::vector<Condition>& conditions, bool all) const {
    const auto now = [](const Condition& c) { return holds(c, c.signal->load()); };
    return all ? std::all_of(conditions.begin(), conditions.end(), now)
               : std::any_of(conditions.begin(), conditions.end(), now);
}

hsa_signal_value_t VirtualTime::load(Signal& signal) {
    ThreadClock& self = clock::this_thread();
    Lock lock(mutex_);
    const std::uint64_t time = self.time.load();
    settle_until(lock, &self, time, [] { return false; });
    return value_at(signal, time);
}

bool VirtualTime::known_below_one(Signal& signal) {
    ThreadClock& self = clock::this_thread();
    std::lock_guard lock(mutex_);
    return value_at(signal, self.time.load()) < 1;
}

bool VirtualTime::wait(const std::vector<Condition>& conditions, bool all, std::uint64_t timeout,
                       std::vector<hsa_signal_value_t>& values) {
    ThreadClock& self = clock::this_thread();
    const std::uint64_t began = clock::host_nanoseconds(), from = self.time.load();
    const std::uint64_t deadline = saturating_add(from, timeout);
    Lock lock(mutex_);
    self.waits_for = conditions;
    self.waits_for_all = all;
    self.state = ThreadClock::State::Waiting;
    changed_.notify_all();
    std::optional<std::uint64_t> due;
    const auto found = [&] { return (due = hold_from(conditions, all, from)).has_value(); };
    Poll poll;
    bool abandoned = false;
    while (!found()) {
        if (!settler_ && hold_really(conditions, all)) {
            settler_ = &self;
            settle_until(lock, &self, deadline, found);
            settler_ = nullptr;
        }
        if (due) break;
        const std::uint64_t spent = clock::host_nanoseconds() - began;
        if ((abandoned = waits_abandoned())) break;
        if (spent >= timeout) {
            settle_until(lock, &self, deadline, found);
            break;
        }
        self.woken.wait_for(lock, std::chrono::nanoseconds(std::min(poll.next(), timeout - spent)));
    }
    self.state = ThreadClock::State::Active;
    self.waits_for.clear();
    if (!settler_) wake_next_settler();
    self.last_seen.store(clock::host_nanoseconds());
    const bool in_time = due && *due <= deadline;
    if (in_time && *due > from)
        self.not_before(*due + costs_->wake_up);
    else if (!in_time && !abandoned)
        self.not_before(deadline);
    const std::uint64_t seen_at = in_time ? *due : std::max(from, deadline);
    values.clear();
    for (const Condition& c : conditions)
        values.push_back(abandoned && !in_time ? c.signal->load() : value_at(*c.signal, seen_at));
    return in_time;
}

void VirtualTime::wait_until_due(const Condition& condition) {
    ThreadClock& self = clock::this_thread();
    Lock lock(mutex_);
    const std::uint64_t from = self.time.load();
    std::optional<std::uint64_t> due;
    const auto found = [&] { return (due = holds_from(condition, from)).has_value(); };
    if (!found()) settle_until(lock, &self, Timeline::kNever, found);
    self.not_before(std::max(from, due.value_or(settled_time())) + costs_->handler);
    self.state = ThreadClock::State::Active;
    self.last_seen.store(clock::host_nanoseconds());
}

void VirtualTime::settle(Signal& signal) {
    ThreadClock& self = clock::this_thread();
    Lock lock(mutex_);
    const auto settled = [&] {
        const auto found = histories_.find(&signal);
        if (found == histories_.end()) return true;
        const auto& changes = found->second.changes;
        return std::none_of(changes.begin(), changes.end(), [](const Change& c) { return c.operation != 0; });
    };
    if (settled()) return;
    settle_until(lock, &self, Timeline::kNever, settled);
    // Who knows the end of something has lived to see it.
    std::uint64_t latest = 0;
    for (const Change& change : histories_[&signal].changes) latest = std::max(latest, change.time);
    self.not_before(latest);
}

}  // namespace vrocm::hsa
