// Signals. The handle of a signal is the address of its amd_signal_t, which kernels may read and update.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

#include "abi/hsa/amd_hsa_signal.h"
#include "abi/hsa/hsa_ext_amd.h"
#include "hsa/signal/notifier.h"

namespace vrocm::hsa {

// What a store to a doorbell signal reaches.
class Doorbell {
  public:
    virtual void ring(std::uint64_t value) = 0;

  protected:
    ~Doorbell() = default;
};

// Bytes 64.. follow the part that the ABI defines. An IPC signal lies in memory shared between processes, so
// nothing here may point into one of them, except `doorbell`, which such a signal does not have.
struct alignas(128) Signal {
    amd_signal_t amd;
    std::atomic<std::uint32_t> magic;
    std::atomic<std::uint32_t> waiters;   // threads asleep on the low half of the value
    std::atomic<std::uint32_t> watchers;  // waits on several signals, handlers and queues that depend on it
    std::uint32_t shared;                 // lies in shared memory
    Doorbell* doorbell;
    std::int64_t doorbell_value;  // where hardware_doorbell_ptr points for a doorbell signal
    std::uint64_t copied;         // 1 after an asynchronous copy used it with profiling on

    static constexpr std::uint32_t kMagic = 0x5167a100;

    hsa_signal_t handle() const { return {reinterpret_cast<std::uint64_t>(this)}; }
    bool is_doorbell() const { return amd.kind == AMD_SIGNAL_KIND_DOORBELL; }
    std::atomic_ref<std::int64_t> value() {
        return std::atomic_ref(is_doorbell() ? doorbell_value : const_cast<std::int64_t&>(amd.value));
    }
    hsa_signal_value_t load() { return value().load(); }
    // What to do after a change of the value. The moment the value has changed, a waiter may destroy the signal and
    // another may be made in its place: what is needed afterwards is read before.
    class Change {
      public:
        explicit Change(Signal& signal) : signal_(signal), bell_(signal.doorbell), in_shared_memory_(signal.shared) {}
        void tell() { signal_.notify(bell_, in_shared_memory_); }

      private:
        Signal& signal_;
        Doorbell* const bell_;
        const bool in_shared_memory_;
    };
    // Changes the value on behalf of the calling thread and tells whoever waits.
    template <typename F>
    hsa_signal_value_t update(F&& change) {
        Change after(*this);
        const hsa_signal_value_t result = change(value());
        after.tell();
        return result;
    }
    void store(hsa_signal_value_t v) {
        update([v](auto ref) {
            ref.store(v);
            return v;
        });
    }
    void subtract(hsa_signal_value_t v) {
        update([v](auto ref) { return ref.fetch_sub(v); });
    }

  private:
    void notify(Doorbell* bell, bool in_shared_memory);
};
static_assert(sizeof(Signal) == 128);

inline Signal* signal_at(hsa_signal_t handle) {
    return reinterpret_cast<Signal*>(handle.handle);
}

bool satisfied(hsa_signal_condition_t condition, hsa_signal_value_t value, hsa_signal_value_t compare);

// Waits on one signal; the value seen last is returned, whether or not the condition holds.
hsa_signal_value_t wait_signal(Signal& signal, hsa_signal_condition_t condition, hsa_signal_value_t compare,
                               std::uint64_t timeout_ticks);

// From now on waits return although what they wait for does not hold: a queue that would have brought it about has
// failed. Who waits finds out when it looks by itself.
void abandon_waits();
bool waits_abandoned();

// Marks signals as watched while it lives, so that changes reach signal_watch().
class Watch {
  public:
    Watch() = default;
    ~Watch() { clear(); }
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;
    void add(Signal& signal);
    void clear();

  private:
    std::vector<Signal*> signals_;
};

// Woken when a watched signal changes: the global sleeper of waits on several signals, and any that register.
Notifier& signal_watch();
void add_watch_target(Notifier& notifier);
void remove_watch_target(Notifier& notifier);
void forget_waits();  // in a child process: it has none of the threads that wait

// A kernel that stores to a signal wakes nobody, so a wait looks again after this long.
constexpr std::uint64_t kShortestPoll = 50'000, kLongestPoll = 1'000'000;  // ns

// How long a thread that waits sleeps until it looks by itself: the longer it has waited, the longer, and the more
// threads wait, the longer, so that together they look about as often as a few.
class Poll {
  public:
    Poll() { waiting_.fetch_add(1, std::memory_order_relaxed); }
    ~Poll() { waiting_.fetch_sub(1, std::memory_order_relaxed); }
    Poll(const Poll&) = delete;
    Poll& operator=(const Poll&) = delete;
    void begin_anew() { interval_ = kShortestPoll; }
    std::uint64_t next() {
        const std::uint64_t now = interval_;
        interval_ = std::min(interval_ * 2, kLongestPoll);
        return now * std::max(waiting_.load(std::memory_order_relaxed) / kFew, 1u);
    }

  private:
    static constexpr unsigned kFew = 8;
    static inline std::atomic<unsigned> waiting_{0};
    std::uint64_t interval_ = kShortestPoll;
};

// Memory for signals: 128-byte slots in pages that kernels can reach; never unmapped while the runtime is open,
// because the other end of a finished wait may still look at a slot.
class SignalStore {
  public:
    Signal* create(hsa_signal_value_t initial);
    void destroy(Signal* signal);
    // True for a live signal of this store or an attached IPC signal.
    bool valid(hsa_signal_t handle) const;
    // IPC signals live in pages of their own.
    void adopt(Signal* signal);
    bool drop(Signal* signal);

  private:
    bool in_slabs(std::uint64_t address) const;
    mutable std::mutex mutex_;
    std::vector<std::uint64_t> slabs_;
    std::vector<Signal*> free_;
    std::vector<Signal*> adopted_;
};

void initialise(Signal& signal, hsa_signal_value_t initial, bool shared);

}  // namespace vrocm::hsa
