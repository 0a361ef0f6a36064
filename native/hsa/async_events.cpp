#include "hsa/async_events.h"

#include <pthread.h>

namespace vrocm::hsa {

namespace {
constexpr std::uint64_t kIdle = 1'000'000'000;  // ns; nothing to watch
}

void AsyncEvents::start() {
    if (thread_.joinable() || stopping_) return;
    add_watch_target(wake_);
    thread_ = std::thread([this] { run(); });
    pthread_setname_np(thread_.native_handle(), "vrocm-events");
}

void AsyncEvents::watch(Signal& signal, hsa_signal_condition_t condition, hsa_signal_value_t compare,
                        hsa_amd_signal_handler handler, void* argument) {
    {
        std::lock_guard lock(mutex_);
        signal.watchers.fetch_add(1);
        handlers_.push_back({&signal, condition, compare, handler, argument});
        start();
    }
    wake_.wake();
}

void AsyncEvents::post(std::function<void()> function) {
    {
        std::lock_guard lock(mutex_);
        posted_.push_back(std::move(function));
        start();
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
}

// Runs the first function or handler that is due; false when none is.
bool AsyncEvents::run_one() {
    std::unique_lock lock(mutex_);
    if (stopping_) return false;
    if (!posted_.empty()) {
        auto function = std::move(posted_.front());
        posted_.pop_front();
        lock.unlock();
        function();
        return true;
    }
    for (auto it = handlers_.begin(); it != handlers_.end(); ++it) {
        const hsa_signal_value_t value = it->signal->load();
        if (!satisfied(it->condition, value, it->compare)) continue;
        it->running = true;
        lock.unlock();
        const bool again = it->function(value, it->argument);
        lock.lock();
        if (again && it->signal) {
            it->running = false;
            handlers_.splice(handlers_.end(), handlers_, it);  // others first: handlers may stay satisfied
        } else {
            if (it->signal) it->signal->watchers.fetch_sub(1);
            handlers_.erase(it);
        }
        return true;
    }
    return false;
}

void AsyncEvents::run() {
    std::uint64_t poll = kShortestPoll;
    for (;;) {
        Notifier::Ticket ticket(wake_);
        if (run_one()) {
            poll = kShortestPoll;
            continue;
        }
        bool watching;
        {
            std::lock_guard lock(mutex_);
            if (stopping_) return;
            watching = !handlers_.empty();
        }
        ticket.wait(watching ? poll : kIdle);
        poll = std::min(poll * 2, kLongestPoll);
    }
}

}  // namespace vrocm::hsa
