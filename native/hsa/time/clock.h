// All time that clients of the runtime can see. Virtual unless VROCM_TIMING=off: see docs/how-it-works/time.md.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <optional>
#include <vector>

#include "abi/hsa/hsa.h"
#include "abi/vrocm/clock.h"

namespace vrocm::hsa {
struct Signal;
}

namespace vrocm::hsa::clock {

// Whether kernels are timed (VROCM_TIMING, see sim/timing/mode.h): then all clocks follow the timing model.
bool is_virtual();

// Ticks of the system clock (HSA_SYSTEM_INFO_TIMESTAMP) and their rate in Hz: the calling thread's time.
std::uint64_t now();
constexpr std::uint64_t kFrequency = 1'000'000'000;
// Virtual time when the process begins, the same in every run. Not 0, so that no timestamp looks like "none".
constexpr std::uint64_t kEpoch = 1'000'000'000'000;

// GPUs count at 100 MHz, as the shader clock counter of MI200 and MI300 does (s_memrealtime).
constexpr std::uint64_t kAgentFrequency = 100'000'000;
constexpr std::uint64_t kTicksPerAgentTick = kFrequency / kAgentFrequency;
std::uint64_t agent_now();
inline std::uint64_t agent_to_system(std::uint64_t agent_tick) {
    return agent_tick * kTicksPerAgentTick;
}

// How long a wait may sleep: the host's time, never the virtual one.
std::uint64_t host_nanoseconds();

// A condition on the value of a signal.
struct Condition {
    Signal* signal = nullptr;
    hsa_signal_condition_t condition = HSA_SIGNAL_CONDITION_EQ;
    hsa_signal_value_t compare = 0;
    hsa_signal_value_t mask = ~hsa_signal_value_t{0};
    std::uint64_t since = 0;  // asked from this time on
};

// The clock of one host thread. `time` is its own; the rest is guarded by VirtualTime's lock.
struct ThreadClock {
    enum class State {
        Active,   // may do something at its time
        Waiting,  // will go on when one of `waits_for` (or all) holds
        Idle,     // a service thread with nothing to do
    };
    std::atomic<std::uint64_t> time{kEpoch};
    std::atomic<std::uint64_t> last_seen{0};  // host time of its last call
    State state = State::Active;
    std::vector<Condition> waits_for;
    bool waits_for_all = false;
    std::optional<std::uint64_t> held_at;  // it waits for a device to act before this time
    std::condition_variable woken;  // while it waits: one of the signals has changed, or it is its turn to settle
    bool service = false;
    std::atomic<int> tid{0};  // the system's number of the thread
    // What is known of a thread that has not called for a while: after which call, and its processor time then.
    mutable std::uint64_t watched_since = 0, watched_cpu = 0;
    // The thread's own.
    unsigned depth = 0;             // of API calls
    unsigned failed_queries = 0;    // in a row
    std::uint64_t first_query = 0;  // when they began
    std::uint64_t births_seen = 0;  // threads that existed at its last call
    std::uint64_t birth = 0;
    std::uint64_t copies = 0;  // asked for

    void advance(std::uint64_t nanoseconds) { time.store(time.load(std::memory_order_relaxed) + nanoseconds); }
    void not_before(std::uint64_t t) {
        if (time.load(std::memory_order_relaxed) < t) time.store(t);
    }
};

// The calling thread's clock. A thread that calls for the first time starts where the one farthest behind is.
ThreadClock& this_thread();
ThreadClock* this_thread_if_host();  // null for a thread of a device
// The calling thread belongs to a GPU: it has no clock, its time is what is settled.
void is_device_thread();
// A service thread: made idle, bound to the thread that serves, ended.
ThreadClock* make_service();
void bind_service(ThreadClock* service);
void end_service(ThreadClock* service);

// While it lives the thread is in a public function.
class ChargedCall {
  public:
    explicit ChargedCall(vrocm_clock_cost cost) : charged_(is_virtual()) {
        if (charged_) begin(cost);
    }
    ~ChargedCall() {
        if (charged_) end();
    }
    ChargedCall(const ChargedCall&) = delete;
    ChargedCall& operator=(const ChargedCall&) = delete;
    static void begin(vrocm_clock_cost cost);
    static void end();

  private:
    const bool charged_;
};

// The question was answered "not yet"; see vrocm_clock_query_failed.
void query_failed();

// In a child process: only the calling thread is left.
void after_fork();

}  // namespace vrocm::hsa::clock
