#include "hsa/time/clock.h"

#include <unistd.h>

#include <algorithm>

#include "hsa/time/costs.h"
#include "hsa/time/virtual_time.h"
#include "sim/host_time.h"
#include "sim/timing/mode.h"

namespace vrocm::hsa::clock {

namespace {

thread_local ThreadClock* own = nullptr;
thread_local bool of_device = false;

// Ends the clock with the thread.
struct AtThreadEnd {
    ThreadClock* clock = nullptr;
    ~AtThreadEnd() {
        if (!clock || clock->service) return;
        VirtualTime::get().thread_ended(clock);
        own = nullptr;
    }
};

// Asking again costs a little more of the time waited so far, once somebody has asked this often.
constexpr unsigned kPatience = 1000;
constexpr std::uint64_t kImpatience = 64;

}  // namespace

bool is_virtual() {
    static const bool timed = sim::timing::mode_from_environment() != sim::timing::Mode::Off;
    return timed;
}

std::uint64_t host_nanoseconds() {
    return sim::host_nanoseconds();
}

std::uint64_t now() {
    if (!is_virtual()) return host_nanoseconds();
    if (of_device) return VirtualTime::get().settled_time();
    return this_thread().time.load(std::memory_order_relaxed);
}

std::uint64_t agent_now() {
    return now() / kTicksPerAgentTick;
}

ThreadClock& this_thread() {
    if (!own) {
        thread_local AtThreadEnd at_end;
        own = VirtualTime::get().thread_began(false);
        own->tid = gettid();
        at_end.clock = own;
    }
    return *own;
}

ThreadClock* this_thread_if_host() {
    return of_device ? nullptr : &this_thread();
}

void is_device_thread() {
    of_device = true;
}

ThreadClock* make_service() {
    return VirtualTime::get().thread_began(true);
}

void bind_service(ThreadClock* service) {
    own = service;
    if (service) service->tid = gettid();
}

void end_service(ThreadClock* service) {
    if (own == service) own = nullptr;
    VirtualTime::get().thread_ended(service);
}

void ChargedCall::begin(vrocm_clock_cost cost) {
    ThreadClock& thread = this_thread();
    if (thread.depth++ != 0) return;
    if (cost != VROCM_COST_QUERY && cost != VROCM_COST_SIGNAL) thread.failed_queries = 0;
    VirtualTime::get().thread_called(thread);
    thread.advance(call_cost(cost));
}

void ChargedCall::end() {
    ThreadClock& thread = this_thread();
    if (thread.depth) --thread.depth;
    thread.last_seen.store(host_nanoseconds(), std::memory_order_relaxed);
}

void query_failed() {
    if (!is_virtual()) return;
    ThreadClock& thread = this_thread();
    const std::uint64_t time = thread.time.load(std::memory_order_relaxed);
    if (thread.failed_queries++ == 0) thread.first_query = time;
    if (thread.failed_queries > kPatience) thread.advance((time - thread.first_query) / kImpatience);
}

void after_fork() {
    VirtualTime::get().after_fork(own);
}

}  // namespace vrocm::hsa::clock

using namespace vrocm::hsa;

extern "C" {

int vrocm_clock_is_virtual(void) {
    return clock::is_virtual();
}
uint64_t vrocm_clock_now(void) {
    return clock::now();
}
void vrocm_clock_advance(uint64_t nanoseconds) {
    if (clock::is_virtual()) clock::this_thread().advance(nanoseconds);
}
void vrocm_clock_not_before(uint64_t time) {
    if (clock::is_virtual()) clock::this_thread().not_before(time);
}
void vrocm_clock_call_begin(enum vrocm_clock_cost cost) {
    if (clock::is_virtual()) clock::ChargedCall::begin(cost);
}
void vrocm_clock_call_end(void) {
    if (clock::is_virtual()) clock::ChargedCall::end();
}
void vrocm_clock_query_failed(void) {
    clock::query_failed();
}

void* vrocm_clock_service_create(void) {
    return clock::is_virtual() ? clock::make_service() : nullptr;
}
void vrocm_clock_service_bind(void* service) {
    if (service) clock::bind_service(static_cast<clock::ThreadClock*>(service));
}
void vrocm_clock_service_begin(void* service, uint64_t time) {
    if (service) VirtualTime::get().service_began(*static_cast<clock::ThreadClock*>(service), time);
}
void vrocm_clock_service_idle(void* service) {
    if (service) VirtualTime::get().service_idle(*static_cast<clock::ThreadClock*>(service));
}
void vrocm_clock_service_destroy(void* service) {
    if (service) clock::end_service(static_cast<clock::ThreadClock*>(service));
}
void vrocm_clock_handler_wake_up(void) {
    if (clock::is_virtual()) clock::this_thread().advance(VirtualTime::get().costs().handler);
}

int vrocm_clock_really_done(hsa_signal_t signal) {
    return signal_at(signal)->load() < 1;
}
int vrocm_clock_known_done(hsa_signal_t signal) {
    if (!clock::is_virtual()) return vrocm_clock_really_done(signal);
    return VirtualTime::get().known_below_one(*signal_at(signal));
}
void vrocm_clock_begin_anew(hsa_signal_t signal) {
    if (clock::is_virtual()) VirtualTime::get().forget(*signal_at(signal));
}
void vrocm_clock_abandon_waits(void) {
    abandon_waits();
}
}
