// The helper thread that watches signals for handlers and runs them one after another.
#pragma once

#include <deque>
#include <functional>
#include <list>
#include <mutex>
#include <thread>

#include "hsa/signal/signal.h"
#include "hsa/time/clock.h"

namespace vrocm::hsa {

class AsyncEvents {
  public:
    ~AsyncEvents() { stop(); }
    void watch(Signal& signal, hsa_signal_condition_t condition, hsa_signal_value_t compare,
               hsa_amd_signal_handler handler, void* argument);
    // Runs on the helper thread as if it were a handler.
    void post(std::function<void()> function);
    // Ends the thread; handlers that have not run do not run any more.
    void stop();
    // Drops the handlers of a signal that is going away.
    void forget(Signal& signal);

  private:
    struct Handler {
        Signal* signal;
        hsa_signal_condition_t condition;
        hsa_signal_value_t compare;
        hsa_amd_signal_handler function;
        void* argument;
        bool running = false;
        std::uint64_t since = 0;  // virtual time of the call that asked for it
    };
    struct Posted {
        std::function<void()> function;
        std::uint64_t time;
    };
    void start();
    void run();
    bool run_one();
    void run_handler(Handler& handler, std::unique_lock<std::mutex>& lock, hsa_signal_value_t value, bool& again);
    void tell_what_is_waited_for();

    clock::ThreadClock* clock_ = nullptr;  // null when time is not virtual
    std::mutex mutex_;
    std::list<Handler> handlers_;
    std::deque<Posted> posted_;
    Notifier wake_;
    std::thread thread_;
    bool stopping_ = false;
};

}  // namespace vrocm::hsa
