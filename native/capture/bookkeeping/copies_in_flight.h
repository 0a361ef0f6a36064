// Asynchronous copies that were asked for and may not have ended.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "capture/bookkeeping/dependencies.h"

namespace rpl::capture {

class CopiesInFlight {
  public:
    // Before the copy is given to the runtime; `refused` takes the last one of that signal back.
    void submitting(hsa_signal_t completion, const Dependencies& after, const void* to, std::uint64_t bytes);
    void refused(hsa_signal_t completion);
    // The application set the signal anew or destroyed it: the copies whose end it told are over.
    void signal_reset(hsa_signal_t signal) {
        if (count_.load(std::memory_order_relaxed)) forget(signal, false);
    }
    // The signal is about to change: the copies that it says have ended have ended.
    void signal_changing(hsa_signal_t signal) {
        if (count_.load(std::memory_order_relaxed)) look(signal);
    }
    // A dependency that is destroyed was satisfied before.
    void signal_gone(hsa_signal_t signal) {
        if (count_.load(std::memory_order_relaxed)) forget(signal, true);
    }

    struct State {
        unsigned running = 0, held = 0;
        std::string running_one;  // in words
    };
    State state();

  private:
    struct Copy {
        hsa_signal_value_t value = 0;  // of the signal, when it was submitted
        Dependencies after;
        const void* to = nullptr;
        std::uint64_t bytes = 0;
    };
    using Copies = std::vector<Copy>;
    void forget(hsa_signal_t signal, bool as_dependency);
    void look(hsa_signal_t signal);
    static void drop_ended(hsa_signal_t signal, Copies& copies);

    std::mutex mutex_;
    std::unordered_map<std::uint64_t, Copies> by_signal_;  // by the signal that tells of their end; none is empty
    std::atomic<std::size_t> count_{0};                    // of signals
};

CopiesInFlight& copies_in_flight();

}  // namespace rpl::capture
