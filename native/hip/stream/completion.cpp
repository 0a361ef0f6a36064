#include "hip/stream/completion.h"

#include <deque>
#include <mutex>

#include "abi/hsa/hsa_ext_amd.h"
#include "abi/vrocm/clock.h"
#include "hip/device/fault.h"
#include "hip/error.h"

namespace vrocm::hip {

namespace {

// Oldest first. Whether one can be used again is asked in virtual time, so that the calls a program makes do not
// depend on how fast the GPU runs here.
struct SignalPool {
    std::mutex mutex;
    std::deque<hsa_signal_t> free;

    hsa_signal_t take() {
        {
            std::lock_guard lock(mutex);
            if (!free.empty() && vrocm_clock_known_done(free.front())) {
                hsa_signal_t signal = free.front();
                free.pop_front();
                hsa_signal_store_relaxed(signal, 1);
                vrocm_clock_begin_anew(signal);
                return signal;
            }
        }
        hsa_signal_t signal;
        require_hsa(hsa_signal_create(1, 0, nullptr, &signal));
        return signal;
    }
    void give(hsa_signal_t signal) {
        std::lock_guard lock(mutex);
        free.push_back(signal);
    }
};

SignalPool& pool() {
    static SignalPool* instance = new SignalPool;  // outlives every static destructor of the program
    return *instance;
}

std::uint64_t ticks_per_second() {
    static const std::uint64_t frequency = [] {
        std::uint64_t value = 0;
        hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY, &value);
        return value ? value : 1'000'000'000;
    }();
    return frequency;
}

}  // namespace

bool Completion::done() const {
    return hsa_signal_load_scacquire(signal) < 1;
}

bool Completion::known_done() const {
    return vrocm_clock_known_done(signal) != 0;
}

bool Completion::really_done() const {
    return vrocm_clock_really_done(signal) != 0;
}

bool Completion::failed() const {
    return hsa_signal_load_scacquire(signal) < 0;
}

void Completion::wait() const {
    // Returns early only after a fault: see on_queue_error.
    while (hsa_signal_wait_scacquire(signal, HSA_SIGNAL_CONDITION_LT, 1, UINT64_MAX, HSA_WAIT_STATE_BLOCKED) >= 1)
        if (sticky_error() != hipSuccess) return;
}

void Completion::times(std::uint64_t& start, std::uint64_t& end) const {
    start = host_start;
    end = host_end;
    if (kind == Kind::Dispatch) {
        hsa_amd_profiling_dispatch_time_t time{};
        if (hsa_amd_profiling_get_dispatch_time(agent, signal, &time) == HSA_STATUS_SUCCESS) {
            start = time.start;
            end = time.end;
        }
    } else if (kind == Kind::Copy) {
        hsa_amd_profiling_async_copy_time_t time{};
        if (hsa_amd_profiling_get_async_copy_time(signal, &time) == HSA_STATUS_SUCCESS) {
            start = time.start;
            end = time.end;
        }
    }
}

void Completion::finish() {
    host_end = now_ticks();
    hsa_signal_store_screlease(signal, 0);
}

CompletionPtr make_completion(Completion::Kind kind, hsa_agent_t agent) {
    auto* made = new Completion;
    CompletionPtr completion(made, [](Completion* ended) {
        if (ended->signal.handle) pool().give(ended->signal);
        delete ended;
    });
    made->signal = pool().take();
    made->kind = kind;
    made->agent = agent;
    return completion;
}

std::uint64_t now_ticks() {
    std::uint64_t ticks = 0;
    hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP, &ticks);
    return ticks;
}

double ticks_to_milliseconds(std::uint64_t ticks) {
    return static_cast<double>(ticks) * 1000.0 / static_cast<double>(ticks_per_second());
}

}  // namespace vrocm::hip
