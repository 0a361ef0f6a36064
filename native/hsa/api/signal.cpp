// Signals.
#include <algorithm>
#include <vector>

#include "hsa/api/functions.h"
#include "hsa/time/clock.h"
#include "hsa/time/virtual_time.h"

namespace vrocm::hsa::api {

namespace {

struct SignalGroup {
    std::vector<hsa_signal_t> signals;
};
std::mutex groups_mutex;
std::vector<SignalGroup*> groups;

hsa_status_t check_consumers(Runtime& runtime, std::uint32_t count, const hsa_agent_t* consumers) {
    if (count == 0) return HSA_STATUS_SUCCESS;
    if (!consumers) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    for (std::uint32_t i = 0; i < count; ++i) {
        if (!runtime.agent(consumers[i])) return HSA_STATUS_ERROR_INVALID_AGENT;
        for (std::uint32_t j = 0; j < i; ++j)
            if (consumers[i].handle == consumers[j].handle) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
    return HSA_STATUS_SUCCESS;
}

}  // namespace

hsa_status_t hsa_amd_signal_create(hsa_signal_value_t initial_value, uint32_t num_consumers,
                                   const hsa_agent_t* consumers, uint64_t attributes, hsa_signal_t* signal) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(signal, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    if (const auto status = check_consumers(*runtime, num_consumers, consumers); status != HSA_STATUS_SUCCESS)
        return status;
    Signal* made = attributes & HSA_AMD_SIGNAL_IPC ? runtime->shared.create_signal(initial_value)
                                                   : runtime->signals.create(initial_value);
    VROCM_CHECK(made, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    *signal = made->handle();
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_signal_create(hsa_signal_value_t initial_value, uint32_t num_consumers, const hsa_agent_t* consumers,
                               hsa_signal_t* signal) {
    return api::hsa_amd_signal_create(initial_value, num_consumers, consumers, 0, signal);
}

hsa_status_t hsa_signal_destroy(hsa_signal_t signal) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(signal.handle, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    VROCM_CHECK(runtime->signals.valid(signal), HSA_STATUS_ERROR_INVALID_SIGNAL);
    Signal& s = *signal_at(signal);
    runtime->async.forget(s);
    if (!runtime->shared.destroy_signal(s)) runtime->signals.destroy(&s);
    return HSA_STATUS_SUCCESS;
}

// ---- loads, stores, updates ----------------------------------------------------------------------------------------
// The host's atomics are sequentially consistent where the order asks for anything at all.

namespace {

// Loads of a signal are what polling loops consist of: they see the value at the thread's time.
hsa_signal_value_t load_signal(hsa_signal_t handle) {
    Signal& signal = *signal_at(handle);
    if (!clock::is_virtual() || signal.is_doorbell()) return signal.load();
    const hsa_signal_value_t value = VirtualTime::get().load(signal);
    clock::query_failed();
    return value;
}

// `replaces`: the new value does not follow from the old one.
template <class F>
hsa_signal_value_t change_signal(hsa_signal_t handle, bool replaces, F&& change) {
    Signal& signal = *signal_at(handle);
    if (!clock::is_virtual() || signal.is_doorbell() || signal.doorbell) return signal.update(change);
    Signal::Change after(signal);
    const hsa_signal_value_t result = VirtualTime::get().change(signal, replaces, change);
    after.tell();
    return result;
}

void store_signal(hsa_signal_t handle, hsa_signal_value_t value) {
    Signal& signal = *signal_at(handle);
    if (signal.is_doorbell() && signal.doorbell) {
        // Rung first: the packet processor also looks at the value, and must not take the packets for ones whose
        // doorbell was written past the runtime, at no known time.
        signal.doorbell->ring(static_cast<std::uint64_t>(value));
        signal.value().store(value);
        return;
    }
    change_signal(handle, true, [value](auto ref) {
        ref.store(value);
        return value;
    });
}

// Silent: whoever waits need not be woken.
void store_silently(hsa_signal_t handle, hsa_signal_value_t value) {
    Signal& signal = *signal_at(handle);
    if (!clock::is_virtual() || signal.is_doorbell() || signal.doorbell) return signal.value().store(value);
    VirtualTime::get().change(signal, true, [value](auto ref) {
        ref.store(value);
        return value;
    });
}

}  // namespace

hsa_signal_value_t hsa_signal_load_relaxed(hsa_signal_t signal) {
    return load_signal(signal);
}
hsa_signal_value_t hsa_signal_load_scacquire(hsa_signal_t signal) {
    return load_signal(signal);
}
void hsa_signal_store_relaxed(hsa_signal_t signal, hsa_signal_value_t value) {
    store_signal(signal, value);
}
void hsa_signal_store_screlease(hsa_signal_t signal, hsa_signal_value_t value) {
    store_signal(signal, value);
}
void hsa_signal_silent_store_relaxed(hsa_signal_t signal, hsa_signal_value_t value) {
    store_silently(signal, value);
}
void hsa_signal_silent_store_screlease(hsa_signal_t signal, hsa_signal_value_t value) {
    store_silently(signal, value);
}

#define UPDATE_IN_ORDER(operation, order, method)                                          \
    void hsa_signal_##operation##_##order(hsa_signal_t signal, hsa_signal_value_t value) { \
        change_signal(signal, false, [value](auto ref) { return ref.method(value); });     \
    }
#define UPDATE(operation, method)                 \
    UPDATE_IN_ORDER(operation, relaxed, method)   \
    UPDATE_IN_ORDER(operation, scacquire, method) \
    UPDATE_IN_ORDER(operation, screlease, method) \
    UPDATE_IN_ORDER(operation, scacq_screl, method)
UPDATE(add, fetch_add)
UPDATE(subtract, fetch_sub)
UPDATE(and, fetch_and)
UPDATE(or, fetch_or)
UPDATE(xor, fetch_xor)
#undef UPDATE
#undef UPDATE_IN_ORDER

#define EXCHANGE(order)                                                                             \
    hsa_signal_value_t hsa_signal_exchange_##order(hsa_signal_t signal, hsa_signal_value_t value) { \
        return change_signal(signal, true, [value](auto ref) { return ref.exchange(value); });      \
    }                                                                                               \
    hsa_signal_value_t hsa_signal_cas_##order(hsa_signal_t signal, hsa_signal_value_t expected,     \
                                              hsa_signal_value_t value) {                           \
        return change_signal(signal, false, [expected, value](auto ref) {                           \
            hsa_signal_value_t seen = expected;                                                     \
            ref.compare_exchange_strong(seen, value);                                               \
            return seen;                                                                            \
        });                                                                                         \
    }
EXCHANGE(relaxed)
EXCHANGE(scacquire)
EXCHANGE(screlease)
EXCHANGE(scacq_screl)
#undef EXCHANGE

// ---- waiting -------------------------------------------------------------------------------------------------------

hsa_signal_value_t hsa_signal_wait_scacquire(hsa_signal_t signal, hsa_signal_condition_t condition,
                                             hsa_signal_value_t compare_value, uint64_t timeout_hint,
                                             hsa_wait_state_t) {
    return wait_signal(*signal_at(signal), condition, compare_value, timeout_hint);
}

hsa_signal_value_t hsa_signal_wait_relaxed(hsa_signal_t signal, hsa_signal_condition_t condition,
                                           hsa_signal_value_t compare_value, uint64_t timeout_hint, hsa_wait_state_t) {
    return wait_signal(*signal_at(signal), condition, compare_value, timeout_hint);
}

namespace {

// Looks with `done` whenever a watched signal changes, until it returns true, the time is over or waits are abandoned;
// what it returned.
template <typename F>
bool wait_several(const hsa_signal_t* signals, std::uint32_t count, std::uint64_t timeout, F&& done) {
    Watch watch;
    for (std::uint32_t i = 0; i < count; ++i)
        if (signals[i].handle) watch.add(*signal_at(signals[i]));
    const std::uint64_t start = clock::host_nanoseconds();
    Poll poll;
    for (;;) {
        Notifier::Ticket ticket(signal_watch());
        if (done()) return true;
        if (waits_abandoned()) return false;
        const std::uint64_t spent = clock::host_nanoseconds() - start;
        if (spent >= timeout) return false;
        ticket.wait(std::min(poll.next(), timeout - spent));
    }
}

constexpr std::uint32_t kNone = ~0u;

}  // namespace

namespace {

// The conditions of those signals that there are.
std::vector<clock::Condition> conditions_on(std::uint32_t count, const hsa_signal_t* signals,
                                            const hsa_signal_condition_t* conds, const hsa_signal_value_t* values) {
    std::vector<clock::Condition> conditions;
    for (std::uint32_t i = 0; i < count; ++i)
        if (signals[i].handle)
            conditions.push_back({.signal = signal_at(signals[i]), .condition = conds[i], .compare = values[i]});
    return conditions;
}

std::uint32_t wait_any_virtually(std::uint32_t count, const hsa_signal_t* signals, const hsa_signal_condition_t* conds,
                                 const hsa_signal_value_t* compare, std::uint64_t timeout,
                                 hsa_signal_value_t* satisfying) {
    std::vector<hsa_signal_value_t> values;
    VirtualTime::get().wait(conditions_on(count, signals, conds, compare), false, timeout, values);
    for (std::uint32_t i = 0, given = 0; i < count; ++i) {
        if (!signals[i].handle) continue;
        const hsa_signal_value_t value = values[given++];
        if (!satisfied(conds[i], value, compare[i])) continue;
        if (satisfying) *satisfying = value;
        return i;
    }
    return kNone;
}

std::uint32_t wait_all_virtually(std::uint32_t count, const hsa_signal_t* signals, const hsa_signal_condition_t* conds,
                                 const hsa_signal_value_t* compare, std::uint64_t timeout,
                                 hsa_signal_value_t* satisfying) {
    std::vector<hsa_signal_value_t> values;
    const auto conditions = conditions_on(count, signals, conds, compare);
    const bool all = conditions.empty() || VirtualTime::get().wait(conditions, true, timeout, values);
    for (std::uint32_t i = 0, given = 0; satisfying && i < count; ++i)
        satisfying[i] = signals[i].handle ? values[given++] : 0;
    return all ? 0 : kNone;
}

}  // namespace

uint32_t hsa_amd_signal_wait_any(uint32_t signal_count, hsa_signal_t* signals, hsa_signal_condition_t* conds,
                                 hsa_signal_value_t* values, uint64_t timeout_hint, hsa_wait_state_t,
                                 hsa_signal_value_t* satisfying_value) {
    std::uint32_t found = kNone;
    const bool any = std::any_of(signals, signals + signal_count, [](hsa_signal_t s) { return s.handle != 0; });
    if (!any) return kNone;
    if (clock::is_virtual())
        return wait_any_virtually(signal_count, signals, conds, values, timeout_hint, satisfying_value);
    wait_several(signals, signal_count, timeout_hint, [&] {
        for (std::uint32_t i = 0; i < signal_count; ++i) {
            if (!signals[i].handle) continue;
            const hsa_signal_value_t value = signal_at(signals[i])->load();
            if (!satisfied(conds[i], value, values[i])) continue;
            if (satisfying_value) *satisfying_value = value;
            found = i;
            return true;
        }
        return false;
    });
    return found;
}

uint32_t hsa_amd_signal_wait_all(uint32_t signal_count, hsa_signal_t* signals, hsa_signal_condition_t* conds,
                                 hsa_signal_value_t* values, uint64_t timeout_hint, hsa_wait_state_t,
                                 hsa_signal_value_t* satisfying_values) {
    if (clock::is_virtual())
        return wait_all_virtually(signal_count, signals, conds, values, timeout_hint, satisfying_values);
    const bool all = wait_several(signals, signal_count, timeout_hint, [&] {
        for (std::uint32_t i = 0; i < signal_count; ++i) {
            const hsa_signal_value_t value = signals[i].handle ? signal_at(signals[i])->load() : 0;
            if (satisfying_values) satisfying_values[i] = value;
            if (signals[i].handle && !satisfied(conds[i], value, values[i])) return false;
        }
        return true;
    });
    return all ? 0 : kNone;
}

hsa_status_t hsa_signal_group_create(uint32_t num_signals, const hsa_signal_t* signals, uint32_t num_consumers,
                                     const hsa_agent_t* consumers, hsa_signal_group_t* signal_group) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(num_signals && signals && signal_group, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    if (const auto status = check_consumers(*runtime, num_consumers, consumers); status != HSA_STATUS_SUCCESS)
        return status;
    for (std::uint32_t i = 0; i < num_signals; ++i)
        VROCM_CHECK(runtime->signals.valid(signals[i]), HSA_STATUS_ERROR_INVALID_SIGNAL);
    auto* group = new SignalGroup{{signals, signals + num_signals}};
    std::lock_guard lock(groups_mutex);
    groups.push_back(group);
    signal_group->handle = reinterpret_cast<std::uint64_t>(group);
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_signal_group_destroy(hsa_signal_group_t signal_group) {
    VROCM_OPEN(runtime);
    std::lock_guard lock(groups_mutex);
    const auto it = std::find(groups.begin(), groups.end(), reinterpret_cast<SignalGroup*>(signal_group.handle));
    VROCM_CHECK(it != groups.end(), HSA_STATUS_ERROR_INVALID_SIGNAL_GROUP);
    delete *it;
    groups.erase(it);
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_signal_group_wait_any_scacquire(hsa_signal_group_t signal_group,
                                                 const hsa_signal_condition_t* conditions,
                                                 const hsa_signal_value_t* compare_values,
                                                 hsa_wait_state_t wait_state_hint, hsa_signal_t* signal,
                                                 hsa_signal_value_t* value) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(conditions && compare_values && signal && value, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    std::vector<hsa_signal_t> signals;
    {
        std::lock_guard lock(groups_mutex);
        const auto it = std::find(groups.begin(), groups.end(), reinterpret_cast<SignalGroup*>(signal_group.handle));
        VROCM_CHECK(it != groups.end(), HSA_STATUS_ERROR_INVALID_SIGNAL_GROUP);
        signals = (*it)->signals;
    }
    const std::uint32_t found = api::hsa_amd_signal_wait_any(
        static_cast<std::uint32_t>(signals.size()), signals.data(), const_cast<hsa_signal_condition_t*>(conditions),
        const_cast<hsa_signal_value_t*>(compare_values), ~0ull, wait_state_hint, value);
    VROCM_CHECK(found < signals.size(), HSA_STATUS_ERROR);
    *signal = signals[found];
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_signal_group_wait_any_relaxed(hsa_signal_group_t signal_group,
                                               const hsa_signal_condition_t* conditions,
                                               const hsa_signal_value_t* compare_values,
                                               hsa_wait_state_t wait_state_hint, hsa_signal_t* signal,
                                               hsa_signal_value_t* value) {
    return api::hsa_signal_group_wait_any_scacquire(signal_group, conditions, compare_values, wait_state_hint, signal,
                                                    value);
}

// ---- handlers ------------------------------------------------------------------------------------------------------

hsa_status_t hsa_amd_signal_async_handler(hsa_signal_t signal, hsa_signal_condition_t cond, hsa_signal_value_t value,
                                          hsa_amd_signal_handler handler, void* arg) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(handler, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    VROCM_CHECK(runtime->signals.valid(signal), HSA_STATUS_ERROR_INVALID_SIGNAL);
    runtime->async.watch(*signal_at(signal), cond, value, handler, arg);
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_async_function(void (*callback)(void* arg), void* arg) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(callback, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    runtime->async.post([callback, arg] { callback(arg); });
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_signal_value_pointer(hsa_signal_t signal, volatile hsa_signal_value_t** value_ptr) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(value_ptr, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    VROCM_CHECK(runtime->signals.valid(signal), HSA_STATUS_ERROR_INVALID_SIGNAL);
    *value_ptr = &signal_at(signal)->amd.value;
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_ipc_signal_create(hsa_signal_t signal, hsa_amd_ipc_signal_t* handle) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(handle, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    VROCM_CHECK(runtime->signals.valid(signal), HSA_STATUS_ERROR_INVALID_SIGNAL);
    return runtime->shared.export_signal(*signal_at(signal), handle);
}

hsa_status_t hsa_amd_ipc_signal_attach(const hsa_amd_ipc_signal_t* handle, hsa_signal_t* signal) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(handle && signal, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    return runtime->shared.attach_signal(*handle, signal);
}

// ---- times ---------------------------------------------------------------------------------------------------------

hsa_status_t hsa_amd_profiling_get_dispatch_time(hsa_agent_t agent, hsa_signal_t signal,
                                                 hsa_amd_profiling_dispatch_time_t* time) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(time, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    const Agent* a = runtime->agent(agent);
    VROCM_CHECK(a, HSA_STATUS_ERROR_INVALID_AGENT);
    VROCM_CHECK(runtime->signals.valid(signal), HSA_STATUS_ERROR_INVALID_SIGNAL);
    VROCM_CHECK(a->is_gpu(), HSA_STATUS_ERROR_INVALID_AGENT);
    if (clock::is_virtual()) VirtualTime::get().settle(*signal_at(signal));
    const amd_signal_t& s = signal_at(signal)->amd;
    *time = {clock::agent_to_system(s.start_ts), clock::agent_to_system(s.end_ts)};
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_profiling_get_async_copy_time(hsa_signal_t signal, hsa_amd_profiling_async_copy_time_t* time) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(time, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    VROCM_CHECK(runtime->signals.valid(signal), HSA_STATUS_ERROR_INVALID_SIGNAL);
    if (clock::is_virtual()) VirtualTime::get().settle(*signal_at(signal));
    VROCM_CHECK(signal_at(signal)->copied, HSA_STATUS_ERROR);
    const amd_signal_t& s = signal_at(signal)->amd;
    *time = {clock::agent_to_system(s.start_ts), clock::agent_to_system(s.end_ts)};
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_profiling_convert_tick_to_system_domain(hsa_agent_t agent, uint64_t agent_tick,
                                                             uint64_t* system_tick) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(system_tick, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    const Agent* a = runtime->agent(agent);
    VROCM_CHECK(a && a->is_gpu(), HSA_STATUS_ERROR_INVALID_AGENT);
    *system_tick = clock::agent_to_system(agent_tick);
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_profiling_async_copy_enable(bool enable) {
    VROCM_OPEN(runtime);
    runtime->copies.profile(enable);
    return HSA_STATUS_SUCCESS;
}

}  // namespace vrocm::hsa::api
