#include "hsa/signal/signal.h"

#include <algorithm>
#include <array>
#include <new>

#include "hsa/runtime.h"
#include "hsa/time/clock.h"
#include "hsa/time/virtual_time.h"

namespace vrocm::hsa {

namespace {

// The sleepers to wake when a watched signal changes. Entries are set and cleared; readers take no lock.
constexpr unsigned kMaxTargets = 64;
std::array<std::atomic<Notifier*>, kMaxTargets> watch_targets;

std::atomic<bool> abandoned{false};

void wake_watchers() {
    signal_watch().wake();
    for (auto& slot : watch_targets)
        if (Notifier* target = slot.load()) target->wake();
}

}  // namespace

Notifier& signal_watch() {
    static Notifier* notifier = new Notifier;  // outlives static destructors, as threads may
    return *notifier;
}

void add_watch_target(Notifier& notifier) {
    for (auto& slot : watch_targets) {
        Notifier* expected = nullptr;
        if (slot.compare_exchange_strong(expected, &notifier)) return;
    }
}

void remove_watch_target(Notifier& notifier) {
    for (auto& slot : watch_targets) {
        Notifier* expected = &notifier;
        if (slot.compare_exchange_strong(expected, nullptr)) return;
    }
}

void forget_waits() {
    for (auto& slot : watch_targets) slot = nullptr;
    abandoned = false;
}

void abandon_waits() {
    abandoned = true;
}

bool waits_abandoned() {
    return abandoned.load(std::memory_order_acquire);
}

void Signal::notify(Doorbell* bell, bool in_shared_memory) {
    if (bell) return bell->ring(static_cast<std::uint64_t>(load()));
    if (waiters.load()) futex_wake_all(const_cast<std::int64_t*>(&amd.value), in_shared_memory);
    if (watchers.load()) wake_watchers();
}

bool satisfied(hsa_signal_condition_t condition, hsa_signal_value_t value, hsa_signal_value_t compare) {
    switch (condition) {
        case HSA_SIGNAL_CONDITION_EQ:
            return value == compare;
        case HSA_SIGNAL_CONDITION_NE:
            return value != compare;
        case HSA_SIGNAL_CONDITION_LT:
            return value < compare;
        case HSA_SIGNAL_CONDITION_GTE:
            return value >= compare;
    }
    return false;
}

hsa_signal_value_t wait_signal(Signal& signal, hsa_signal_condition_t condition, hsa_signal_value_t compare,
                               std::uint64_t timeout_ticks) {
    if (clock::is_virtual() && !signal.is_doorbell()) {
        std::vector<hsa_signal_value_t> values;
        VirtualTime::get().wait({{.signal = &signal, .condition = condition, .compare = compare}}, true, timeout_ticks,
                                values);
        return values.front();
    }
    hsa_signal_value_t value = signal.load();
    if (satisfied(condition, value, compare) || timeout_ticks == 0) return value;
    const std::uint64_t start = clock::host_nanoseconds();
    Poll poll;
    signal.waiters.fetch_add(1);
    for (;;) {
        value = signal.load();
        if (satisfied(condition, value, compare) || waits_abandoned()) break;
        const std::uint64_t spent = clock::host_nanoseconds() - start;
        if (spent >= timeout_ticks) break;
        futex_wait(const_cast<std::int64_t*>(&signal.amd.value), static_cast<std::uint32_t>(value),
                   std::min(poll.next(), timeout_ticks - spent), signal.shared != 0);
    }
    signal.waiters.fetch_sub(1);
    return value;
}

void Watch::add(Signal& signal) {
    signal.watchers.fetch_add(1);
    signals_.push_back(&signal);
}

void Watch::clear() {
    for (Signal* signal : signals_) signal->watchers.fetch_sub(1);
    signals_.clear();
}

void initialise(Signal& signal, hsa_signal_value_t initial, bool shared) {
    signal.amd = {};
    signal.amd.kind = AMD_SIGNAL_KIND_USER;
    signal.amd.value = initial;
    // The counts of waiters stay: those of an earlier signal in this place may still be leaving.
    signal.shared = shared;
    signal.doorbell = nullptr;
    signal.doorbell_value = 0;
    signal.copied = 0;
    signal.magic = Signal::kMagic;
}

namespace {
constexpr std::uint64_t kSlabBytes = 64 * 1024;
}

Signal* SignalStore::create(hsa_signal_value_t initial) {
    std::lock_guard lock(mutex_);
    if (free_.empty()) {
        Runtime& runtime = *Runtime::get();
        void* slab = runtime.memory.allocate_internal(runtime.system_pool(), kSlabBytes, "signals");
        if (!slab) return nullptr;
        const auto base = reinterpret_cast<std::uint64_t>(slab);
        slabs_.insert(std::upper_bound(slabs_.begin(), slabs_.end(), base), base);
        for (std::uint64_t at = base + kSlabBytes; at > base;)
            free_.push_back(reinterpret_cast<Signal*>(at -= sizeof(Signal)));
    }
    Signal* signal = free_.back();
    free_.pop_back();
    initialise(*signal, initial, false);
    return signal;
}

void SignalStore::destroy(Signal* signal) {
    if (clock::is_virtual()) VirtualTime::get().forget(*signal);
    std::lock_guard lock(mutex_);
    signal->magic = 0;
    signal->amd.kind = AMD_SIGNAL_KIND_INVALID;
    signal->doorbell = nullptr;
    free_.push_back(signal);
}

bool SignalStore::in_slabs(std::uint64_t address) const {
    auto it = std::upper_bound(slabs_.begin(), slabs_.end(), address);
    return it != slabs_.begin() && address - *std::prev(it) < kSlabBytes;
}

bool SignalStore::valid(hsa_signal_t handle) const {
    if (handle.handle == 0 || handle.handle % alignof(Signal)) return false;
    std::lock_guard lock(mutex_);
    Signal* signal = signal_at(handle);
    if (std::find(adopted_.begin(), adopted_.end(), signal) != adopted_.end()) return true;
    return in_slabs(handle.handle) && signal->magic == Signal::kMagic;
}

void SignalStore::adopt(Signal* signal) {
    std::lock_guard lock(mutex_);
    adopted_.push_back(signal);
}

bool SignalStore::drop(Signal* signal) {
    std::lock_guard lock(mutex_);
    const auto it = std::find(adopted_.begin(), adopted_.end(), signal);
    if (it == adopted_.end()) return false;
    adopted_.erase(it);
    return true;
}

}  // namespace vrocm::hsa
