#include "capture/calls/gate.h"

#include <chrono>
#include <new>

namespace rpl::capture {

namespace {

// A call of the runtime may make another through the tables: who is inside stays inside.
thread_local unsigned depth = 0;

}  // namespace

Gate& gate() {
    static auto* instance = new Gate;
    return *instance;
}

void Gate::enter() {
    if (depth++ > 0) return;
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !closed_; });
    ++inside_;
}

void Gate::leave() {
    if (--depth > 0) return;
    std::lock_guard lock(mutex_);
    if (--inside_ == 0 && closed_) changed_.notify_all();
}

bool Gate::close(double seconds) {
    std::unique_lock lock(mutex_);
    closed_ = true;
    if (changed_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return inside_ == 0; })) return true;
    closed_ = false;
    changed_.notify_all();
    return false;
}

void Gate::open() {
    std::lock_guard lock(mutex_);
    closed_ = false;
    changed_.notify_all();
}

void Gate::forget() {
    new (&mutex_) std::mutex;
    new (&changed_) std::condition_variable;
    inside_ = 0;
    closed_ = false;
}

}  // namespace rpl::capture
