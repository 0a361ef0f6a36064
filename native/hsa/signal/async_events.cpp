#include "hsa/signal/async_events.h"

#include <pthread.h>

#include "hsa/signal/poll_loop.h"
#include "hsa/time/virtual_time.h"

namespace vrocm::hsa {

void AsyncEvents::start() {
    if (thread_.joinable() || stopping_) return;
    add_watch_target(wake_);
    if (clock::is_virtual()) clock_ = clock::make_service();
    thread_ = std::thread([this] {
        clock::bind_service(clock_);
        run();
    });
    pthread_setname_np(thread_.native_handle(), "vrocm-events");
}

void AsyncEvents::watch(Signal& signal, hsa_signal_condition_t condition, hsa_signal_value_t compare,
                        hsa_amd_signal_handler handler, void* argument) {
    {
        std::lock_guard lock(mutex_);
        signal.watchers.fetch_add(1);
        handlers_.push_back({&signal, condition, compare, handler, argument, false, clock::now()});
        start();
        tell_what_is_waited_for();
    }
    wake_.wake();
}

void AsyncEvents::post(std::function<void()> function) {
    {
        std::lock_guard lock(mutex_);
        const std::uint64_t time = clock::now();
        posted_.push_back({std::move(function), time});
        start();
        if (clock_) VirtualTime::get().service_began(*clock_, time);
    }
    wake_.wake();
}

void AsyncEvents::forget(Signal& signal) {
    std::lock_guard lock(mutex_);
    for (auto it = handlers_.begin(); it != handlers_.end();) {
        if (it->signal == &signal && !it->running) {
            signal.watchers.fetch_sub(1);
            it = handlers_.erase(it);
        } else {
            if (it->signal == &signal) it->signal = nullptr;  // its handler destroys the signal
            ++it;
        }
    }
    tell_what_is_waited_for();
}

void AsyncEvents::stop() {
    {
        std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    wake_.wake();
    if (!thread_.joinable()) return;
    if (thread_.get_id() == std::this_thread::get_id())
        thread_.detach();  // the runtime is shut down from a handler
    else
        thread_.join();
    remove_watch_target(wake_);
    for (const Handler& handler : handlers_)
        if (handler.signal) handler.signal->watchers.fetch_sub(1);
    handlers_.clear();
    if (clock_) clock::end_service(clock_);
    clock_ = nullptr;
}

// While no handler runs: others need not wait for this thread until one of the conditions holds.
void AsyncEvents::tell_what_is_waited_for() {
    if (!clock_) return;
    std::vector<clock::Condition> conditions;
    for (const Handler& h : handlers_) {
        if (h.running) return;
        conditions.push_back(
            {.signal = h.signal, .condition = h.condition, .compare = h.compare, .mask = ~0ll, .since = h.since});
    }
    VirtualTime::get().service_waits(*clock_, std::move(conditions));
}

void AsyncEvents::run_handler(Handler& handler, std::unique_lock<std::mutex>& lock, hsa_signal_value_t value,
                              bool& again) {
    const clock::Condition condition{.signal = handler.signal,
                                     .condition = handler.condition,
                                     .compare = handler.compare,
                                     .mask = ~0ll,
                                     .since = handler.since};
    handler.running = true;
    lock.unlock();
    if (clock_) VirtualTime::get().wait_until_due(condition);
    again = handler.function(value, handler.argument);
    lock.lock();
}

// Runs the first function or handler that is due; false when none is.
bool AsyncEvents::run_one() {
    std::unique_lock lock(mutex_);
    if (stopping_) return false;
    if (!posted_.empty()) {
        const Posted posted = std::move(posted_.front());
        posted_.pop_front();
        lock.unlock();
        if (clock_) VirtualTime::get().service_began(*clock_, posted.time);
        posted.function();
        lock.lock();
        tell_what_is_waited_for();
        return true;
    }
    for (auto it = handlers_.begin(); it != handlers_.end(); ++it) {
        const hsa_signal_value_t value = it->signal->load();
        if (!satisfied(it->condition, value, it->compare)) continue;
        bool again;
        run_handler(*it, lock, value, again);
        if (again && it->signal) {
            it->running = false;
            handlers_.splice(handlers_.end(), handlers_, it);  // others first: handlers may stay satisfied
        } else {
            if (it->signal) it->signal->watchers.fetch_sub(1);
            handlers_.erase(it);
        }
        tell_what_is_waited_for();
        return true;
    }
    return false;
}

void AsyncEvents::run() {
    poll_loop(
        wake_, [this] { return run_one(); },
        [this] {
            std::lock_guard lock(mutex_);
            if (stopping_) return Waiting::NoMore;
            return handlers_.empty() ? Waiting::ForWork : Waiting::ForSignals;
        });
}

}  // namespace vrocm::hsa
